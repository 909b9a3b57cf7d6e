import { knowledgeOf } from "../../audit/known-contracts.ts";
import { tierRank } from "../../ruleset/actions.ts";
import { listCatalog } from "../../ruleset/catalog.ts";
import { anchorStrength } from "../../ruleset/compile/anchor.ts";
import type { CompiledRule } from "../../ruleset/compiled.ts";
import { TypedDataError } from "../../typed-data/typed-data-error.ts";
import { type ExampleCase, exampleCases } from "../examples/examples.ts";
import { forgeMessages } from "../messages/forged-messages.ts";
import { decideGiven, messageExamples } from "../messages/message-examples.ts";
import { entriesOf, type UsableFile } from "../rule-view.ts";
import type { LintSources } from "../sources.ts";
import { type TellFiles, toldFiles } from "../told-files.ts";
import { type ExampleWorld, openSources, refuseMistakes } from "../world.ts";
import { addedGrants, addedThefts, divertedProceeds, takenProceeds } from "./added-loss.ts";
import { CaseOutcome, type ForgeryWorld } from "./case-outcome.ts";
import { changedFlows } from "./changed-flow.ts";
import { foreignEmitters } from "./foreign-emitter.ts";
import { type MutationKind, mutationKinds, type Original } from "./mutant.ts";
import { forgedOperations, thirdParties } from "./planted-event.ts";
import { divertedPayments, otherAccounts, otherBeneficiaries } from "./redirected-money.ts";
import { sideShows } from "./side-show.ts";

/** A forgery that deceived a rule. */
export interface Survivor {
  kind: MutationKind;
  file: string;
  rule: string;
  /** Name or hash of the example that was forged. */
  example: string;
  change: string;
  problem: string;
  /** Rules that stand instead, the headline first. */
  stands: string[];
  summary: string;
  /** Why that is right, as the rule says; null when it does not. */
  reason: string | null;
}

export interface MutationReport {
  /** Rules that have an example to forge, and those that have none. */
  rules: string[];
  untested: string[];
  kinds: Record<MutationKind, { mutants: number; killed: number }>;
  survivors: Survivor[];
  /** Reasons of rules for forgeries that do not survive. */
  needless: { rule: string; kind: string }[];
}

/**
 * Forges every example in which a proven rule stands and reports what deceives it. Throws SourceError for wanted files with errors: a
 * file that the loader refuses has no rule that could be deceived, and that is no success.
 */
export function mutateRules(sources: LintSources, recordingsDir: string, tell?: TellFiles): MutationReport {
  const { loaded, wanted, world: examples } = openSources(sources, recordingsDir);
  const { ruleset, labels } = examples;
  const { protocols } = listCatalog(ruleset);
  const world = { ...examples, knowledge: knowledgeOf({ labels, contracts: ruleset.names, protocols }) };
  refuseMistakes(loaded.diagnostics.filter(({ file }) => sources.wanted.has(file)));
  const counts = Object.keys(mutationKinds).map((kind) => [kind, { mutants: 0, killed: 0 }]);
  const report: MutationReport = {
    rules: [],
    untested: [],
    kinds: Object.fromEntries(counts),
    survivors: [],
    needless: [],
  };
  for (const file of toldFiles(wanted, tell)) {
    const tested = new Set<string>();
    for (const one of exampleCases(file, world))
      for (const original of originalsIn(file, one, world)) {
        const { example } = one;
        tested.add(original.candidate.rule.id);
        const written = entriesOf(file).find(({ id }) => id === original.candidate.rule.id);
        const reasons = written?.entry.survives ?? {};
        forge(original, { file: file.source.file, example: example.name ?? example.tx ?? "", reasons }, report);
      }
    for (const rule of mutateMessages(file, world, report)) tested.add(rule);
    report.needless.push(...needlessIn(file, report));
    report.rules.push(...tested);
    const proven = new Set([...file.rules.filter(isProven), ...file.messages].map((rule) => rule.id));
    report.untested.push(...[...proven].filter((id) => !tested.has(id)));
  }
  return report;
}

/** The rule of the example, once, where it stands. */
function originalsIn({ scope }: UsableFile, { example, caseFile }: ExampleCase, world: ForgeryWorld): Original[] {
  if (example.rule === undefined) return [];
  const id = scope.idOf(example.rule);
  const outcome = new CaseOutcome(caseFile, world);
  const { trial } = outcome;
  const candidate = trial.actions.find(({ rule }) => rule.id === id);
  return candidate === undefined ? [] : [{ caseFile, trial, candidate, world, outcome }];
}

/** Forges every message in which the rule of its example stands; tells which rules were tested. */
function mutateMessages(file: UsableFile, world: ExampleWorld, report: MutationReport): string[] {
  return messageExamples(file, world, { report: () => undefined }).flatMap(({ example, message }) => {
    const rule = file.messages.find(({ id }) => example.rule !== undefined && id === file.scope.idOf(example.rule));
    const outcome = decideGiven(message, world);
    if (rule === undefined || outcome instanceof TypedDataError || outcome.rule?.id !== rule.id) return [];
    const origin = { file: file.source.file, example: example.name ?? "", rule: rule.id };
    for (const { kind, change, message: forged, judge } of forgeMessages(message, rule, file)) {
      const made = decideGiven(forged, world);
      const told =
        made instanceof TypedDataError
          ? { stands: [], summary: made.message }
          : { stands: made.rule === null ? [] : [made.rule.id], summary: made.explanation.summary };
      note(report, kind, judge(made), () => ({ ...origin, ...told, change, reason: null }));
    }
    return [rule.id];
  });
}

/** Forgeries that test what proves a rule's place. */
const ofProof = [foreignEmitters, changedFlows, thirdParties, forgedOperations] as const;

/** Forgeries that test where money and rights went: no rule may hide that. */
const ofMoney = [
  ...[divertedPayments, addedThefts, divertedProceeds, takenProceeds, addedGrants],
  ...[sideShows, otherBeneficiaries, otherAccounts],
] as const;

/** Where an original stands, and what its rule says of forgeries that it lets pass. */
interface Origin extends Pick<Survivor, "file" | "example"> {
  reasons: Readonly<Record<string, string>>;
}

function needlessIn(file: UsableFile, { survivors }: MutationReport): MutationReport["needless"] {
  return entriesOf(file).flatMap(({ entry, id }) =>
    Object.keys(entry.survives ?? {})
      .filter((kind) => !survivors.some((one) => one.rule === id && one.kind === kind))
      .map((kind) => ({ rule: id, kind })),
  );
}

function forge(original: Original, { reasons, ...origin }: Origin, report: MutationReport): void {
  const forgers = isProven(original.candidate.rule) ? [...ofProof, ...ofMoney] : ofMoney;
  const mutants = forgers.flatMap((forger) => forger(original));
  for (const { kind, change, caseFile, judge } of mutants) {
    const outcome = new CaseOutcome(caseFile, original.world);
    note(report, kind, judge(outcome), () => {
      const stands = outcome.trial.actions.map((action) => action.rule.id);
      const told = { rule: original.candidate.rule.id, stands, summary: outcome.summary };
      return { ...origin, ...told, change, reason: reasons[kind] ?? null };
    });
  }
}

/** Counts a forgery. `problem`: how it deceives; null: it does not. */
function note(
  { kinds, survivors }: MutationReport,
  kind: MutationKind,
  problem: string | null,
  survivor: () => Omit<Survivor, "kind" | "problem">,
): void {
  kinds[kind].mutants++;
  if (problem === null) kinds[kind].killed++;
  else survivors.push({ ...survivor(), kind, problem });
}

/** Its place is proven, or at least a token vouches for itself in a rule of the protocol tier. */
function isProven(rule: CompiledRule): boolean {
  const strength = anchorStrength(rule.anchor);
  return strength >= 2 || (strength === 1 && rule.tier === tierRank("protocol"));
}
