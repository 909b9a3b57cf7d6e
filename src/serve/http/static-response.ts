import { gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { tagged } from "../../gather/explain/explain.ts";
import type { Service } from "../service/service.ts";
import { isHeld, sendTagged, type Tagged } from "./tagged-response.ts";

export type CountStatic = Pick<Service, "countStatic">;

/** Equal for all: gzip once, and so many bytes a minute for each client. Throws ServiceError `rate_limited`. */
export function createStaticResponse(service: CountStatic, headers: Readonly<Record<string, string>>, type?: string) {
  const packedFiles = new WeakMap<Tagged, Tagged>();

  function pack(file: Tagged): Tagged {
    // The bytes decide the tag, so the two forms have two tags.
    const packed = packedFiles.get(file) ?? tagged(gzipSync(file.body, { level: 9 }));
    packedFiles.set(file, packed);
    return packed;
  }

  return {
    send(request: FastifyRequest, reply: FastifyReply, file: Tagged): FastifyReply {
      const isPacked = file.body.length >= packedFrom && takesGzip(request.headers["accept-encoding"]);
      const sent = isPacked ? pack(file) : file;
      const bytes = isHeld(request, sent) || request.method === "HEAD" ? headBytes : headBytes + sent.body.length;
      service.countStatic({ connection: request.raw.socket, headers: request.headers }, bytes);
      reply.headers({ ...headers, vary: "Accept-Encoding", ...(isPacked && { "content-encoding": "gzip" }) });
      return sendTagged(request, reply, sent, type);
    },
  };
}

/** Shorter ones gain nothing. */
const packedFrom = 1_024;
/** Of a response. */
const headBytes = 500;

/** Not with weight 0 (RFC 9110 section 12.5.3). */
export function takesGzip(header: string | string[] | undefined): boolean {
  return String(header ?? "")
    .split(",")
    .some((item) => /^\s*(?:x-)?gzip\s*(?:$|;)/i.test(item) && !/;\s*q=0(?:\.0*)?\s*$/i.test(item));
}
