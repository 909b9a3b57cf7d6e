import type { Address } from "./address.ts";
import { keccakOfText } from "./hash.ts";
import type { Hex } from "./hex.ts";

/** What the engine itself reads of the token standards, hashed once. */

/** EIP-20 and EIP-721; the number of topics distinguishes them. */
export const transferTopic = topicOf("Transfer(address,address,uint256)");
/** EIP-1155. */
export const transferSingleTopic = topicOf("TransferSingle(address,address,address,uint256,uint256)");
export const transferBatchTopic = topicOf("TransferBatch(address,address,address,uint256[],uint256[])");
/** EIP-20 and EIP-721. */
export const approvalTopic = topicOf("Approval(address,address,uint256)");
/** EIP-721 and EIP-1155. */
export const approvalForAllTopic = topicOf("ApprovalForAll(address,address,bool)");

/** EIP-173. */
export const ownershipTopic = topicOf("OwnershipTransferred(address,address)");

/** WETH9, no EIP: no Transfer beside them. */
export const depositTopic = topicOf("Deposit(address,uint256)");
export const withdrawalTopic = topicOf("Withdrawal(address,uint256)");

/** EIP-20. */
const transferSelector = functionSelector("transfer(address,uint256)");
/** EIP-20 and EIP-721. */
export const transferFromSelector = functionSelector("transferFrom(address,address,uint256)");
/** EIP-20. */
export const totalSupplySelector = functionSelector("totalSupply()");

/** The owner of the tokens is the first argument. */
export const takingSelectors: ReadonlySet<string> = new Set([
  transferFromSelector,
  // EIP-721
  functionSelector("safeTransferFrom(address,address,uint256)"),
  functionSelector("safeTransferFrom(address,address,uint256,bytes)"),
  // EIP-1155
  functionSelector("safeTransferFrom(address,address,uint256,uint256,bytes)"),
  functionSelector("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"),
]);

/** Move tokens or revoke a right. Those that grant one are in `grants` of the rule files. */
export const movingSelectors: ReadonlySet<string> = new Set([
  transferSelector,
  // No EIP: OpenZeppelin's ERC20 before 5.0.
  functionSelector("decreaseAllowance(address,uint256)"),
  ...takingSelectors,
]);

export function transferCall(to: Address): string {
  return `${transferSelector}${wordOf(to)}`;
}

export function transferFromCall(from: Address, to: Address): string {
  return `${transferFromSelector}${wordOf(from)}${wordOf(to)}`;
}

function wordOf(address: Address): string {
  return address.slice(2).padStart(64, "0");
}

/** ABI specification. No signature parser is needed. */
function topicOf(signature: string): Hex {
  return keccakOfText(signature);
}

function functionSelector(signature: string): Hex {
  return topicOf(signature).slice(0, 10) as Hex;
}
