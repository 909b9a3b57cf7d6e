import { numberToHex } from "viem/utils";
import type { CaseFile, InternalTransfer, RpcFrame, RpcLog } from "../../../model/case-file.ts";
import { CaseOutcome } from "./case-outcome.ts";
import { addFrames } from "./edit-case.ts";
import { countStanding, type Original } from "./mutant.ts";
import { forgers } from "./stranger.ts";

/** How a theft can really happen: code of a stranger must run. */
export interface Stage {
  name: string;
  /** Changes a copy. */
  set(file: CaseFile, stolen: StolenLogs): CaseFile;
}

/** The rule fits before anything is stolen, so whatever is wrong afterwards is due to the forgery. */
export interface SetStage extends Stage {
  /** Of the unchanged example. */
  before: CaseOutcome;
}

/** The genuine contract calls the stranger's, which uses an allowance of its own. */
const insideStage: Stage = { name: "inside", set: callTree };

/** The stranger's contract calls the genuine one. */
const frontStage: Stage = { name: "behind a stranger's contract", set: (file) => throughFront(file, true) };

/** As {@link frontStage}, but it keeps the sender's ether. */
const greedyStage: Stage = { ...frontStage, set: (file) => throughFront(file, false) };

const known = new WeakMap<Original, readonly SetStage[]>();

export function stagesOf(original: Original): readonly SetStage[] {
  let stages = known.get(original);
  if (stages === undefined) {
    stages = [insideStage, frontStage].flatMap((stage) => setStage(stage, original) ?? []);
    known.set(original, stages);
  }
  return stages;
}

/**
 * undefined where the subject did not send ether itself, the rule does not fit behind a stranger's contract, or the case shows no ether.
 */
export function greedyStageOf(original: Original): SetStage | undefined {
  const { transaction, trace } = original.caseFile;
  if (trace.source === "none") return undefined;
  const pays = BigInt(transaction.value) > 0n && transaction.from.toLowerCase() === original.candidate.context.subject;
  const front = stagesOf(original).find(({ name }) => name === frontStage.name);
  return pays && front !== undefined ? { ...front, ...greedyStage } : undefined;
}

function setStage(stage: Stage, original: Original): SetStage | undefined {
  const set = stage.set(original.caseFile, new Map());
  if (set === original.caseFile) return undefined;
  const before = new CaseOutcome(set, original.world);
  return countStanding(original, before.trial) > 0 ? { ...stage, before } : undefined;
}

/** Without a call tree, a row of ether transfers says that the value was passed on. */
function throughFront(file: CaseFile, passesOn: boolean): CaseFile {
  const { transaction, trace } = file;
  const { front } = forgers;
  if (transaction.to === null) return file;
  const forged = { ...file, transaction: { ...transaction, to: front } };
  if ("root" in trace) {
    const inner = { ...trace.root, from: front, ...(!passesOn && { value: "0x0" }) };
    return { ...forged, trace: { ...trace, root: { ...trace.root, to: front, calls: [inner] } } };
  }
  const value = BigInt(transaction.value);
  if (trace.source === "none" || value === 0n || !passesOn) return forged;
  const row = { type: "call", from: front, to: transaction.to, value: value.toString(), success: true };
  return { ...forged, trace: { ...trace, internal_transfers: [row, ...trace.internal_transfers] } };
}

/** Logs by place in the receipt, with the calldata that caused each. */
export type StolenLogs = ReadonlyMap<number, string>;

/** The called contract does everything except the theft, which a stranger's contract does inside. A recorded tree gets it at its end. */
export function callTree(file: CaseFile, stolen: StolenLogs): CaseFile {
  const { trace, transaction, receipt } = file;
  const { to } = transaction;
  if (trace.source === "none" || to === null) return file;
  if ("root" in trace) {
    const calls = receipt.logs.flatMap((log, i) => (stolen.has(i) ? [stolenCall(to, log, stolen.get(i))] : []));
    const added = placesLogs(trace.root) ? calls : calls.map(withoutLogs);
    return { ...file, trace: { ...trace, root: addFrames(trace.root, added) } };
  }
  return {
    ...file,
    trace: { source: "debug_traceTransaction", root: madeTree(file, to, trace.internal_transfers, stolen) },
  };
}

/** A tracer records all logs or none, so only the added ones would be incomplete. */
function placesLogs({ logs = [], calls = [] }: RpcFrame): boolean {
  return logs.length > 0 || calls.some(placesLogs);
}

function withoutLogs({ logs: _, ...frame }: RpcFrame): RpcFrame {
  return frame.calls === undefined ? frame : { ...frame, calls: frame.calls.map(withoutLogs) };
}

/** Transfers to contracts that write logs (wrapping) before the logs, other ether after. */
function madeTree(
  { transaction, receipt }: CaseFile,
  to: string,
  rows: readonly InternalTransfer[],
  stolen: StolenLogs,
): RpcFrame {
  const emitters = new Set(receipt.logs.map((log) => log.address.toLowerCase()));
  const isWrapping = (row: InternalTransfer) => row.to !== null && emitters.has(row.to.toLowerCase());
  const calls: RpcFrame[] = rows.filter(isWrapping).map(ofRow);
  const logs: NonNullable<RpcFrame["logs"]> = [];
  receipt.logs.forEach((log, i) => {
    if (stolen.has(i)) calls.push(stolenCall(to, log, stolen.get(i)));
    else if (log.address.toLowerCase() === to.toLowerCase()) logs.push(placed(log, calls.length));
    else calls.push(emitting(to, log, "0x"));
  });
  calls.push(...rows.filter((row) => !isWrapping(row)).map(ofRow));
  const { from, value, input } = transaction;
  return { type: "CALL", from, to, value, input, calls, logs };
}

function ofRow({ from, to, value, success }: InternalTransfer): RpcFrame {
  const frame = { type: "CALL", from, to: to ?? from, value: numberToHex(BigInt(value)), input: "0x" };
  return success ? frame : { ...frame, error: "execution reverted" };
}

function stolenCall(from: string, log: RpcLog, input = "0x"): RpcFrame {
  const { front } = forgers;
  return { type: "CALL", from, to: front, value: "0x0", input: "0x", calls: [emitting(front, log, input)] };
}

function emitting(from: string, log: RpcLog, input: string): RpcFrame {
  return { type: "CALL", from, to: log.address, value: "0x0", input, logs: [placed(log, 0)] };
}

function placed({ address, topics, data }: RpcLog, position: number) {
  return { address, topics, data, position: numberToHex(position) };
}
