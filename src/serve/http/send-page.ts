import type { FastifyReply, FastifyRequest } from "fastify";
import { decimalText } from "../../kernel/amount.ts";
import { readPastedHash } from "../../kernel/hex.ts";
import type { Failure, FailureBody } from "../service/failure.ts";
import { paymentHeaders } from "../service/payment-headers.ts";
import { pageHeaders } from "../web/links.ts";
import { lostMessage, renderPricePage, renderTroublePage } from "../web/trouble-page.ts";
import { prefersPage } from "./accept.ts";
import { joinVary, type sendChallengeOrFailure, sendFailure } from "./reply.ts";

export const htmlType = "text/html; charset=utf-8";

/** Not to be stored. */
export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({ ...pageHeaders, "cache-control": "no-store", "content-type": htmlType })
    .send(page);
}

/** Status and headers as for programs. */
export function createTroubleSender(
  render: (body: FailureBody, request: FastifyRequest) => string,
): typeof sendChallengeOrFailure {
  return (reply, outcome, cors) => {
    reply.headers({ ...paymentHeaders(outcome), ...cors, vary: joinVary("Accept", cors.vary) });
    if (outcome.kind === "challenged") {
      const { resource, accepts } = outcome.challenge.required;
      const [offer] = accepts;
      // USDC: six decimals.
      const usd = offer === undefined ? null : decimalText(BigInt(offer.amount), 6);
      return sendPage(reply, 402, renderPricePage({ usd, resource: resource.url }));
    }
    const { status, body, retryAfterSeconds } = outcome.failure;
    if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
    return sendPage(reply, status, render(body, reply.request));
  };
}

/** Page for browsers, JSON for others. */
export function sendFailureAsAsked(reply: FastifyReply, failure: Failure): FastifyReply {
  reply.header("vary", joinVary("Accept", reply.getHeader("vary")?.toString()));
  const { headers, url } = reply.request;
  if (!prefersPage(headers.accept)) return sendFailure(reply, failure);
  const { status, retryAfterSeconds } = failure;
  const { error, message, retryable } = failure.body;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  const says = error === "not_found" ? lostMessage : message;
  const query = readPastedHash(url) ?? "";
  return sendPage(reply, status, renderTroublePage({ code: error, message: says, retryable, query }));
}
