import type { FastifyReply } from "fastify";
import { anyOriginHeaders } from "../service/cors.ts";
import type { Failure } from "../service/failure.ts";
import type { Outcome } from "../service/outcome.ts";
import { type HeaderPairs, paymentHeaders } from "../service/payment-headers.ts";

/** Sends JSON text with this status, not to be stored by caches. */
export function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  reply.code(status).header("content-type", "application/json; charset=utf-8").header("cache-control", "no-store");
  return reply.send(body);
}

/** Sets the headers of a list of pairs. */
export function setHeaders(reply: FastifyReply, headers: HeaderPairs): FastifyReply {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
  return reply;
}

/** Sends an error response. */
export function sendFailure(reply: FastifyReply, { status, body, retryAfterSeconds }: Failure): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return sendJson(reply, status, Buffer.from(JSON.stringify(body)));
}

/** Sends a challenge (402) or a failure, with the headers of paths that may be paid for. */
export function sendUnanswered(
  reply: FastifyReply,
  outcome: Extract<Outcome, { kind: "challenged" | "failed" }>,
  metered: boolean,
): FastifyReply {
  setHeaders(reply, paymentHeaders(outcome));
  if (metered) reply.headers(anyOriginHeaders);
  if (outcome.kind === "failed") return sendFailure(reply, outcome.failure);
  return sendJson(reply, 402, outcome.challenge.body);
}
