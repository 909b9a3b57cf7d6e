import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** Whether a request comes from whoever runs the service: amounts of money and /metrics are for them alone. */
export type IsOperator = (request: FastifyRequest) => boolean;

/**
 * By `Authorization: Bearer <token>`, or by a connection from this machine itself. What a proxy passes on never counts as that, also
 * where the proxy runs on this machine: a forwarding header is enough to see it.
 */
export function createOperatorCheck(token: string | null): IsOperator {
  const expected = token === null ? undefined : digest(token);
  return ({ headers, raw }) => {
    const shown = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
    // Digests have one length, which the comparison needs, and tell nothing about the token's.
    if (expected !== undefined && shown !== undefined && timingSafeEqual(digest(shown), expected)) return true;
    return isLoopback(raw.socket.remoteAddress) && forwardingHeaders.every((name) => headers[name] === undefined);
  };
}

const forwardingHeaders = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];

function isLoopback(address = ""): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
