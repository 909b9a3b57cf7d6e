import { toEventSelector, toFunctionSelector } from "viem/utils";
import type { Address } from "./address.ts";

/** Events and functions of the token standards that the engine itself reads, by the text of each EIP. Hashed once, here. */

/** EIP-20 and EIP-721 share this one; the number of topics tells them apart. */
export const transferTopic = toEventSelector("Transfer(address,address,uint256)");
/** EIP-1155. */
export const transferSingleTopic = toEventSelector("TransferSingle(address,address,address,uint256,uint256)");
export const transferBatchTopic = toEventSelector("TransferBatch(address,address,address,uint256[],uint256[])");
/** EIP-20 and EIP-721 again. */
export const approvalTopic = toEventSelector("Approval(address,address,uint256)");
/** EIP-721 and EIP-1155. */
export const approvalForAllTopic = toEventSelector("ApprovalForAll(address,address,bool)");

/** EIP-20. */
const transferSelector = toFunctionSelector("transfer(address,uint256)");
/** EIP-20 and EIP-721. */
export const transferFromSelector = toFunctionSelector("transferFrom(address,address,uint256)");
/** EIP-20. */
export const totalSupplySelector = toFunctionSelector("totalSupply()");

/** Functions that move the tokens of the owner who is their first argument. */
export const takingSelectors: ReadonlySet<string> = new Set([
  transferFromSelector,
  // EIP-721
  toFunctionSelector("safeTransferFrom(address,address,uint256)"),
  toFunctionSelector("safeTransferFrom(address,address,uint256,bytes)"),
  // EIP-1155
  toFunctionSelector("safeTransferFrom(address,address,uint256,uint256,bytes)"),
  toFunctionSelector("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"),
]);

/** Functions that move tokens or take a right back. Those that give a right are the `grants` of the rule files. */
export const movingSelectors: ReadonlySet<string> = new Set([
  transferSelector,
  // No EIP: OpenZeppelin's ERC20 before 5.0.
  toFunctionSelector("decreaseAllowance(address,uint256)"),
  ...takingSelectors,
]);

/** How the calldata of EIP-20 `transfer(to, …)` begins. */
export function transferCall(to: Address): string {
  return `${transferSelector}${wordOf(to)}`;
}

/** How the calldata of EIP-20 `transferFrom(from, to, …)` begins. */
export function transferFromCall(from: Address, to: Address): string {
  return `${transferFromSelector}${wordOf(from)}${wordOf(to)}`;
}

function wordOf(address: Address): string {
  return address.slice(2).padStart(64, "0");
}
