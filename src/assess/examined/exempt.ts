import { type Address, deadAddress, zeroAddress } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";

/** Whether an address is never examined: burn addresses, precompiles, and system contracts of the chain. */
export function isExempt(address: Address): boolean {
  if (address === zeroAddress || address === deadAddress) return true;
  return chain.predeploy.test(address) || chain.precompile.test(address);
}
