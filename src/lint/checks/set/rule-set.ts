import { createReporter, type Reporter } from "../../../documents/reporter.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { type CriterionName, comparing } from "../../../ruleset/precedence.ts";
import { type RuleView, type UsableFile, viewRules } from "../../rule-view.ts";
import { evidenceKey } from "./overlap.ts";

/** All usable files of a run, as the checks of the whole set see them. */
export interface RuleSet {
  files: readonly UsableFile[];
  views: readonly RuleView[];
  /** Views by the evidence that they may be tried on. */
  byEvidence: ReadonlyMap<string, RuleView[]>;
  overrides: OverrideGraph;
  reporter(file: UsableFile): Reporter;
}

/** `overrides` between rules, by id. */
export interface OverrideGraph {
  /** True when `a` stands above `b`, directly or through others. */
  above(a: string, b: string): boolean;
  edges: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Joins usable files to a set; mistakes go to `diagnostics`. */
export function joinFiles(files: readonly UsableFile[], diagnostics: Diagnostic[]): RuleSet {
  const views = files.flatMap(viewRules);
  const byEvidence = new Map<string, RuleView[]>();
  for (const view of views) {
    const key = evidenceKey(view.rule);
    const group = byEvidence.get(key);
    if (group === undefined) byEvidence.set(key, [view]);
    else group.push(view);
  }
  const reporters = new Map(files.map((file) => [file, createReporter(file.source, diagnostics)]));
  return { files, views, byEvidence, overrides: graphOf(views), reporter: (file) => reporters.get(file) as Reporter };
}

/**
 * Which of two rules is told first, as settling orders them: negative when `a` is, 0 when only their place in the
 * transaction or their name decides.
 */
export function comparePrecedence(a: RuleView, b: RuleView, overrides?: OverrideGraph): number {
  const compare = comparing(meaningful, (one, other) =>
    overrides === undefined ? 0 : Number(overrides.above(other.id, one.id)) - Number(overrides.above(one.id, other.id)),
  );
  return compare({ rule: a.rule, position: 0 }, { rule: b.rule, position: 0 });
}

/** Criteria that an author decides by: neither the place in a transaction nor the name of a rule. */
const meaningful: readonly CriterionName[] = [
  "yields",
  "tier",
  "control",
  "overrides",
  "rank",
  "defers",
  "specificity",
];

/** Every unordered pair of views in one group. */
export function* pairsOf(group: readonly RuleView[]): Generator<[RuleView, RuleView]> {
  for (let i = 0; i < group.length; i++)
    for (let j = i + 1; j < group.length; j++) yield [group[i] as RuleView, group[j] as RuleView];
}

function graphOf(views: readonly RuleView[]): OverrideGraph {
  const edges = new Map<string, Set<string>>();
  for (const { rule } of views) {
    const below = edges.get(rule.id) ?? new Set<string>();
    for (const other of rule.overrides) below.add(other);
    edges.set(rule.id, below);
  }
  const above = (a: string, b: string, seen: Set<string> = new Set()): boolean => {
    if (seen.has(a)) return false;
    seen.add(a);
    const below = edges.get(a);
    return below !== undefined && (below.has(b) || [...below].some((next) => above(next, b, seen)));
  };
  return { edges, above: (a, b) => above(a, b) };
}
