import { createReporter, type Reporter } from "../../../documents/reporter.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { type CriterionName, comparing } from "../../../ruleset/precedence.ts";
import { type RuleView, type UsableFile, viewRules } from "../../rule-view.ts";
import { evidenceKey } from "./overlap.ts";

/** All usable files of a run, as the checks of the whole set see them. What they find is told of the files that were asked for. */
export interface RuleSet {
  files: readonly UsableFile[];
  /** Those that were asked for: checks need not look for mistakes of others. */
  wanted: ReadonlySet<UsableFile>;
  views: readonly RuleView[];
  /** Views by the evidence that they may be tried on. */
  byEvidence: ReadonlyMap<string, RuleView[]>;
  overrides: Overrides;
  report(file: UsableFile, ...finding: Parameters<Reporter["report"]>): void;
}

/** True when rule `a` stands above rule `b` by `overrides`, directly or through others. Both are ids. */
export type Overrides = (a: string, b: string) => boolean;

/** Joins usable files to a set; mistakes of those that are wanted go to `diagnostics`. */
export function joinFiles(
  files: readonly UsableFile[],
  wanted: ReadonlySet<UsableFile>,
  diagnostics: Diagnostic[],
): RuleSet {
  const views = files.flatMap(viewRules);
  return {
    files,
    wanted,
    views,
    byEvidence: Map.groupBy(views, ({ rule }) => evidenceKey(rule)),
    overrides: overridesOf(views),
    report(file, ...finding) {
      if (wanted.has(file)) createReporter(file.source, diagnostics).report(...finding);
    },
  };
}

/**
 * Which of two rules is told first, as settling orders them: negative when `a` is, 0 when only their place in the
 * transaction or their name decides.
 */
export function comparePrecedence(a: RuleView, b: RuleView, overrides: Overrides = () => false): number {
  const compare = comparing(
    meaningful,
    (one, other) => Number(overrides(other.id, one.id)) - Number(overrides(one.id, other.id)),
  );
  return compare({ rule: a.rule, position: 0 }, { rule: b.rule, position: 0 });
}

/** Criteria that an author decides by: neither the place in a transaction nor the name of a rule. */
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

/** Every unordered pair of views in one group, of which one is of a file that was asked for. */
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
