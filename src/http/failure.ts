import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ErrorCode, ServiceError } from "../kernel/error.ts";
import type { Log } from "../kernel/log.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";

/** The body of every error answer: schemas/error.schema.json. */
export interface FailureBody {
  error: ErrorCode;
  message: string;
  retryable: boolean;
  request_id?: string;
}

/** Turns whatever was thrown into what a caller may know. Anything unforeseen is `internal`: nothing of the inside leaves. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const code = (thrown as { code?: unknown } | null)?.code;
  const known = typeof code === "string" ? frameworkCodes[code] : undefined;
  return new ServiceError(known ?? "internal", undefined, { cause: thrown });
}

/** Sends an error answer. An `internal` one goes to the log with its cause, under the id that the caller gets. */
export function sendFailure(reply: FastifyReply, failure: ServiceError, log: Log): FastifyReply {
  const body: FailureBody = { error: failure.code, message: failure.message, retryable: failure.retryable };
  if (failure.code === "internal") {
    body.message = "Something went wrong on our side; the request id finds it in the log.";
    body.request_id = randomUUID();
    log.error({ event: "internal", request_id: body.request_id, cause: describe(failure.cause ?? failure) });
  }
  const retryAfter = failure.retryAfterSeconds ?? defaultRetryAfterSeconds[failure.code];
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  return reply
    .code(failure.status)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(Buffer.from(JSON.stringify(body)));
}

/** Answers a request whose path or method is not served: 204 with Allow for OPTIONS, 405 with Allow, else 404. */
export function sendUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  { methodsOf, cors, log }: { methodsOf: (path: string) => string[]; cors: boolean; log: Log },
): FastifyReply {
  const path = request.url.split("?", 1)[0] ?? "";
  const methods = methodsOf(path);
  if (methods.length === 0) return sendFailure(reply, new ServiceError("not_found"), log);
  const allow = [...new Set([...methods, "OPTIONS"])].join(", ");
  reply.header("allow", allow);
  if (cors) reply.headers({ ...corsHeaders, ...preflightHeaders, "access-control-allow-methods": allow });
  if (request.method === "OPTIONS") return reply.code(204).send();
  return sendFailure(reply, new ServiceError("method_not_allowed", `This path answers ${allow}.`), log);
}

/** Fastify's own codes for what a caller can get wrong. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_json",
  FST_ERR_BAD_URL: "not_found",
};

/** When a source of the failure does not say how long to wait. */
export const defaultRetryAfterSeconds: Partial<Record<ErrorCode, number>> = {
  transaction_pending: 2,
  upstream_unavailable: 5,
  payments_unavailable: 5,
  settlement_pending: 3,
  ledger_unavailable: 5,
};

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
