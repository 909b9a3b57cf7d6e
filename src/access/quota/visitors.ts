import type { VisitorSettings } from "../../settings/visitor-settings.ts";
import { createClientReader } from "./client-address.ts";
import { createRateLimit } from "./rate-limit.ts";

/** Who asks, and how much each may: the same for every transport, whether calls are charged or not. */
export type Visitors = ReturnType<typeof openVisitors>;

/** Nobody is counted yet. `now` is in milliseconds. */
export function openVisitors(settings: VisitorSettings, now?: () => number) {
  return {
    readClient: createClientReader(settings.trustProxy),
    /** Requests that end without an explanation, or without a charge where calls are charged. */
    rate: createRateLimit(settings.rateLimitPerMinute, now),
    /** Explanations that are gathered where nothing is charged. */
    gatherings: createRateLimit(settings.openCallsPerMinute, now),
  };
}
