import type { VisitorSettings } from "../../settings/visitor-settings.ts";
import { createClientReader, type ReadClient } from "./client-address.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";

/** Who asks, and how much each may: the same for every transport, whether calls are charged or not. */
export interface Visitors {
  readClient: ReadClient;
  /** Requests that end without an explanation, or without a charge where calls are charged. */
  rate: RateLimit;
  /** Explanations that are gathered where nothing is charged. */
  gatherings: RateLimit;
}

/** Nobody is counted yet. `now` is in milliseconds. */
export function openVisitors(settings: VisitorSettings, now?: () => number): Visitors {
  return {
    readClient: createClientReader(settings.trustProxy),
    rate: createRateLimit(settings.rateLimitPerMinute, now),
    gatherings: createRateLimit(settings.openCallsPerMinute, now),
  };
}
