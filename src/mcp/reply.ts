import type { FastifyReply } from "fastify";
import { quotaHeaders, receiptHeader } from "../access/answer-headers.ts";
import type { Challenge } from "../access/payment/offers.ts";
import type { Outcome } from "./outcome.ts";

/** Sends JSON, given one character a byte, with as little work as Node allows. `headers`: names and values in turn. */
export function sendText(reply: FastifyReply, text: string, headers: readonly string[]): void {
  reply.hijack();
  reply.raw.writeHead(200, [...fixed, "content-length", String(text.length), ...headers]);
  reply.raw.end(text, "latin1");
}

const fixed = ["content-type", "application/json; charset=utf-8", "cache-control", "no-store"];

/** Sends what the SDK answered: JSON with its status, nothing, or a stream. */
export async function sendResponse(reply: FastifyReply, response: Response, headers: readonly string[]): Promise<void> {
  setHeaders(reply, headers);
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) return void reply.send(response);
  reply.code(response.status).header("cache-control", "no-store");
  if (response.body === null) return void reply.send();
  const body = Buffer.from(await response.arrayBuffer());
  reply.header("content-type", "application/json; charset=utf-8").send(body);
}

/**
 * Asks for a payment with status 402, as x402 has it for HTTP. Clients of MCP say their revision in a header once they know it and
 * give up on this status; whoever does not say it is asked like this.
 */
export function sendChallenge(reply: FastifyReply, challenge: Challenge, headers: readonly string[]): void {
  setHeaders(reply, headers)
    .code(402)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(challenge.body);
}

/** What an outcome says in headers, names and values in turn: what x402 has there, and where the client stands. */
export function outcomeHeaders({ challenge, receipt, quota }: Outcome): string[] {
  const headers = quota === undefined ? [] : quotaHeaders(quota);
  if (challenge !== undefined) headers.push("payment-required", challenge.header);
  if (receipt !== undefined) headers.push("payment-response", receiptHeader(receipt));
  return headers;
}

function setHeaders(reply: FastifyReply, headers: readonly string[]): FastifyReply {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
  return reply;
}
