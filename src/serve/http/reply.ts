import type { FastifyReply } from "fastify";
import type { Failure } from "../service/failure.ts";
import type { Outcome } from "../service/outcome.ts";
import { paymentHeaders } from "../service/payment-headers.ts";

/** Not to be stored. */
export function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  reply.code(status).header("content-type", "application/json; charset=utf-8").header("cache-control", "no-store");
  return reply.send(body);
}

/** Vary header; empty: depends on none. */
export function joinVary(...names: (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(", ");
}

/** Refused at once: also disconnects, so that floods hold no memory. */
export function sendFailure(reply: FastifyReply, { status, body, retryAfterSeconds }: Failure): FastifyReply {
  if (body.error === "overloaded" || body.error === "rate_limited") reply.header("connection", "close");
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return sendJson(reply, status, Buffer.from(JSON.stringify(body)));
}

/** 402 or failure. */
export function sendChallengeOrFailure(
  reply: FastifyReply,
  outcome: Extract<Outcome, { kind: "challenged" | "failed" }>,
  cors: Readonly<Record<string, string>>,
): FastifyReply {
  reply.headers({ ...paymentHeaders(outcome), ...cors });
  if (outcome.kind === "failed") return sendFailure(reply, outcome.failure);
  return sendJson(reply, 402, outcome.challenge.body);
}

/** Fires when the connection ends, before or after the answer. */
export function whenGone(reply: FastifyReply): () => AbortSignal {
  return () => {
    const controller = new AbortController();
    if (reply.raw.destroyed) controller.abort();
    else reply.raw.once("close", () => controller.abort());
    return controller.signal;
  };
}
