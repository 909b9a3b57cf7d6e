import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import type { Log } from "../../../src/model/transaction.ts";

/** A node's log as the decoder has it; `call` is the frame that wrote it. */
export function logFrom({ address, topics, data }: RpcLog, index: number, call = -1): Log {
  return { index, address: toAddress(address), topics: topics as Hex[], data: data as Hex, call };
}

/** An address as a topic. */
export function topicOf(address: Address): Hex {
  return `0x${address.slice(2).padStart(64, "0")}`;
}
