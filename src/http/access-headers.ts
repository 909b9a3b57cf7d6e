import type { FastifyReply, FastifyRequest } from "fastify";
import type { Challenged, Quota } from "../access/admission.ts";
import { quotaHeaders } from "../access/answer-headers.ts";
import { type Payment, readPaymentHeader } from "../access/payment/payment.ts";
import type { Client, ReadClient } from "../access/quota/client-address.ts";
import { corsHeaders } from "./cors.ts";

/** The client of a request. */
export function clientOf(request: FastifyRequest, readClient: ReadClient): Client {
  return readClient(request.raw.socket.remoteAddress, request.headers["x-forwarded-for"]);
}

/** The payment that a request offers, if any. Throws ServiceError `invalid_payment`. */
export function paymentOf(request: FastifyRequest): Payment | undefined {
  const text = request.headers["payment-signature"];
  return text === undefined ? undefined : readPaymentHeader(String(text));
}

/** The pass that a request shows, if any. */
export function passOf(request: FastifyRequest): string | undefined {
  const text = request.headers["x-svc-pass"];
  return text === undefined ? undefined : String(text).trim();
}

/** What `quotaHeaders` says, on a reply of the framework. */
export function setQuota(reply: FastifyReply, quota: Quota): FastifyReply {
  const headers = quotaHeaders(quota);
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
  return reply;
}

/** Asks for a payment: status 402, the challenge as body and as header. */
export function sendChallenge(reply: FastifyReply, { challenge, quota }: Challenged): FastifyReply {
  return setQuota(reply, quota)
    .headers(corsHeaders)
    .code(402)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .header("payment-required", challenge.header)
    .send(challenge.body);
}
