import type { Address } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";

/** A value in 32 bytes, without 0x. */
export const word = (value: bigint | number | string) =>
  (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0");
export const topicOf = (value: bigint | number | string) => `0x${word(value)}`;
/** A log of these topics, whose data are these words. */
export const log = (address: Address, topics: string[], ...words: (bigint | number | string)[]): RpcLog =>
  ({ address, topics, data: `0x${words.map(word).join("")}` }) as RpcLog;
