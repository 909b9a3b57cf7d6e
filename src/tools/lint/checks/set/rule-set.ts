import { type CriterionName, comparing } from "../../../../rules/ruleset/precedence.ts";
import { type LintFinding, type RuleView, type UsableFile, viewRules } from "../../rule-view.ts";
import { evidenceKey } from "./overlap.ts";

/** All usable files of a run, for the checks that compare files. */
export interface RuleSet {
  files: readonly UsableFile[];
  /** The files that were asked for. Checks need not look for mistakes in others. */
  wanted: ReadonlySet<UsableFile>;
  views: readonly RuleView[];
  /** Views by {@link evidenceKey}: those in one group may be tried on the same evidence. */
  byEvidence: ReadonlyMap<string, RuleView[]>;
  overrides: Overrides;
}

/** With the file in which it is. */
export type SetFinding = [UsableFile, ...LintFinding];

/** True when rule `a` goes before rule `b` by `overrides`, directly or through other rules. Both are full ids. */
export type Overrides = (a: string, b: string) => boolean;

export function joinFiles(files: readonly UsableFile[], wanted: ReadonlySet<UsableFile>): RuleSet {
  const views = files.flatMap(viewRules);
  const byEvidence = Map.groupBy(views, ({ rule }) => evidenceKey(rule));
  return { files, wanted, views, byEvidence, overrides: overridesOf(views) };
}

/**
 * Which of two rules goes first, in the order that settling uses. Negative: `a` does. 0: only the place in the transaction or the name
 * would decide.
 */
export function comparePrecedence(a: RuleView, b: RuleView, overrides: Overrides = () => false): number {
  const compare = comparing(
    meaningful,
    (one, other) => Number(overrides(other.id, one.id)) - Number(overrides(one.id, other.id)),
  );
  return compare({ rule: a.rule, position: 0 }, { rule: b.rule, position: 0 });
}

/** The criteria of precedence that an author chooses. Left out: the place in a transaction, and the name of the rule. */
const meaningful: readonly CriterionName[] = [
  "yields",
  "tier",
  "control",
  "overrides",
  "place",
  "rank",
  "defers",
  "specificity",
];

/** Every pair of views in a group, each pair once, where at least one of the two files was asked for. */
export function pairsOf(group: readonly RuleView[], { wanted }: RuleSet): (readonly [RuleView, RuleView])[] {
  if (!group.some(({ file }) => wanted.has(file))) return [];
  return group.flatMap((one, i) => {
    const others = wanted.has(one.file)
      ? group.slice(i + 1)
      : group.slice(i + 1).filter(({ file }) => wanted.has(file));
    return others.map((other) => [one, other] as const);
  });
}

function overridesOf(views: readonly RuleView[]): Overrides {
  const below = new Map<string, Set<string>>();
  for (const { rule } of views) below.set(rule.id, new Set([...(below.get(rule.id) ?? []), ...rule.overrides]));
  const above = (a: string, b: string, seen: Set<string>): boolean => {
    if (seen.has(a)) return false;
    seen.add(a);
    return [...(below.get(a) ?? [])].some((next) => next === b || above(next, b, seen));
  };
  return (a, b) => above(a, b, new Set());
}
