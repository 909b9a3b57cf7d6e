import { LRUCache } from "lru-cache";
import { type ErrorCode, ServiceError, TooLargeNow } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { CaseFile, RpcFrame } from "../../model/case-file.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import { failureLifetime } from "./lifetime.ts";

/**
 * At most `maxSize` bytes of answers, a quarter of that of case files. Answer and case file are kept together, so both are of one moment.
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
    /** `ttl`: ms. */
    keep(hash: Hash, examined: { answer: Answer; caseFile: CaseFile }, ttl: number): void {
      if (ttl <= 0) return;
      answers.set(hash, examined.answer, { ttl });
      cases.set(hash, examined, { ttl });
    },
    failureOf: (hash: Hash) => failures.get(hash),
    /** Size of a transaction that was too large for the time left a moment ago. */
    tooLarge: (hash: Hash) => sizes.get(hash),
    /** Where it says something about the transaction. Throws the error again. */
    keepFailure(hash: Hash, error: unknown): never {
      if (error instanceof TooLargeNow && sizes.get(hash) === undefined) sizes.set(hash, error.size);
      const ttl = error instanceof ServiceError ? failureLifetime(error) : 0;
      if (error instanceof ServiceError && ttl > 0) failures.set(hash, error.code, { ttl });
      throw error;
    },
  };
}

/** Bytes, roughly: objects and the transports' copies take eight times the body. */
function weigh({ body }: { body: Buffer }): number {
  return body.length * 9 + 1024;
}

/** Bytes, roughly. */
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
