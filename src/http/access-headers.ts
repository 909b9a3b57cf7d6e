import type { FastifyReply, FastifyRequest } from "fastify";
import type { Challenged, Standing } from "../access/admission.ts";
import type { FreeStanding } from "../access/allowance.ts";
import type { Client, ReadClient } from "../access/client-address.ts";
import { type Payment, readPaymentHeader } from "../access/payment.ts";
import type { Receipt } from "../access/receipt.ts";
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

/** Header names and values in turn (draft-ietf-httpapi-ratelimit-headers): what is left today, and of the pass. */
export function standingHeaders({ free, pass }: Standing): string[] {
  const headers = [
    "ratelimit-policy",
    policyOf(free),
    "ratelimit",
    `"free";r=${free.remaining};t=${free.resetSeconds}`,
  ];
  if (pass === undefined) return headers;
  headers.push("x-svc-pass-status", pass.status);
  if (pass.remaining !== undefined) headers.push("x-svc-pass-remaining", String(pass.remaining));
  return headers;
}

/** The same, on a reply of the framework. */
export function setStanding(reply: FastifyReply, standing: Standing): FastifyReply {
  const headers = standingHeaders(standing);
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
  return reply;
}

/** The PAYMENT-RESPONSE header. */
export function receiptHeader(receipt: Receipt): string {
  return Buffer.from(JSON.stringify(receipt)).toString("base64");
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

function policyOf({ limit }: FreeStanding): string {
  return `"free";q=${limit};w=86400`;
}
