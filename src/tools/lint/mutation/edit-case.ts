import type { Address } from "../../../kernel/address.ts";
import type { CaseFile, InternalTransfer, RpcFrame, RpcLog } from "../../../model/case-file.ts";
import type { Movement } from "../../../model/transaction.ts";
import { swapAddresses } from "../examples/untrusted.ts";

/** A copy: examples share their cases. */
export function withLogs(file: CaseFile, logs: RpcLog[]): CaseFile {
  return { ...file, receipt: { ...file.receipt, logs } };
}

/** A copy. `edit` gives undefined to remove a log. */
export function editLogs(file: CaseFile, edit: (log: RpcLog, index: number) => RpcLog | undefined): CaseFile {
  const logs = file.receipt.logs.flatMap((log, index) => edit(log, index) ?? []);
  return withLogs(file, logs);
}

/** Untrusted contracts in envelope, calldata and frames; logs stay. */
export function retargetCalls(file: CaseFile, untrusted: ReadonlyMap<Address, Address>): CaseFile {
  const { logs, ...envelope } = file.receipt;
  return {
    ...file,
    transaction: swapAddresses(file.transaction, untrusted),
    receipt: { ...swapAddresses(envelope, untrusted), logs },
    trace: swapAddresses(file.trace, untrusted),
  };
}

/** `place`: pre-order, from 0. */
export function editFrame(root: RpcFrame, place: number, edit: (frame: RpcFrame) => RpcFrame): RpcFrame {
  let next = 0;
  const visit = (frame: RpcFrame): RpcFrame => {
    const own = next++;
    const calls = frame.calls?.map(visit);
    const copy = calls === undefined ? frame : { ...frame, calls };
    return own === place ? edit(copy) : copy;
  };
  return visit(root);
}

/** Adds calls at the end. */
export function addFrames(root: RpcFrame, frames: readonly RpcFrame[]): RpcFrame {
  return { ...root, calls: [...(root.calls ?? []), ...frames] };
}

export type MovementEdit = "swap" | "zero" | "drop";

/** Turned around (`swap`), amount 0 (`zero`) or removed (`drop`); undefined when one cannot be edited so. */
export function editMovements(file: CaseFile, moves: readonly Movement[], edit: MovementEdit): CaseFile | undefined {
  let edited: CaseFile | undefined = editLogMovements(file, moves, edit);
  for (const move of moves) if (move.log < 0 && edited !== undefined) edited = editNative(edited, move, edit);
  return edited;
}

const zeroWord = "0".repeat(64);

function editLogMovements(file: CaseFile, moves: readonly Movement[], edit: MovementEdit): CaseFile | undefined {
  const places = new Map(moves.filter((move) => move.log >= 0).map((move) => [move.log, move]));
  if (places.size === 0) return file;
  let possible = true;
  const edited = editLogs(file, (log, index) => {
    const move = places.get(index);
    if (move === undefined) return log;
    if (edit === "drop") return undefined;
    const changed = edit === "zero" ? zeroLog(log, move) : swapLog(log, move);
    possible &&= changed !== undefined;
    return changed;
  });
  return possible ? edited : undefined;
}

/** undefined for ERC-721 (no amount), and for an ERC-1155 batch. */
function zeroLog(log: RpcLog, move: Movement): RpcLog | undefined {
  if (move.standard === "erc721") return undefined;
  if (move.standard === "erc20") return { ...log, data: `0x${zeroWord}${log.data.slice(66)}` };
  return log.data.length === 130 ? { ...log, data: log.data.slice(0, 66) + zeroWord } : undefined;
}

/** Topics 1 and 2, of ERC-1155 topics 2 and 3; undefined for wrapping, which names one party. */
function swapLog(log: RpcLog, move: Movement): RpcLog | undefined {
  const topics = [...log.topics];
  const [a, b] = move.standard === "erc1155" ? [2, 3] : [1, 2];
  const [from, to] = [topics[a], topics[b]];
  if (from === undefined || to === undefined) return undefined;
  topics[a] = to;
  topics[b] = from;
  return { ...log, topics };
}

function editNative(file: CaseFile, move: Movement, edit: MovementEdit): CaseFile | undefined {
  if (move.basis === "transaction") return edit === "swap" ? undefined : withoutValue(file);
  if (move.basis === "internal") return editInternal(file, move, edit);
  if (move.basis !== "trace" || !("root" in file.trace)) return undefined;
  const root = editFrame(file.trace.root, move.call, (frame) => ({ ...frame, value: "0x0" }));
  const back = { type: "CALL", from: move.to, to: move.from, value: `0x${move.amount.toString(16)}`, input: "0x" };
  return { ...file, trace: { ...file.trace, root: edit === "swap" ? addFrames(root, [back]) : root } };
}

function withoutValue(file: CaseFile): CaseFile {
  const { mint, ...transaction } = file.transaction;
  const trace = "root" in file.trace ? { ...file.trace, root: { ...file.trace.root, value: "0x0" } } : file.trace;
  return { ...file, transaction: { ...transaction, value: "0x0" }, trace };
}

function editInternal(file: CaseFile, move: Movement, edit: MovementEdit): CaseFile | undefined {
  if (file.trace.source !== "internal_transfers") return undefined;
  const rows = file.trace.internal_transfers;
  const place = rows.findIndex((row) => sameRow(row, move));
  const row = rows[place];
  if (row === undefined || row.to === null) return undefined;
  const changed = edit === "zero" ? { ...row, value: "0" } : { ...row, from: row.to, to: row.from };
  const internal_transfers = rows.flatMap((other, i) => (i !== place ? other : edit === "drop" ? [] : changed));
  return { ...file, trace: { ...file.trace, internal_transfers } };
}

/** `row`: of an explorer's list. */
export function sameRow(row: InternalTransfer, move: Movement): boolean {
  return (
    row.success &&
    BigInt(row.value) === move.amount &&
    row.from.toLowerCase() === move.from &&
    row.to?.toLowerCase() === move.to
  );
}
