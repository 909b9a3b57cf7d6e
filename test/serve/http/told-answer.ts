import { entityTag } from "../../../src/gather/explain/explain.ts";
import type { ErrorCode } from "../../../src/kernel/error.ts";
import type { Failure } from "../../../src/serve/service/failure.ts";

/** What the caller has left, and the headers that say so. */
export const quota = { free: { limit: 50, remaining: 49, resetSeconds: 60 } };
export const quotaHeaders = { "ratelimit-policy": '"free";q=50;w=86400', ratelimit: '"free";r=49;t=60' };
/** An answer, and its tag. */
export const body = Buffer.from('{"a":"ü"}');
export const tag = entityTag(body);
/** A failure with this code. */
export const failureOf = (error: ErrorCode, retryAfterSeconds?: number): Failure => ({
  ...{ status: 503, body: { error, message: "M.", retryable: true }, retryAfterSeconds },
});
