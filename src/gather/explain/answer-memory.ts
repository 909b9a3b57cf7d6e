import { LRUCache } from "lru-cache";
import { type ErrorCode, ServiceError, TooLargeNow } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { CaseFile, RpcFrame } from "../../model/case-file.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import { failureLifetime } from "./lifetime.ts";

/**
 * The only memory of answers. It holds at most `maxSize` bytes of answers, a quarter of that in case files, and a fixed number of failures.
 * A case file is remembered together with its answer, so that both are from the same moment.
 */
export function createAnswerMemory<Answer extends { body: Buffer }>(maxSize: number, clock: Clock) {
  const expiry = { ttl: 1, ttlResolution: 0, perf: clock };
  const answers = new LRUCache<Hash, Answer>({ ...expiry, maxSize, sizeCalculation: weigh });
  const cases = new LRUCache<Hash, { answer: Answer; caseFile: CaseFile }>({
    ...{ ...expiry, maxSize: Math.ceil(maxSize / 4) },
    sizeCalculation: ({ answer, caseFile }) => weigh(answer) + weighCase(caseFile),
  });
  // Failures are kept apart, so that many unknown hashes cannot push out answers. Only the code is kept, because an error would keep its
  // stack in memory.
  const failures = new LRUCache<Hash, ErrorCode>({ ...expiry, max: serviceLimits.failuresMax });
  const sizes = new LRUCache<Hash, number>({
    ...expiry,
    ttl: serviceLimits.tooLargeMs,
    max: serviceLimits.failuresMax,
  });
  return {
    recall: (hash: Hash) => answers.get(hash),
    recallExamined: (hash: Hash) => cases.get(hash),
    /** Remembers both for `ttl` milliseconds. */
    keep(hash: Hash, examined: { answer: Answer; caseFile: CaseFile }, ttl: number): void {
      if (ttl <= 0) return;
      answers.set(hash, examined.answer, { ttl });
      cases.set(hash, examined, { ttl });
    },
    failureOf: (hash: Hash) => failures.get(hash),
    /** The size of a transaction that was too large for the time that was left a moment ago. */
    tooLarge: (hash: Hash) => sizes.get(hash),
    /** Remembers the failure if it says something about the transaction, and throws the error again. */
    keepFailure(hash: Hash, error: unknown): never {
      if (error instanceof TooLargeNow && sizes.get(hash) === undefined) sizes.set(hash, error.size);
      const ttl = error instanceof ServiceError ? failureLifetime(error) : 0;
      if (error instanceof ServiceError && ttl > 0) failures.set(hash, error.code, { ttl });
      throw error;
    },
  };
}

/** A rough estimate of an answer's bytes in memory: its objects and the copies that transports make take about eight times the body. */
function weigh({ body }: { body: Buffer }): number {
  return body.length * 9 + 1024;
}

/** A rough estimate of a case file's bytes in memory: its long texts, and a fixed size for each object. */
function weighCase({ transaction, receipt, trace, tokens, reads }: CaseFile): number {
  let bytes = 4096 + transaction.input.length + 1024 * (Object.keys(tokens).length + reads.length);
  for (const { data } of receipt.logs) bytes += 512 + data.length;
  if ("root" in trace) bytes += weighFrame(trace.root);
  else if ("internal_transfers" in trace) bytes += 512 * trace.internal_transfers.length;
  return bytes;
}

function weighFrame({ input = "", output = "", logs = [], calls = [] }: RpcFrame): number {
  let bytes = 512 + input.length + output.length;
  for (const { data } of logs) bytes += 512 + data.length;
  for (const call of calls) bytes += weighFrame(call);
  return bytes;
}
