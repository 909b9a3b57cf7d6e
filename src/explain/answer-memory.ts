import { LRUCache } from "lru-cache";
import { type ErrorCode, ServiceError } from "../kernel/error.ts";
import type { Hash } from "../kernel/hex.ts";
import { limits } from "../kernel/limits.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import { failureLifetime } from "./lifetime.ts";

/** The only memory of answers: at most `maxSize` bytes of them, and so many failures. */
export function createAnswerMemory<Answer extends { body: Buffer }>(maxSize: number, clock: Clock) {
  const expiry = { ttl: 1, ttlResolution: 0, perf: clock };
  const answers = new LRUCache<Hash, Answer>({ ...expiry, maxSize, sizeCalculation: weigh });
  // Failures live apart, so that a flood of unknown hashes cannot push out any answer. An error itself would hold on to its stack.
  const failures = new LRUCache<Hash, ErrorCode>({ ...expiry, max: limits.failuresMax });
  return {
    recall: (hash: Hash) => answers.get(hash),
    /** For so many milliseconds. */
    keep(hash: Hash, answer: Answer, ttl: number): void {
      if (ttl > 0) answers.set(hash, answer, { ttl });
    },
    failureOf: (hash: Hash) => failures.get(hash),
    /** Keeps what tells something about the transaction, and throws the error on. */
    keepFailure(hash: Hash, error: unknown): never {
      const ttl = error instanceof ServiceError ? failureLifetime(error) : 0;
      if (error instanceof ServiceError && ttl > 0) failures.set(hash, error.code, { ttl });
      throw error;
    },
  };
}

/** Bytes of an answer in memory, roughly: the objects and the copies of the transports are about eight times the body. */
function weigh({ body }: { body: Buffer }): number {
  return body.length * 9 + 1024;
}
