import { toEventSelector } from "viem";

/** topic0 of the events by which tokens report movements and allowances. Hashed once, here. */

/** EIP-20 and EIP-721 share this one; the number of topics tells them apart. */
export const transferTopic = toEventSelector("Transfer(address,address,uint256)");
/** EIP-1155. */
export const transferSingleTopic = toEventSelector("TransferSingle(address,address,address,uint256,uint256)");
export const transferBatchTopic = toEventSelector("TransferBatch(address,address,address,uint256[],uint256[])");
/** EIP-20 and EIP-721 again. */
export const approvalTopic = toEventSelector("Approval(address,address,uint256)");
/** EIP-721 and EIP-1155. */
export const approvalForAllTopic = toEventSelector("ApprovalForAll(address,address,bool)");
/** Permit2's allowances. */
export const permit2ApprovalTopic = toEventSelector("Approval(address,address,address,uint160,uint48)");
export const permit2PermitTopic = toEventSelector("Permit(address,address,address,uint160,uint48,uint48)");
export const permit2LockdownTopic = toEventSelector("Lockdown(address,address,address)");
