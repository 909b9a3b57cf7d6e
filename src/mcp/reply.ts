import type { FastifyReply } from "fastify";
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
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
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
export function sendChallenge(reply: FastifyReply, challenge: NonNullable<Outcome["challenge"]>): void {
  reply
    .code(402)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .header("payment-required", challenge.header)
    .send(challenge.body);
}

/** The x402 headers of an outcome, names and values in turn: the same as in its JSON, for whoever reads only headers. */
export function paymentHeaders(outcome: Outcome | undefined): readonly string[] {
  if (outcome?.challenge !== undefined) return ["payment-required", outcome.challenge.header];
  if (outcome?.receipt === undefined) return none;
  return ["payment-response", Buffer.from(JSON.stringify(outcome.receipt)).toString("base64")];
}

const none: readonly string[] = [];
