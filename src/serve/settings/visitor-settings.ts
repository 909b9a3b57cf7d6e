import { readNetworks } from "./networks.ts";
import { type ReadSetting, readList, readWholeNumber } from "./setting-value.ts";

/** 0: no limit. */
export interface VisitorSettings {
  /** Requests of a client each minute that end without an explanation, or without a charge where calls are charged. */
  readonly rateLimitPerMinute: number;
  /** Explanations gathered each minute for a client where nothing is charged. */
  readonly openCallsPerMinute: number;
  /** The operator's proxies. */
  readonly trustProxy: readonly string[];
}

/** They hold also where nothing is charged. */
export function readVisitorSettings(read: ReadSetting): VisitorSettings {
  return Object.freeze({
    rateLimitPerMinute: read("RATE_LIMIT_PER_MINUTE", readWholeNumber),
    openCallsPerMinute: read("OPEN_CALLS_PER_MINUTE", readWholeNumber),
    trustProxy: read("TRUST_PROXY", readProxies),
  });
}

function readProxies(text: string): string[] {
  const items = readList(text);
  readNetworks(items);
  return items;
}
