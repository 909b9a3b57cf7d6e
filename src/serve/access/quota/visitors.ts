import { serviceLimits } from "../../../kernel/limits.ts";
import type { VisitorSettings } from "../../settings/visitor-settings.ts";
import { createClientReader } from "./client-address.ts";
import { watchForwarding } from "./forwarding.ts";
import { type ClientLimits, createRateLimit, withTotal } from "./rate-limit.ts";

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
