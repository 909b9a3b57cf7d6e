import type { CaseFile } from "../../../model/case-file.ts";
import { callTree, type StolenLogs } from "./call-tree.ts";
import { CaseOutcome } from "./case-outcome.ts";
import { countStanding, type Original } from "./mutant.ts";
import { forgers } from "./stranger.ts";

/** A way in which a theft can really happen in a transaction: code of a stranger must run in it. */
export interface Stage {
  name: string;
  /** Changes a copy of the example so that the stranger's code runs in it. */
  set(file: CaseFile, stolen: StolenLogs): CaseFile;
}

/** A stage on which the rule still stands before anything is stolen. So whatever is wrong afterwards is due to the forgery. */
export interface SetStage extends Stage {
  /** The outcome of the unchanged example on this stage. */
  before: CaseOutcome;
}

/** The genuine contract calls a stranger's contract on its way, and that one uses an allowance of its own. The call tree shows it. */
const insideStage: Stage = { name: "inside", set: callTree };

/** The sender calls the stranger's contract, and that one calls the genuine contract. */
const frontStage: Stage = { name: "behind a stranger's contract", set: (file) => throughFront(file, true) };

/** As {@link frontStage}, but the stranger's contract keeps the ether that the sender gave it. */
const greedyStage: Stage = { ...frontStage, set: (file) => throughFront(file, false) };

const known = new WeakMap<Original, readonly SetStage[]>();

/** The stages on which the rule of the example still stands. */
export function stagesOf(original: Original): readonly SetStage[] {
  let stages = known.get(original);
  if (stages === undefined) {
    stages = [insideStage, frontStage].flatMap((stage) => setStage(stage, original) ?? []);
    known.set(original, stages);
  }
  return stages;
}

/**
 * The stage on which a stranger's contract keeps the ether of the transaction; undefined where the subject did not send ether itself, the
 * rule does not stand behind a stranger's contract, or the case shows no ether.
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

/**
 * Puts a stranger's contract between the sender and the called contract. Without a call tree, a row of the list of ether transfers says
 * that the value was passed on.
 */
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
