import type { IncomingHttpHeaders } from "node:http";
import { serviceLimits } from "../../../kernel/limits.ts";
import { readNetworks } from "../../settings/networks.ts";
import type { VisitorSettings } from "../../settings/visitor-settings.ts";
import { createClientReader, isTrusted } from "./client-address.ts";
import { type ClientLimits, createRateLimit, withTotal } from "./rate-limit.ts";

/** What is to be known of a request to judge whose address it has. */
interface Forwarded {
  readonly connection: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

/**
 * A request that was forwarded by a peer outside TRUST_PROXY has the address of that peer: behind a forgotten proxy all clients have one
 * address, so it proves nothing about anybody. Anybody can send the header, so each request is judged by itself. `trust`: as in
 * createClientReader. `now` is in milliseconds.
 */
export function watchForwarding(trust: readonly string[], now: () => number = Date.now) {
  const trusted = readNetworks(trust);
  let [first, last] = [0, Number.NEGATIVE_INFINITY];
  const isRecent = () => now() - last < rememberedMs;
  return {
    /** Whether the address of the request may be that of many clients. Notes it. */
    isUntrusted({ connection: { remoteAddress = "" }, headers }: Forwarded): boolean {
      if (!forwardingHeaders.some((name) => headers[name] !== undefined)) return false;
      if (isTrusted(trusted, remoteAddress)) return false;
      if (!isRecent()) first = now();
      last = now();
      return true;
    },
    /** Since when such requests come, in milliseconds since the epoch; null: for an hour there was none. */
    untrustedSince: (): number | null => (isRecent() ? first : null),
  };
}

/** The headers in which reverse proxies name who asked them. Not `Via`, which proxies on the client's side send too. */
const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip"];
const rememberedMs = 3_600_000;

/** Who asks, and how much each may: the same for every transport, whether calls are charged or not. */
export type Visitors = ReturnType<typeof openVisitors>;

/** Nobody is counted yet. `now` is in milliseconds. */
export function openVisitors(settings: VisitorSettings, now?: () => number) {
  return {
    readClient: createClientReader(settings.trustProxy),
    forwarding: watchForwarding(settings.trustProxy, now),
    limits: openLimits(settings.rateLimitPerMinute, now),
    /** Bytes of files that are the same for everybody; unlimited where nothing else is limited either. */
    staticBytes: createRateLimit(settings.rateLimitPerMinute === 0 ? 0 : serviceLimits.staticBytesPerMinute, now),
    /** Explanations that are gathered where nothing is charged. */
    gatherings: createRateLimit(settings.openCallsPerMinute, now),
  };
}

function openLimits(perMinute: number, now?: () => number): ClientLimits {
  const open = () => createRateLimit(perMinute, now);
  const mistakes = withTotal(open(), createRateLimit(perMinute * serviceLimits.mistakesTimes, now));
  return { mistakes, messages: open(), work: open(), payments: open() };
}
