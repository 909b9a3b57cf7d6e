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
  /** As LookupStatus of the case file. */
  status: "found" | "absent" | "unavailable" | "inconclusive";
  /** Who answered; several are joined by `, `. */
  source: string;
  /** ISO 8601 UTC of the answer. */
  time: string;
}

/** `found`: source code is published. `absent`: all sources answered that it is not. */
export interface VerificationLookup extends Lookup {
  /** What stands at the address at the transaction's block; null when it could not be read. */
  code: "none" | "contract" | "delegated" | null;
  /** Addresses whose code runs in the end, through proxies; the address itself when it is no proxy. */
  logic: Address[];
  /** Kinds of proxy on the way, e.g. `eip1967`. */
  via: ProxyKind[];
  /** True when it is a Safe that says that the asked account is one of its owners. */
  owned: boolean;
}

/** In the order in which they are looked for. */
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

/** `found`: the history was read. `inconclusive`: read, but the index cannot prove what is not in it. */
export interface HistoryLookup extends Lookup {
  /** True when nothing older than what was read exists. */
  complete: boolean;
  /** True when the account acted through code, whose approvals the index does not show. */
  through_code: boolean;
  /** Whom the account called, paid or approved before this transaction. */
  counterparties: Address[];
  /** The same for acts in this block whose place in it is not known. */
  unordered: Address[];
  /** What it last sent of tokens, the newest first: decimal text, and ISO 8601 UTC. */
  payments?: { amount: string; time: string }[];
}

export interface DrainerLookup extends Lookup {
  lists: DrainerList[];
  /** Addresses that were looked for. */
  asked: Address[];
  hits: { address: Address; list: string }[];
}

/** One list as it stood when the transaction was gathered. */
export interface DrainerList {
  name: string;
  /** ISO 8601 UTC of the snapshot; null when there is none. */
  snapshot_time: string | null;
  /** SHA-256 over the snapshot, 64 hex digits; null when there is none. */
  sha256: string | null;
  entries: number;
  /** True when a newer snapshot was due but did not arrive or was refused. */
  stale: boolean;
}
