import type { Address } from "../kernel/address.ts";

/** Answers of the risk lookups as the case file keeps them. */
export interface RiskLookups {
  /** By lower-case address. */
  verification: Record<string, VerificationLookup>;
  /** By lower-case account. */
  history: Record<string, HistoryLookup>;
  drainers: DrainerLookup;
}

interface Lookup {
  /** The same as LookupStatus of the case file. */
  status: "found" | "absent" | "unavailable" | "inconclusive";
  /** The sources that answered, joined by `, `. */
  source: string;
  /** Time of the answer, ISO 8601 in UTC. */
  time: string;
  /** Why it is unavailable, where asking again does not help: the source wants a key, and the service has none. */
  reason?: "key_missing";
}

/** `found`: source code is published. `absent`: all sources answered that it is not. */
export interface VerificationLookup extends Lookup {
  /** What is at the address at the transaction's block; null when it could not be read. */
  code: "none" | "contract" | "delegated" | null;
  /** Addresses whose code finally runs, with proxies followed; the address itself when it is no proxy. */
  logic: Address[];
  /** Kinds of proxy on the way, e.g. `eip1967`. */
  via: ProxyKind[];
  /** True when the address is a Safe and says that the asked account is one of its owners. */
  owned: boolean;
}

/** Kinds of proxy, in the order in which they are tried. */
export const proxyKinds = [
  "eip7702",
  "eip1167",
  "eip1967",
  "beacon",
  "eip1822",
  "zeppelin",
  "safe",
  "diamond",
] as const;
export type ProxyKind = (typeof proxyKinds)[number];

/** `found`: the whole history was read. `inconclusive`: it was read, but more may be missing from the index. */
export interface HistoryLookup extends Lookup {
  /** True when no older acts exist than those that were read. */
  complete: boolean;
  /** True when the account acted through code. The index does not show approvals made that way. */
  through_code: boolean;
  /** Addresses that the account called, paid or approved before this transaction. */
  counterparties: Address[];
  /** The same for acts in this block whose order against the transaction is not known. */
  unordered: Address[];
  /** Its last payments in tokens, the newest first. `amount` is decimal text, `time` ISO 8601 in UTC. */
  payments?: { amount: string; time: string }[];
}

export interface DrainerLookup extends Lookup {
  lists: DrainerList[];
  /** Addresses that were looked for. */
  asked: Address[];
  hits: { address: Address; list: string }[];
}

/** One list as it was when the transaction was gathered. */
export interface DrainerList {
  name: string;
  /** Time of the snapshot, ISO 8601 in UTC; null when there is none. */
  snapshot_time: string | null;
  /** Day of the newest entry as far as it is known, YYYY-MM-DD; null when there is no snapshot. Older recordings do not have it. */
  newest_entry?: string | null;
  /** SHA-256 of the snapshot, 64 hex digits; null when there is none. */
  sha256: string | null;
  entries: number;
  /** True when a newer snapshot was due but did not arrive or was refused. */
  stale: boolean;
}
