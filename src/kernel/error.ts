/** Everything a caller may get: HTTP, MCP, OpenAPI and docs/http-api.md come from here. `retryable`: the same request may succeed later. */
export const errorTable = {
  unreadable_request: { status: 400, retryable: false, meaning: "The bytes are not an HTTP request that can be read." },
  invalid_json: { status: 400, retryable: false, meaning: "The body is not a JSON object." },
  invalid_request: {
    status: 400,
    retryable: false,
    meaning: "The request has a field or a value that does not exist.",
  },
  invalid_tx_hash: { status: 400, retryable: false, meaning: "tx_hash is not 0x followed by 64 hex digits." },
  invalid_typed_data: {
    status: 400,
    retryable: false,
    meaning: "What is to be signed is no EIP-712 typed data that holds, or is too large.",
  },
  other_chain: {
    status: 400,
    retryable: false,
    meaning: "What is to be signed is for another chain.",
  },
  invalid_account: { status: 400, retryable: false, meaning: "account is not 0x followed by 40 hex digits." },
  invalid_preview: {
    status: 400,
    retryable: false,
    meaning: "The transaction to preview has a field that is missing, unknown or malformed.",
  },
  invalid_batch: { status: 400, retryable: false, meaning: "tx_hashes is not a list of 1 to 100 texts." },
  invalid_payment: { status: 400, retryable: false, meaning: "The payment is not an x402 version 2 payment payload." },
  unauthorized: { status: 401, retryable: false, meaning: "This is for the operator: it needs ADMIN_TOKEN." },
  foreign_host: {
    status: 403,
    retryable: false,
    meaning: "The Host header names another host; the service listens only on its own machine.",
  },
  line_not_paid: {
    status: 402,
    retryable: false,
    meaning: "Of a batch: no free call, no call of a pass and no credit is left for this line.",
  },
  transaction_not_found: { status: 404, retryable: true, meaning: "No chain source knows this transaction." },
  transaction_pending: { status: 404, retryable: true, meaning: "The transaction is known but not yet in a block." },
  not_found: { status: 404, retryable: false, meaning: "There is no such path." },
  method_not_allowed: { status: 405, retryable: false, meaning: "The path exists, but not for this method." },
  not_acceptable: { status: 406, retryable: false, meaning: "The Accept header excludes what this path gives." },
  request_timeout: { status: 408, retryable: true, meaning: "The request did not arrive completely in time." },
  pass_claimed_elsewhere: {
    status: 409,
    retryable: false,
    meaning:
      "The payment is settled, and its pass or batch is only for its buyer; send the secret that it was bought with (X-SVC-Claim-Secret), or without one a claim that the payer's key signs (X-SVC-Claim). Do not pay again.",
  },
  body_too_large: {
    status: 413,
    retryable: false,
    meaning: "The body is longer than 4 KB (of /explain/batch: 16 KB, of /preview: 288 KB).",
  },
  unsupported_media_type: { status: 415, retryable: false, meaning: "The Content-Type is not application/json." },
  rate_limited: {
    status: 429,
    retryable: true,
    meaning: "Too many requests of this kind that ended without an explanation.",
  },
  headers_too_large: { status: 431, retryable: false, meaning: "The header fields are longer than 16 KB." },
  internal: { status: 500, retryable: true, meaning: "Our mistake; the request id finds it in the log." },
  payments_not_configured: { status: 501, retryable: false, meaning: "This instance is open and sells nothing." },
  upstream_unavailable: { status: 503, retryable: true, meaning: "No chain source answered in time." },
  overloaded: { status: 503, retryable: true, meaning: "Too many transactions are worked on; nothing was done." },
  restarting: {
    status: 503,
    retryable: true,
    meaning: "The service restarts; send the same request again, with the same payment if it had one.",
  },
  payments_unavailable: {
    status: 503,
    retryable: true,
    meaning: "Payments cannot be checked now; nothing was charged.",
  },
  settlement_pending: {
    status: 503,
    retryable: true,
    meaning:
      "The payment was sent and its outcome is not known yet; send the same request with the same payment again.",
  },
  untrusted_forwarding: {
    status: 503,
    retryable: true,
    meaning:
      "The service stands behind a proxy that its TRUST_PROXY does not name, so it sells no pass; nothing was charged.",
  },
  pass_not_shown: {
    status: 503,
    retryable: true,
    meaning:
      "The payment bought a pass whose token cannot be shown: the operator changed its key. Keep the payment and send it again later.",
  },
  ledger_unavailable: {
    status: 503,
    retryable: true,
    meaning: "The ledger does not answer; send the same request again, with the same payment if it had one.",
  },
} as const satisfies Record<string, { status: number; retryable: boolean; meaning: string }>;

export type ErrorCode = keyof typeof errorTable;

/** `error` of a 402 challenge; several are joined by a comma. Reasons of the facilitator (`invalid_exact_evm_…`) pass unchanged. */
export const challengeTable = {
  payment_required: "This is sold, and nothing was offered for it.",
  free_allowance_used: "The free explanations of this UTC day are used up.",
  pass_unknown: "There is no such pass.",
  pass_expired: "The pass has expired.",
  pass_exhausted: "The pass has no calls left.",
  payment_mismatch: "The payment is not for one of the requirements in `accepts`.",
  resource_mismatch: "The payment names another resource.",
  unsupported_payload_type: "Only EIP-3009 authorizations are taken.",
  credit_too_small: "The payment has credit for fewer lines than are asked for.",
  payment_already_used: "This authorization paid, or was to pay, for another request.",
  payment_valid_too_long: "The authorization is valid for more than a day.",
  payment_expired: "The authorization expired before it was settled; nothing was charged.",
  authorization_canceled: "The authorization was canceled on chain, or used for something else.",
  payment_invalid: "The facilitator refused the payment without saying why.",
  settlement_failed: "The facilitator could not settle the payment; nothing was charged.",
} as const;

export type ChallengeReason = keyof typeof challengeTable;

/** `retryAfterSeconds` becomes the Retry-After header. */
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

/** Thrown for a transaction that is too large for the time that is left now. Nothing was decided for it. */
export class TooLargeNow extends ServiceError {
  /** How large it is, in the unit of large cases. Infinity: it was ended at its deadline. */
  readonly size: number;

  constructor(size: number, waitMs: number) {
    const retryAfterSeconds = Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)));
    super("overloaded", "This transaction is large, and others like it come first; nothing was charged.", {
      retryAfterSeconds,
    });
    this.size = size;
  }
}

/** Throws when a condition is false that our own code guarantees. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
