import { gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { tagged } from "../../gather/explain/explain.ts";
import type { Service } from "../service/service.ts";
import { createReadyResponse, isHeld, type Tagged } from "./ready-response.ts";

export type CountStatic = Pick<Service, "countStatic">;

/** Equal for all: gzip once, and so many bytes a minute for each client. Throws ServiceError `rate_limited`. */
export function createStaticResponse(
  service: CountStatic,
  headers: Readonly<Record<string, string>>,
  contentType?: string,
) {
  const shared = { ...headers, vary: "Accept-Encoding" };
  const plain = createReadyResponse(shared, contentType);
  const packed = createReadyResponse({ ...shared, "content-encoding": "gzip" }, contentType);
  const packedFiles = new WeakMap<Tagged, Tagged>();

  function pack(file: Tagged): Tagged {
    const known = packedFiles.get(file);
    if (known !== undefined) return known;
    const zipped = gzipSync(file.body, { level: 9 });
    // The bytes decide the tag, so the two forms have two tags.
    const made = tagged(zipped);
    packedFiles.set(file, made);
    return made;
  }

  return {
    send(request: FastifyRequest, reply: FastifyReply, file: Tagged): void {
      const isPacked = file.body.length >= packedFrom && takesGzip(request.headers["accept-encoding"]);
      const sent = isPacked ? pack(file) : file;
      const bytes = isHeld(request, sent) || request.method === "HEAD" ? headBytes : headBytes + sent.body.length;
      service.countStatic({ connection: request.raw.socket, headers: request.headers }, bytes);
      (isPacked ? packed : plain).send(request, reply, sent, []);
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
