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
