import type { Address } from "../kernel/address.ts";

export interface RiskLookups {
  /** By lower-case address. */
  verification: Record<string, VerificationLookup>;
  /** By lower-case account. */
  history: Record<string, HistoryLookup>;
  drainers: DrainerLookup;
}

interface Lookup {
  /** As LookupStatus. */
  status: "found" | "absent" | "unavailable" | "inconclusive";
  /** Joined by `, `. */
  source: string;
  /** ISO 8601 in UTC. */
  time: string;
  /** Asking again does not help: the source wants a key. */
  reason?: "key_missing";
}

/** `found`: source code is published. `absent`: all sources say it is not. */
export interface VerificationLookup extends Lookup {
  /** At the transaction's block; null: could not be read. */
  code: "none" | "contract" | "delegated" | null;
  /** Where the code finally runs, behind proxies; the address itself otherwise. */
  logic: Address[];
  /** On the way, e.g. `eip1967`. */
  via: ProxyKind[];
  /** A Safe that confirms the asked account as an owner. */
  owned: boolean;
}

/** In the order in which they are tried. */
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

/** `found`: all of it was read. `inconclusive`: the index may miss some. */
export interface HistoryLookup extends Lookup {
  /** No older acts than those that were read. */
  complete: boolean;
  /** Acted through code; the index shows no approvals made that way. */
  through_code: boolean;
  /** Called, paid or approved before this transaction. */
  counterparties: Address[];
  /** Of this block, in unknown order against the transaction. */
  unordered: Address[];
  /** Last token payments, the newest first. `amount`: decimal text; `time`: ISO 8601 in UTC. */
  payments?: { amount: string; time: string }[];
}

export interface DrainerLookup extends Lookup {
  lists: DrainerList[];
  asked: Address[];
  hits: { address: Address; list: string }[];
}

/** As it was when the transaction was gathered. */
export interface DrainerList {
  name: string;
  /** ISO 8601 in UTC; null: no snapshot. */
  snapshot_time: string | null;
  /** Of the newest entry, YYYY-MM-DD; null: no snapshot. Older recordings lack it. */
  newest_entry?: string | null;
  /** 64 hex digits; null: no snapshot. */
  sha256: string | null;
  entries: number;
  /** A newer snapshot was due, but missing or refused. */
  stale: boolean;
}
