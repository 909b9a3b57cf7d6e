import type { Address } from "./address.ts";
import { keccakOfText } from "./hash.ts";
import type { Hex } from "./hex.ts";

/** Events and functions of the token standards that the engine itself reads, by the text of each EIP. Hashed once, here. */

/** EIP-20 and EIP-721 share this event; the number of topics tells them apart. */
export const transferTopic = topicOf("Transfer(address,address,uint256)");
/** EIP-1155. */
export const transferSingleTopic = topicOf("TransferSingle(address,address,address,uint256,uint256)");
export const transferBatchTopic = topicOf("TransferBatch(address,address,address,uint256[],uint256[])");
/** EIP-20 and EIP-721 share this event too. */
export const approvalTopic = topicOf("Approval(address,address,uint256)");
/** EIP-721 and EIP-1155. */
export const approvalForAllTopic = topicOf("ApprovalForAll(address,address,bool)");

/** WETH9, no EIP. Wrapping and unwrapping emit these events and no Transfer. */
export const depositTopic = topicOf("Deposit(address,uint256)");
export const withdrawalTopic = topicOf("Withdrawal(address,uint256)");

/** EIP-20. */
const transferSelector = functionSelector("transfer(address,uint256)");
/** EIP-20 and EIP-721. */
export const transferFromSelector = functionSelector("transferFrom(address,address,uint256)");
/** EIP-20. */
export const totalSupplySelector = functionSelector("totalSupply()");

/** Functions that move tokens of an owner, who is their first argument. */
export const takingSelectors: ReadonlySet<string> = new Set([
  transferFromSelector,
  // EIP-721
  functionSelector("safeTransferFrom(address,address,uint256)"),
  functionSelector("safeTransferFrom(address,address,uint256,bytes)"),
  // EIP-1155
  functionSelector("safeTransferFrom(address,address,uint256,uint256,bytes)"),
  functionSelector("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"),
]);

/** Functions that move tokens or take a right back. Functions that give a right are in `grants` of the rule files. */
export const movingSelectors: ReadonlySet<string> = new Set([
  transferSelector,
  // No EIP: OpenZeppelin's ERC20 before 5.0.
  functionSelector("decreaseAllowance(address,uint256)"),
  ...takingSelectors,
]);

/** The beginning of calldata of EIP-20 `transfer(to, …)`. */
export function transferCall(to: Address): string {
  return `${transferSelector}${wordOf(to)}`;
}

/** The beginning of calldata of EIP-20 `transferFrom(from, to, …)`. */
export function transferFromCall(from: Address, to: Address): string {
  return `${transferFromSelector}${wordOf(from)}${wordOf(to)}`;
}

function wordOf(address: Address): string {
  return address.slice(2).padStart(64, "0");
}

/** The topic of a canonical signature (ABI specification). No signature parser is needed. */
function topicOf(signature: string): Hex {
  return keccakOfText(signature);
}

function functionSelector(signature: string): Hex {
  return topicOf(signature).slice(0, 10) as Hex;
}
