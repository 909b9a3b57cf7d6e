import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseFile, RpcFrame } from "../../../src/model/case-file.ts";
import type { Transaction } from "../../../src/model/transaction.ts";
import { root } from "../../support/shared.ts";

/** Recorded transactions whose call tree is known, with the places of their logs in it. */
export function recordedTrees(): CaseFile[] {
  const dir = join(root, "test/transactions");
  return readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(dir, name), "utf8")) as CaseFile)
    .filter((file) => "root" in file.trace && isWhole(file));
}

/** Whether the tree has the logs of the receipt, and the envelope is a plain one. */
function isWhole({ trace, receipt, transaction }: CaseFile): boolean {
  if (!("root" in trace) || transaction.type === "0x7e") return false;
  return receipt.status === "0x0" || itemsOf(trace.root).filter(({ ether }) => !ether).length === receipt.logs.length;
}

interface Item {
  ether: boolean;
  address: string;
  topics: string[];
  data: string;
}

const word = (hex: string) => `0x${hex.replace(/^0x/, "").padStart(64, "0")}`;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** All items in the order of execution: logs, and ether as eth_simulateV1 writes it. */
function itemsOf(frame: RpcFrame): Item[] {
  if (frame.error !== undefined) return [];
  const items: Item[] = [];
  const value = BigInt(frame.value ?? "0x0");
  if (value > 0n && frame.to !== undefined && !/DELEGATE|STATIC|CALLCODE/.test(frame.type))
    items.push({
      ether: true,
      address: `0x${"e".repeat(40)}`,
      topics: [transferTopic, word(frame.from), word(frame.to)],
      data: word(value.toString(16)),
    });
  const calls = frame.calls ?? [];
  const logs = frame.logs ?? [];
  for (let i = 0; i <= calls.length; i++) {
    for (const { address, topics, data, position } of logs)
      if (Number(position ?? 0) === i) items.push({ ether: false, address, topics, data });
    const child = calls[i];
    if (child !== undefined) items.push(...itemsOf(child));
  }
  return items;
}

/** The answer of eth_simulateV1 with traceTransfers for a recorded transaction. */
export function simulatedAnswer({ trace, receipt }: CaseFile): unknown {
  if (!("root" in trace)) return undefined;
  const stands = receipt.status !== "0x0";
  const { output = "0x", error } = trace.root;
  const logs = stands ? itemsOf(trace.root).map(({ ether: _, ...log }) => log) : [];
  const failed = stands ? {} : { error: { code: 3, message: error ?? "execution reverted", data: output } };
  return [{ calls: [{ status: receipt.status, gasUsed: receipt.gasUsed, returnData: output, logs, ...failed }] }];
}

/** The same for trees without the places of logs: ether has the place among them that the engine gives it. */
export function rearrangedAnswer(
  file: CaseFile,
  { movements, status }: Pick<Transaction, "movements" | "status">,
): unknown {
  if (!("root" in file.trace)) return undefined;
  const { receipt } = file;
  const logs: object[] = [];
  let next = 0;
  const until = (end: number) => {
    for (; next < end; next++) logs.push(receipt.logs[next] as object);
  };
  for (const move of movements) {
    if (move.standard !== "native" || move.log >= 0) until(move.log + 1);
    else logs.push(etherLog(move.from, move.to, move.amount));
  }
  until(receipt.logs.length);
  const { output = "0x", error } = file.trace.root;
  const stands = status === "success";
  const failed = stands ? {} : { error: { code: 3, message: error ?? "execution reverted", data: output } };
  const call = { status: stands ? "0x1" : "0x0", gasUsed: receipt.gasUsed, returnData: output };
  return [{ calls: [{ ...call, logs: stands ? logs : [], ...failed }] }];
}

function etherLog(from: string, to: string, amount: bigint): Omit<Item, "ether"> {
  const topics = [transferTopic, word(from), word(to)];
  return { address: `0x${"e".repeat(40)}`, topics, data: word(amount.toString(16)) };
}
