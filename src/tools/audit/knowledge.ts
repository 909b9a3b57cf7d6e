import type { Address } from "../../kernel/address.ts";

/** All that the auditor believes beside the case file. Made from labels and rules. Lower-case addresses. */
export interface Knowledge {
  /** undefined for a stranger. */
  name(address: Address): { label: string; protocols: readonly string[] } | undefined;
  /** Its logs are believed; undefined for other tokens. */
  token(address: Address): { symbol: string; decimals: number } | undefined;
  isEntryPoint(address: Address): boolean;
  isPermit2(address: Address): boolean;
  /** Such as its implementation. */
  isSafe(address: Address): boolean;
  /** Or precompile. */
  isOfChain(address: Address): boolean;
  /** Wrapped ether. */
  wrapped: ReadonlySet<Address>;
  /** As answers write them. */
  protocols: readonly string[];
}
