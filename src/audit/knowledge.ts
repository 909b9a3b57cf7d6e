import type { Address } from "../kernel/address.ts";

/**
 * Who the known contracts are. It is all that the auditor believes beside the case file; the caller makes it from labels and rules.
 * Every function takes a lower-case address.
 */
export interface Knowledge {
  /** Name of an address, and of the protocols that it belongs to; undefined for a stranger. */
  name(address: Address): { label: string; protocols: readonly string[] } | undefined;
  /** A token whose symbol and decimals are vouched for: its logs are believed. */
  token(address: Address): { symbol: string; decimals: number } | undefined;
  /** Whether it is a genuine ERC-4337 EntryPoint. */
  isEntryPoint(address: Address): boolean;
  isPermit2(address: Address): boolean;
  /** Whether it is a contract of Safe, such as its implementation. */
  isSafe(address: Address): boolean;
  /** The contracts of wrapped ether. */
  wrapped: ReadonlySet<Address>;
  /** Names of all protocols, as answers tell them. */
  protocols: readonly string[];
}
