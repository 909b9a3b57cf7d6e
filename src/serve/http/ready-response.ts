import type { FastifyReply, FastifyRequest } from "fastify";
import type { HeaderPairs } from "../service/payment-headers.ts";
import { setHeaders } from "./reply.ts";

export const jsonType = "application/json; charset=utf-8";

/** Text (UTF-8) with its entity tag. */
export interface Tagged {
  body: Buffer;
  etag: string;
}

/**
 * Sends prepared text with these headers, by default as JSON, bypassing the framework. What is prepared for a body is kept as long as the
 * body.
 */
export function createReadyResponse(headers: Readonly<Record<string, string>>, contentType = jsonType) {
  const prepared = new WeakMap<Tagged, { head: string[]; text: string }>();
  const fixed = Object.entries(headers).flat();

  function prepare({ body, etag }: Tagged) {
    const head = [...fixed, "etag", etag, "content-type", contentType, "content-length", String(body.length)];
    // Each character is one byte. Node.js writes such a string together with the head, but a Buffer separately. This saves a fifth of the
    // CPU time of the request (bench/http.ts).
    return { head, text: body.toString("latin1") };
  }

  return {
    /** Sends the body, or 304 when the caller has it already, and finishes the reply. `extra`: headers of this response only. */
    send(request: FastifyRequest, reply: FastifyReply, tagged: Tagged, extra: HeaderPairs): void {
      if (isHeld(request, tagged)) {
        setHeaders(reply, extra).headers(headers).header("etag", tagged.etag).code(304).send();
        return;
      }
      let ready = prepared.get(tagged);
      if (ready === undefined) {
        ready = prepare(tagged);
        prepared.set(tagged, ready);
      }
      reply.hijack();
      reply.raw.writeHead(200, extra.length === 0 ? ready.head : ready.head.concat(extra));
      if (request.method === "HEAD") reply.raw.end();
      else reply.raw.end(ready.text, "latin1");
    },
  };
}

/** Whether the caller has this body already, by its If-None-Match header. */
export function isHeld(request: FastifyRequest, { etag }: Tagged): boolean {
  const held = request.headers["if-none-match"];
  return held !== undefined && matchesTag(held, etag);
}

/** Whether an If-None-Match header names this entity tag (RFC 9110 section 13.1.2, weak comparison). */
function matchesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((item) => item.trim().replace(/^W\//, "") === etag);
}
