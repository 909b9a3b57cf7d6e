import { toAddress } from "../../../src/kernel/address.ts";
import { transferBatchTopic, transferSingleTopic, transferTopic } from "../../../src/kernel/token-standards.ts";
import type { CaseFile, InternalTransfer, RpcFrame, RpcLog } from "../../../src/model/case-file.ts";
import type { Movement } from "../../../src/model/transaction.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
export const [alice, pool, token, thief] = [party("a"), party("b"), party("c"), party("e")];
/** A value in 32 bytes, without 0x. */
export const word = (text: string) => text.replace("0x", "").padStart(64, "0");
export const topic = (address: string) => `0x${word(address)}`;
export const zero = word("0");

export const transfer: RpcLog = {
  address: token,
  topics: [transferTopic.toUpperCase().replace("0X", "0x"), topic(alice), topic(pool)],
  data: `0x${word("5")}`,
};
export const single: RpcLog = {
  address: token,
  topics: [transferSingleTopic, topic(thief), topic(alice), topic(pool)],
  data: `0x${word("7")}${word("5")}`,
};
export const batch = {
  ...single,
  topics: [transferBatchTopic, ...single.topics.slice(1)],
  data: `0x${word("7").repeat(6)}`,
};
export const deposit: RpcLog = { address: token, topics: ["0x01", topic(alice)], data: `0x${word("5")}` };
export const logs = [transfer, single, batch, deposit];
/** A row of an explorer's list: Alice gets 5 wei of the pool. */
export const row = (more: Partial<InternalTransfer> = {}): InternalTransfer => ({
  ...{ type: "call", from: pool.toUpperCase().replace("0X", "0x"), to: alice.toUpperCase().replace("0X", "0x") },
  ...{ value: "5", success: true },
  ...more,
});
export const root: RpcFrame = {
  ...{ type: "CALL", from: alice, to: pool, value: "0x5", input: "0x12" },
  calls: [
    { type: "CALL", from: pool, to: token, value: "0x5", input: "0x", calls: [frame("0x1")] },
    { type: "CALL", from: pool, to: alice, value: "0x5", input: "0x" },
  ],
};
export const traced = { source: "debug_traceTransaction", root } as const;
export const listed = (...internal_transfers: InternalTransfer[]) => {
  return { source: "internal_transfers", provider: "example", internal_transfers } as const;
};

export function frame(value: string): RpcFrame {
  return { type: "CALL", from: token, to: pool, value, input: "0x" };
}

/** A case of these logs. */
export function caseOf(trace: object = listed(), more: object = {}): CaseFile {
  const transaction = { hash: "0x1", from: alice, to: pool, value: "0x5", input: "0x12", ...more };
  return { transaction, receipt: { status: "0x1", logs }, trace } as unknown as CaseFile;
}

export function move(more: Partial<Movement> = {}): Movement {
  const plain = { index: 0, standard: "erc20", token, tokenId: null, amount: 5n, from: alice, to: pool } as const;
  return { ...plain, log: 0, call: -1, fee: false, basis: "log", ...more };
}
export const native = (basis: Movement["basis"], more: Partial<Movement> = {}) =>
  move({ standard: "native", token: null, log: -1, basis, ...more });
