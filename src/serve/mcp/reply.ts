import type { FastifyReply } from "fastify";
import { setHeaders } from "../http/reply.ts";
import type { HeaderPairs } from "../service/payment-headers.ts";

/** JSON, empty, or a stream. */
export async function sendResponse(reply: FastifyReply, response: Response, headers: HeaderPairs): Promise<void> {
  setHeaders(reply, headers);
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) return void reply.send(response);
  reply.code(response.status).header("cache-control", "no-store");
  if (response.body === null) return void reply.send();
  const body = Buffer.from(await response.arrayBuffer());
  reply.header("content-type", "application/json; charset=utf-8").send(body);
}
