import type { FastifyReply, FastifyRequest } from "fastify";

export const jsonType = "application/json; charset=utf-8";

/** UTF-8 text. */
export interface Tagged {
  body: Buffer;
  etag: string;
}

/** Or 304; `request` null: always the body. */
export function sendTagged(
  request: FastifyRequest | null,
  reply: FastifyReply,
  tagged: Tagged,
  contentType = jsonType,
): FastifyReply {
  reply.header("etag", tagged.etag);
  if (request !== null && isHeld(request, tagged)) return reply.code(304).send();
  return reply.header("content-type", contentType).send(tagged.body);
}

/** By If-None-Match (RFC 9110 section 13.1.2, weak). */
export function isHeld(request: FastifyRequest, { etag }: Tagged): boolean {
  const held = request.headers["if-none-match"] ?? "";
  return held.trim() === "*" || held.split(",").some((item) => item.trim().replace(/^W\//, "") === etag);
}
