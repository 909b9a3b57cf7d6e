import { compareText } from "../../kernel/canonical.ts";
import { tierRank } from "./actions.ts";
import type { CompiledRule, Specificity } from "./compiled.ts";

/** A rule that may explain a piece of evidence, and its place in the transaction. */
export interface Contender {
  rule: CompiledRule;
  position: number;
  /** `taken`: the rule counts a bystander's gift as a part of the act. */
  gift?: "taken" | "left" | null;
}

/** Compares two rules by `overrides`: negative when the first goes before the second. */
export type OverrideOrder = (one: CompiledRule, other: CompiledRule) => number;

interface Criterion {
  name: string;
  /** Negative when `a` goes before `b`. */
  compare(a: Contender, b: Contender, overrides: OverrideOrder): number;
}

/**
 * The criteria that decide which of two rules explains the evidence that both fit. The first criterion with a difference decides. Settling,
 * lint and the printed order of the rules all use this table.
 */
const criteria = [
  { name: "yields", compare: (a, b) => Number(standsAlone(a.rule)) - Number(standsAlone(b.rule)) },
  /** A rule that fits without a bystander's gift goes first. */
  { name: "gift", compare: (a, b) => Number(a.gift === "taken") - Number(b.gift === "taken") },
  { name: "tier", compare: (a, b) => a.rule.tier - b.rule.tier },
  /** Among changes of control, the most dangerous kind goes first (ruleset/control.ts). */
  { name: "control", compare: (a, b) => a.rule.controlRank - b.rule.controlRank },
  { name: "overrides", compare: (a, b, overrides) => overrides(a.rule, b.rule) },
  /** Evidence of a known or proven contract goes before evidence of any contract. */
  { name: "place", compare: (a, b) => Number(atKnownPlace(b.rule)) - Number(atKnownPlace(a.rule)) },
  /** The place of the action inside its tier (actions.yaml `over`). */
  { name: "rank", compare: (a, b) => a.rule.rank - b.rule.rank },
  { name: "defers", compare: (a, b) => Number(a.rule.defers) - Number(b.rule.defers) },
  { name: "specificity", compare: (a, b) => compareSpecificity(a.rule.specificity, b.rule.specificity) },
  { name: "position", compare: (a, b) => a.position - b.position },
  { name: "id", compare: (a, b) => compareText(a.rule.id, b.rule.id) },
  /** Among several attempts of one rule, the first in its file. */
  { name: "attempt", compare: (a, b) => (a.rule.attempt ?? 0) - (b.rule.attempt ?? 0) },
] as const satisfies readonly Criterion[];

export type CriterionName = (typeof criteria)[number]["name"];

/** All criteria, in the order in which they decide. */
export const criterionNames: readonly CriterionName[] = criteria.map(({ name }) => name);

/** A comparing function for sorting that uses the named criteria only, always in the order of the table. */
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

/** Whether the place of a rule's anchor is proven: a known contract or a proven member. */
export function atKnownPlace({ specificity }: CompiledRule): boolean {
  return specificity.place >= 2;
}

/** Whether a rule stands only when no other does: it says `yields`, or its action is of the fallback tier. */
export function standsAlone({ yields, tier }: CompiledRule): boolean {
  return yields || tier === fallbackTier;
}

const fallbackTier = tierRank("fallback");

/** The more specific rule goes first: the better proven place, then the stronger kind of evidence, then more legs. */
function compareSpecificity(a: Specificity, b: Specificity): number {
  return b.place - a.place || b.evidence - a.evidence || b.legs - a.legs;
}

/** Three digits, for lists: place, evidence, legs. */
export function specificityText({ place, evidence, legs }: Specificity): string {
  return `${place}${evidence}${legs}`;
}
