import { type Address, deadAddress, zeroAddress } from "../../../kernel/address.ts";
import type { SubjectAct } from "../subject-act.ts";

/** Never examined: burn addresses, precompiles, system contracts of the chain. */
export function isExempt(address: Address, { labels, tx }: Pick<SubjectAct, "labels" | "tx">): boolean {
  if (address === zeroAddress || address === deadAddress) return true;
  const { calendar } = labels;
  // A request has no block.
  return calendar.isPredeploy(address) || calendar.isPrecompile(address, tx.blockNumber || null);
}
