import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** Sees money and /metrics. */
export type IsOperator = (request: FastifyRequest) => boolean;

/**
 * `Authorization: Bearer <token>`, or where `isPrivate` from this machine. With a forwarding header it came through a proxy. Not every
 * proxy sends one: where others reach the service, or there is money to see, only the token counts.
 */
export function createOperatorCheck(token: string | null, isPrivate: boolean): IsOperator {
  const expected = token === null ? undefined : digest(token);
  return ({ headers, raw }) => {
    const shown = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
    // Digests all have the same length, as the comparison requires, and do not reveal the length of the token.
    if (expected !== undefined && shown !== undefined && timingSafeEqual(digest(shown), expected)) return true;
    return (
      isPrivate &&
      isLoopback(raw.socket.remoteAddress) &&
      forwardingHeaders.every((name) => headers[name] === undefined)
    );
  };
}

const forwardingHeaders = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];

function isLoopback(address = ""): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
