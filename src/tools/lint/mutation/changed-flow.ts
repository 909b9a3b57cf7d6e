import type { Candidate } from "../../../engine/match/candidate.ts";
import type { Movement } from "../../../model/transaction.ts";
import type { FlowSide } from "../../../rules/ruleset/compiled.ts";
import { editMovements, type MovementEdit } from "./edit-case.ts";
import { judgeByRule, type Mutant, type MutationKind, type Original } from "./mutant.ts";

const edits: readonly [MovementEdit, MutationKind][] = [
  ["swap", "swapped-sides"],
  ["zero", "zeroed-amount"],
  ["drop", "dropped-leg"],
];

/** Each needed movement turned around, with amount 0, or removed. */
export function changedFlows(original: Original): Mutant[] {
  const judge = judgeByRule(original);
  return unitsOf(original).flatMap(({ name, moves }) =>
    edits.flatMap(([edit, kind]): Mutant[] => {
      const caseFile = editMovements(original.caseFile, moves, edit);
      return caseFile === undefined || caseFile === original.caseFile ? [] : [{ kind, change: name, caseFile, judge }];
    }),
  );
}

interface Unit {
  name: string;
  moves: Movement[];
}

/** What is changed at once, with all movements of the token between these parties: needed legs, the anchor, counted sides of the flow. */
function unitsOf({ trial, candidate }: Original): Unit[] {
  const { movements } = trial.tx;
  const units: Unit[] = [];
  const { rule, context } = candidate;
  const alike = (move: Movement) =>
    movements.filter((one) => one.token === move.token && one.from === move.from && one.to === move.to && !one.fee);
  rule.legs.forEach((leg, i) => {
    const move = context.legs[i];
    if (!leg.optional && !leg.many && move) units.push({ name: `leg ${leg.name}`, moves: alike(move) });
  });
  if (context.move !== null) units.push({ name: "the transfer", moves: alike(context.move) });
  for (const side of ["gives", "gets"] as const) units.push(...sideUnits(candidate, side, movements));
  const distinct = Map.groupBy(units, ({ moves }) => moves.map((move) => move.index).join());
  return [...distinct.values()].flatMap(([first]) => (first === undefined || first.moves.length === 0 ? [] : first));
}

function sideUnits({ rule, context }: Candidate, name: "gives" | "gets", movements: readonly Movement[]): Unit[] {
  const side = rule.flow?.[name] ?? null;
  if (side === null || side.min === 0 || (side.unseen && !context.flow.complete)) return [];
  const assets = context.flow[name].filter((asset) => isCounted(side, asset.kind));
  const moves = assets.flatMap((asset) => asset.movements.map((index) => movements[index] as Movement));
  return [{ name: `what the subject ${name}`, moves: moves.filter((move) => move.from !== move.to) }];
}

function isCounted({ kind }: FlowSide, asset: "native" | "erc20" | "nft"): boolean {
  return kind === "any" || kind === asset || (kind === "fungible" && asset !== "nft");
}
