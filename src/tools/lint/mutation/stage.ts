import type { CaseFile } from "../../../model/case-file.ts";
import { callTree, type StolenLogs } from "./call-tree.ts";
import { CaseOutcome } from "./case-outcome.ts";
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
