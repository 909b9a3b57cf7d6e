import type { FastifyReply, FastifyRequest } from "fastify";

/** Sends a JSON body that is ready, or 304 when the caller says that it has it. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { body: Buffer; etag: string },
): FastifyReply {
  reply.header("etag", etag);
  const held = request.headers["if-none-match"];
  if (held !== undefined && matchesTag(held, etag)) return reply.code(304).send();
  return reply.header("content-type", "application/json; charset=utf-8").send(body);
}

/** Whether an If-None-Match header names this entity tag (RFC 9110 section 13.1.2, weak comparison). */
export function matchesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((item) => item.trim().replace(/^W\//, "") === etag);
}
