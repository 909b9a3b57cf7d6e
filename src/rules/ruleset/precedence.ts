import { compareText } from "../../kernel/canonical.ts";
import { tierRank } from "./actions.ts";
import type { CompiledRule, Specificity } from "./compiled.ts";

/** A rule that fits, with its place in the transaction. */
export interface Contender {
  rule: CompiledRule;
  position: number;
  /** `taken`: counts a bystander's gift as a part of the act. */
  gift?: "taken" | "left" | null;
}

/** Negative: the first goes first. */
export type OverrideOrder = (one: CompiledRule, other: CompiledRule) => number;

interface Criterion {
  name: string;
  compare(a: Contender, b: Contender, overrides: OverrideOrder): number;
}

/**
 * Which of two rules explains the evidence that both fit: the first difference decides. Settling, lint and the printed order use this
 * table.
 */
const criteria = [
  { name: "yields", compare: (a, b) => Number(standsAlone(a.rule)) - Number(standsAlone(b.rule)) },
  /** Fits without a bystander's gift. */
  { name: "gift", compare: (a, b) => Number(a.gift === "taken") - Number(b.gift === "taken") },
  { name: "tier", compare: (a, b) => a.rule.tier - b.rule.tier },
  /** The most dangerous kind of control (ruleset/control.ts). */
  { name: "control", compare: (a, b) => a.rule.controlRank - b.rule.controlRank },
  { name: "overrides", compare: (a, b, overrides) => overrides(a.rule, b.rule) },
  /** A known or proven contract. */
  { name: "place", compare: (a, b) => Number(atKnownPlace(b.rule)) - Number(atKnownPlace(a.rule)) },
  /** actions.yaml `over`. */
  { name: "rank", compare: (a, b) => a.rule.rank - b.rule.rank },
  { name: "defers", compare: (a, b) => Number(a.rule.defers) - Number(b.rule.defers) },
  { name: "specificity", compare: (a, b) => compareSpecificity(a.rule.specificity, b.rule.specificity) },
  { name: "position", compare: (a, b) => a.position - b.position },
  { name: "id", compare: (a, b) => compareText(a.rule.id, b.rule.id) },
  /** Of one rule, the first in its file. */
  { name: "attempt", compare: (a, b) => (a.rule.attempt ?? 0) - (b.rule.attempt ?? 0) },
] as const satisfies readonly Criterion[];

export type CriterionName = (typeof criteria)[number]["name"];

export const criterionNames: readonly CriterionName[] = criteria.map(({ name }) => name);

/** Compares only by the named criteria, in the order of the table. */
export function comparing(names: readonly CriterionName[], overrides: OverrideOrder = () => 0) {
  const chosen: readonly Criterion[] =
    names === criterionNames ? criteria : criteria.filter(({ name }) => names.includes(name));
  return (a: Contender, b: Contender) => {
    for (const criterion of chosen) {
      const order = criterion.compare(a, b, overrides);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** A known contract or a proven member. */
export function atKnownPlace({ specificity }: CompiledRule): boolean {
  return specificity.place >= 2;
}

/** A rule for when no other fits: `yields`, or the fallback tier. */
export function standsAlone({ yields, tier }: CompiledRule): boolean {
  return yields || tier === fallbackTier;
}

const fallbackTier = tierRank("fallback");

/** Better place, then stronger evidence, then more legs. */
function compareSpecificity(a: Specificity, b: Specificity): number {
  return b.place - a.place || b.evidence - a.evidence || b.legs - a.legs;
}

/** Three digits: place, evidence, legs. */
export function specificityText({ place, evidence, legs }: Specificity): string {
  return `${place}${evidence}${legs}`;
}
