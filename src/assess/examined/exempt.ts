import { type Address, deadAddress, zeroAddress } from "../../kernel/address.ts";
import type { SubjectAct } from "../subject-act.ts";

/** Whether an address is never examined: burn addresses, precompiles, and system contracts of the chain. */
export function isExempt(address: Address, { labels, tx }: Pick<SubjectAct, "labels" | "tx">): boolean {
  if (address === zeroAddress || address === deadAddress) return true;
  const { calendar } = labels;
  // What is only asked for has no block. An address that only has the form of a precompile may be anything.
  return calendar.isPredeploy(address) || calendar.precompile(address, tx.blockNumber || null)?.proof === null;
}
