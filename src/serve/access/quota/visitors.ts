import type { IncomingHttpHeaders } from "node:http";
import { serviceLimits } from "../../../kernel/limits.ts";
import { readNetworks } from "../../settings/networks.ts";
import type { VisitorSettings } from "../../settings/visitor-settings.ts";
import { createClientReader, isTrusted } from "./client-address.ts";
import { type ClientLimits, createRateLimit, withTotal } from "./rate-limit.ts";

export interface Forwarded {
  readonly connection: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

/**
 * By a peer outside TRUST_PROXY: behind a forgotten proxy all clients share its address, which proves nothing. Anybody can send the header:
 * each request is judged by itself. `now`: ms.
 */
export function watchForwarding(trust: readonly string[], now: () => number = Date.now) {
  const trusted = readNetworks(trust);
  let [first, last] = [0, Number.NEGATIVE_INFINITY];
  const isRecent = () => now() - last < rememberedMs;
  return {
    /** Perhaps many clients' address. Notes it. */
    isUntrusted({ connection: { remoteAddress = "" }, headers }: Forwarded): boolean {
      if (!forwardingHeaders.some((name) => headers[name] !== undefined)) return false;
      if (isTrusted(trusted, remoteAddress)) return false;
      if (!isRecent()) first = now();
      last = now();
      return true;
    },
    /** Ms since the epoch; null: none for an hour. */
    untrustedSince: (): number | null => (isRecent() ? first : null),
  };
}

/** Of reverse proxies; not `Via`, which the client's side sends too. */
const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip"];
const rememberedMs = 3_600_000;

/** For every transport, charged or not. */
export type Visitors = ReturnType<typeof openVisitors>;

/** `now`: ms. */
export function openVisitors(settings: VisitorSettings, now?: () => number) {
  return {
    readClient: createClientReader(settings.trustProxy),
    forwarding: watchForwarding(settings.trustProxy, now),
    limits: openLimits(settings.rateLimitPerMinute, now),
    /** Bytes; unlimited where nothing else is limited. */
    staticBytes: createRateLimit(settings.rateLimitPerMinute === 0 ? 0 : serviceLimits.staticBytesPerMinute, now),
    /** Where nothing is charged. */
    gatherings: createRateLimit(settings.openCallsPerMinute, now),
  };
}

function openLimits(perMinute: number, now?: () => number): ClientLimits {
  const open = () => createRateLimit(perMinute, now);
  const mistakes = withTotal(open(), createRateLimit(perMinute * serviceLimits.mistakesTimes, now));
  return { mistakes, messages: open(), work: open(), payments: open() };
}
