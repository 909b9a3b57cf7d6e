/**
 * What can go wrong for a caller. One table: HTTP, MCP, OpenAPI and the README's list are read from it.
 * `retryable` tells a program whether the same request may succeed later.
 */
export const errorTable = {
  invalid_json: { status: 400, retryable: false, meaning: "The body is not a JSON object." },
  invalid_tx_hash: { status: 400, retryable: false, meaning: "tx_hash is not 0x followed by 64 hex digits." },
  transaction_not_found: { status: 404, retryable: true, meaning: "No chain source knows this transaction." },
  transaction_pending: { status: 404, retryable: true, meaning: "The transaction is known but not yet in a block." },
  not_found: { status: 404, retryable: false, meaning: "There is no such path." },
  method_not_allowed: { status: 405, retryable: false, meaning: "The path exists, but not for this method." },
  not_acceptable: { status: 406, retryable: false, meaning: "The Accept header excludes application/json." },
  body_too_large: { status: 413, retryable: false, meaning: "The body is longer than 4 KB." },
  unsupported_media_type: { status: 415, retryable: false, meaning: "The Content-Type is not application/json." },
  internal: { status: 500, retryable: true, meaning: "Our mistake; the request id finds it in the log." },
  upstream_unavailable: { status: 503, retryable: true, meaning: "No chain source answered in time." },
} as const satisfies Record<string, { status: number; retryable: boolean; meaning: string }>;

export type ErrorCode = keyof typeof errorTable;

/** A failure that the caller is told about. `retryAfterSeconds` becomes the Retry-After header. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message?: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message ?? errorTable[code].meaning, { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.status = errorTable[code].status;
    this.retryable = errorTable[code].retryable;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** States what must hold; a failure is our own mistake. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
