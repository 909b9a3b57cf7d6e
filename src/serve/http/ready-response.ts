import type { FastifyReply, FastifyRequest } from "fastify";
import type { HeaderPairs } from "../service/payment-headers.ts";
import { setHeaders } from "./reply.ts";

export const jsonType = "application/json; charset=utf-8";

/** UTF-8 text. */
export interface Tagged {
  body: Buffer;
  etag: string;
}

/** Without the framework; default JSON. Prepared parts live as long as the body. */
export function createReadyResponse(headers: Readonly<Record<string, string>>, contentType = jsonType) {
  const prepared = new WeakMap<Tagged, { head: string[]; text: string }>();
  const fixed = Object.entries(headers).flat();

  function prepare({ body, etag }: Tagged) {
    const head = [...fixed, "etag", etag, "content-type", contentType, "content-length", String(body.length)];
    // One byte a character: Node.js joins it with the head, not so a Buffer. Saves a fifth of CPU time (bench/http.ts).
    return { head, text: body.toString("latin1") };
  }

  return {
    /** Or 304. `extra`: headers of this response. */
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

/** By If-None-Match. */
export function isHeld(request: FastifyRequest, { etag }: Tagged): boolean {
  const held = request.headers["if-none-match"];
  return held !== undefined && matchesTag(held, etag);
}

/** RFC 9110 section 13.1.2, weak. */
function matchesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((item) => item.trim().replace(/^W\//, "") === etag);
}
