import { checksum } from "../../kernel/address.ts";
import type { Holding } from "./facts/facts.ts";

/** A law of docs/risk.md, "Audit". */
export type Law = 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10;

export interface Violation {
  law: Law;
  /** Addresses in full, no text from the chain. */
  sentence: string;
}

/** `ether`, or the token's address with the NFT's id. */
export function assetText({ token, id }: Holding): string {
  if (token === null) return "ether";
  return id === null ? checksum(token) : `NFT ${id} of ${checksum(token)}`;
}
