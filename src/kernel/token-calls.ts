import type { Address } from "./address.ts";
import type { Hex } from "./hex.ts";

/** How the calldata of EIP-20 `transfer(to, …)` begins. */
export function transferCall(to: Address): string {
  return `0xa9059cbb${wordOf(to)}`;
}

/** How the calldata of EIP-20 `transferFrom(from, to, …)` begins. */
export function transferFromCall(from: Address, to: Address): string {
  return `0x23b872dd${wordOf(from)}${wordOf(to)}`;
}

/** `approve(address,uint256)`, `increaseAllowance(address,uint256)` and Permit2's `approve(address,address,uint160,uint48)`. */
const allowanceSelectors: ReadonlySet<string> = new Set(["0x095ea7b3", "0x39509351", "0x87517c45"]);

/** Whether calldata lets somebody spend a token. Batches do this before the call that spends it. */
export function isAllowanceCall(input: Hex): boolean {
  return allowanceSelectors.has(input.slice(0, 10));
}

function wordOf(address: Address): string {
  return address.slice(2).padStart(64, "0");
}
