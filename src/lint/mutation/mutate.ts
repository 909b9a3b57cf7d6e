import { tierRank } from "../../ruleset/actions.ts";
import { anchorStrength } from "../../ruleset/compile/anchor.ts";
import type { CompiledRule } from "../../ruleset/compiled.ts";
import { type ExampleCase, exampleCases } from "../examples/examples.ts";
import type { UsableFile } from "../rule-view.ts";
import type { LintSources } from "../sources.ts";
import { tryCase } from "../trial.ts";
import { type ExampleWorld, openSources, refuseMistakes } from "../world.ts";
import { changedFlows } from "./changed-flow.ts";
import { foreignEmitters } from "./foreign-emitter.ts";
import { type MutationKind, mutationKinds, type Original } from "./mutant.ts";
import { forgedOperations, thirdParties } from "./planted-event.ts";

/** A forgery that deceived a rule. */
export interface Survivor {
  kind: MutationKind;
  file: string;
  rule: string;
  /** Name or hash of the example that was forged. */
  example: string;
  change: string;
  /** What is wrong with the outcome. */
  problem: string;
  /** Rules that stand instead, the headline first. */
  stands: string[];
}

export interface MutationReport {
  /** Rules that have an example to forge, and those that have none. */
  rules: string[];
  untested: string[];
  kinds: Record<MutationKind, { mutants: number; killed: number }>;
  survivors: Survivor[];
}

/**
 * Forges every example in which a proven rule stands and reports what deceives it. Throws SourceError for wanted files with errors: a
 * file that the loader refuses has no rule that could be deceived, and that is no success.
 */
export function mutateRules(sources: LintSources, recordingsDir: string): MutationReport {
  const { loaded, wanted, world } = openSources(sources, recordingsDir);
  refuseMistakes(loaded.diagnostics.filter(({ file }) => sources.wanted.has(file)));
  const counts = Object.keys(mutationKinds).map((kind) => [kind, { mutants: 0, killed: 0 }]);
  const report: MutationReport = { rules: [], untested: [], kinds: Object.fromEntries(counts), survivors: [] };
  for (const file of wanted) {
    const tested = new Set<string>();
    for (const one of exampleCases(file, world))
      for (const original of originalsIn(file, one, world)) {
        const { example } = one;
        tested.add(original.candidate.rule.id);
        forge(original, file.source.file, example.name ?? example.tx ?? "", report);
      }
    report.rules.push(...tested);
    const proven = new Set(file.rules.filter(isProven).map((rule) => rule.id));
    report.untested.push(...[...proven].filter((id) => !tested.has(id)));
  }
  return report;
}

/** The rule of the example, once, where it stands. */
function originalsIn({ scope }: UsableFile, { example, caseFile }: ExampleCase, world: ExampleWorld): Original[] {
  if (example.rule === undefined) return [];
  const id = scope.idOf(example.rule);
  const trial = tryCase(caseFile, world);
  const candidate = trial.actions.find(({ rule }) => rule.id === id);
  return candidate === undefined || !isProven(candidate.rule) ? [] : [{ caseFile, trial, candidate, world }];
}

function forge(original: Original, file: string, example: string, report: MutationReport): void {
  const mutants = [
    ...foreignEmitters(original),
    ...changedFlows(original),
    ...thirdParties(original),
    ...forgedOperations(original),
  ];
  for (const { kind, change, caseFile, judge } of mutants) {
    const trial = tryCase(caseFile, original.world);
    const problem = judge(trial);
    report.kinds[kind].mutants++;
    if (problem === null) report.kinds[kind].killed++;
    else {
      const stands = trial.actions.map((action) => action.rule.id);
      report.survivors.push({ kind, file, rule: original.candidate.rule.id, example, change, problem, stands });
    }
  }
}

/** Its place is proven, or at least a token vouches for itself in a rule of the protocol tier. */
function isProven(rule: CompiledRule): boolean {
  const strength = anchorStrength(rule.anchor);
  return strength >= 2 || (strength === 1 && rule.tier === tierRank("protocol"));
}
