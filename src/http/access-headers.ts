import type { FastifyReply, FastifyRequest } from "fastify";
import type { Challenged, Standing } from "../access/admission.ts";
import { standingHeaders } from "../access/answer-headers.ts";
import type { Client, ReadClient } from "../access/client-address.ts";
import { type Payment, readPaymentHeader } from "../access/payment.ts";
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

/** What `standingHeaders` says, on a reply of the framework. */
export function setStanding(reply: FastifyReply, standing: Standing): FastifyReply {
  const headers = standingHeaders(standing);
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
  return reply;
}

/** Asks for a payment: status 402, the challenge as body and as header. */
export function sendChallenge(reply: FastifyReply, { challenge, standing }: Challenged): FastifyReply {
  return setStanding(reply, standing)
    .headers(corsHeaders)
    .code(402)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .header("payment-required", challenge.header)
    .send(challenge.body);
}
