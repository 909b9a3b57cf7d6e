import { randomUUID } from "node:crypto";
import { CallerGone } from "../../gather/explain/shared-runs.ts";
import { type ErrorCode, ServiceError } from "../../kernel/error.ts";
import { describeCause, type Logger } from "../../kernel/logger.ts";

/** schemas/error.schema.json. */
export interface FailureBody {
  error: ErrorCode;
  message: string;
  retryable: boolean;
  request_id?: string;
}

/** For callers. */
export interface Failure {
  /** HTTP status. */
  status: number;
  body: FailureBody;
  retryAfterSeconds: number | undefined;
}

/** Unknown errors: `internal`, which reveals no cause. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  // Fastify gives a status to an error that ends the reading of a body. Errors from elsewhere have none.
  if (code === "ECONNRESET" && statusCode === 400)
    return new ServiceError("invalid_json", "The connection ended within the body.", { cause: new CallerGone() });
  const known = typeof code === "string" ? frameworkCodes[code] : undefined;
  return new ServiceError(known ?? "internal", undefined, { cause: thrown });
}

/** Logs the cause of `internal` under the request id. */
export function describeFailure(error: ServiceError, log: Logger): Failure {
  const { code, status, retryable } = error;
  const body: FailureBody = { error: code, message: error.message, retryable };
  if (code === "internal") {
    body.message = "Something went wrong on our side; the request id finds it in the log.";
    body.request_id = randomUUID();
    log.error({ event: "internal", request_id: body.request_id, cause: describeCause(error.cause ?? error) });
  }
  return { status, body, retryAfterSeconds: error.retryAfterSeconds ?? defaultRetryAfterSeconds[code] };
}

/** Where the source does not say it. */
export const defaultRetryAfterSeconds: Partial<Record<ErrorCode, number>> = {
  transaction_pending: 1,
  upstream_unavailable: 5,
  overloaded: 5,
  restarting: 1,
  payments_unavailable: 5,
  settlement_pending: 3,
  untrusted_forwarding: 60,
  pass_not_shown: 60,
  ledger_unavailable: 5,
};

/** Found by Fastify before our code runs. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_json",
  FST_ERR_BAD_URL: "not_found",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
};
