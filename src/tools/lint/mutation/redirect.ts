import { numberToHex, pad } from "viem/utils";
import type { Address } from "../../../kernel/address.ts";
import { transferBatchTopic, transferSingleTopic, transferTopic } from "../../../kernel/token-standards.ts";
import type { CaseFile, RpcLog } from "../../../model/case-file.ts";
import type { Movement } from "../../../model/transaction.ts";
import { addFrames, editFrame, editLogs, sameRow } from "./edit-case.ts";

/** Giver and amount stay; undefined when none can be redirected. */
export function redirect(file: CaseFile, moves: readonly Movement[], to: Address): CaseFile | undefined {
  const logs = new Set(moves.filter((move) => move.log >= 0).map((move) => move.log));
  let edited = editLogs(file, (log, index) => (logs.has(index) ? redirectLog(log, to) : log));
  let changed = edited.receipt.logs.some((log, index) => log !== file.receipt.logs[index]);
  for (const move of moves) {
    const other = move.log < 0 ? redirectEther(edited, move, to) : undefined;
    changed ||= other !== undefined;
    edited = other ?? edited;
  }
  return changed ? edited : undefined;
}

/** Topic of the receiver, by event. Not of wrapped ether: whoever sent the ether gets it. */
const receiverAt: ReadonlyMap<string, number> = new Map([
  [transferTopic, 2],
  [transferSingleTopic, 3],
  [transferBatchTopic, 3],
]);

function redirectLog(log: RpcLog, to: Address): RpcLog {
  const at = receiverAt.get(log.topics[0]?.toLowerCase() ?? "");
  return at === undefined ? log : { ...log, topics: log.topics.map((topic, i) => (i === at ? pad(to) : topic)) };
}

/** undefined where impossible: the transaction's own value, and ether that only calldata or events show. */
function redirectEther(file: CaseFile, move: Movement, to: Address): CaseFile | undefined {
  if (move.basis === "internal" && file.trace.source === "internal_transfers") {
    const rows = file.trace.internal_transfers;
    const place = rows.findIndex((row) => sameRow(row, move));
    const internal_transfers = rows.map((row, i) => (i === place ? { ...row, to } : row));
    return place < 0 ? undefined : { ...file, trace: { ...file.trace, internal_transfers } };
  }
  if (move.basis !== "trace" || !("root" in file.trace)) return undefined;
  const root = editFrame(file.trace.root, move.call, (frame) => ({ ...frame, value: "0x0" }));
  const stolen = { type: "CALL", from: move.from, to, value: numberToHex(move.amount), input: "0x" };
  return { ...file, trace: { ...file.trace, root: addFrames(root, [stolen]) } };
}
