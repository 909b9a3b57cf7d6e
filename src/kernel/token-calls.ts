import type { Address } from "./address.ts";

/** How the calldata of EIP-20 `transfer(to, …)` begins. */
export function transferCall(to: Address): string {
  return `0xa9059cbb${wordOf(to)}`;
}

/** How the calldata of EIP-20 `transferFrom(from, to, …)` begins. */
export function transferFromCall(from: Address, to: Address): string {
  return `0x23b872dd${wordOf(from)}${wordOf(to)}`;
}

function wordOf(address: Address): string {
  return address.slice(2).padStart(64, "0");
}
