import { type Address, isNativePlaceholder, readAddress, zeroAddress } from "../../../kernel/address.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";

/** `native`, or an address that contracts use for ether. */
export function isEther(token: Value): boolean {
  return token === "native" || (typeof token === "string" && isNativePlaceholder(token));
}

/** Not the zero address. */
export function contractOf(value: Value | undefined): Address | undefined {
  const address = readAddress(value);
  return address === zeroAddress ? undefined : address;
}
