import { readNetworks } from "./networks.ts";
import { type ReadSetting, readList, readWholeNumber } from "./setting-value.ts";

/** How clients are distinguished, and how much each may ask for. 0 means no limit. */
export interface VisitorSettings {
  /** How many requests of one client may end each minute without an explanation, or without a charge where calls are charged. */
  readonly rateLimitPerMinute: number;
  /** How many explanations may be gathered each minute for one client where nothing is charged. */
  readonly openCallsPerMinute: number;
  /** Addresses and networks of the operator's own proxies. */
  readonly trustProxy: readonly string[];
}

/** Reads the limits of clients. They hold whether or not calls are charged. */
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
