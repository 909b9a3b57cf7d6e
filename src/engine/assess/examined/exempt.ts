import { type Address, deadAddress, zeroAddress } from "../../../kernel/address.ts";
import type { SubjectAct } from "../subject-act.ts";

/** Whether an address is never examined: burn addresses, precompiles, and system contracts of the chain. */
export function isExempt(address: Address, { labels, tx }: Pick<SubjectAct, "labels" | "tx">): boolean {
  if (address === zeroAddress || address === deadAddress) return true;
  const { calendar } = labels;
  // What is only asked for has no block.
  return calendar.isPredeploy(address) || calendar.isPrecompile(address, tx.blockNumber || null);
}
