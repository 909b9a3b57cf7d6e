import type { Address } from "../../kernel/address.ts";

/**
 * What the auditor knows about contracts. It believes nothing else beside the case file. The caller makes it from labels and rules. All
 * addresses are in lower case.
 */
export interface Knowledge {
  /** The name of an address and of the protocols that it belongs to; undefined for a stranger. */
  name(address: Address): { label: string; protocols: readonly string[] } | undefined;
  /** A listed token, with its symbol and decimals. Its logs are believed; undefined for other tokens. */
  token(address: Address): { symbol: string; decimals: number } | undefined;
  /** Whether it is a genuine ERC-4337 EntryPoint. */
  isEntryPoint(address: Address): boolean;
  isPermit2(address: Address): boolean;
  /** Whether it is a contract of Safe, such as its implementation. */
  isSafe(address: Address): boolean;
  /** Whether it is a contract or precompile of the chain itself. */
  isOfChain(address: Address): boolean;
  /** The contracts of wrapped ether. */
  wrapped: ReadonlySet<Address>;
  /** Names of all protocols, as answers tell them. */
  protocols: readonly string[];
}
