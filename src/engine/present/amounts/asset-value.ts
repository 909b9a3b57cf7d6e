import { type Address, isNativePlaceholder, readAddress, zeroAddress } from "../../../kernel/address.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";

/** Whether a captured asset is ether: `native`, or an address that contracts use for it. */
export function isEther(token: Value): boolean {
  return token === "native" || (typeof token === "string" && isNativePlaceholder(token));
}

/** A decoded value as the address of a contract; undefined for the zero address. */
export function contractOf(value: Value | undefined): Address | undefined {
  const address = readAddress(value);
  return address === zeroAddress ? undefined : address;
}
