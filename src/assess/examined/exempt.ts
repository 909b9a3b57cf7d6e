import { type Address, deadAddress, zeroAddress } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";

/** Addresses that nobody deals with: burn addresses, precompiles, and the contracts of the chain itself. */
export function isExempt(address: Address): boolean {
  if (address === zeroAddress || address === deadAddress) return true;
  return chain.predeploy.test(address) || chain.precompile.test(address);
}
