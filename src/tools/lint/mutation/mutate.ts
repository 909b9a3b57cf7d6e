import { tierRank } from "../../../rules/ruleset/actions.ts";
import { listCatalog } from "../../../rules/ruleset/catalog.ts";
import { anchorStrength } from "../../../rules/ruleset/compile/anchor.ts";
import type { CompiledRule } from "../../../rules/ruleset/compiled.ts";
import { TypedDataError } from "../../../rules/typed-data/typed-data-error.ts";
import { knowledgeOf } from "../../audit/known-contracts.ts";
import { type ExampleCase, exampleCases } from "../examples/examples.ts";
import { forgeMessages } from "../messages/forged-messages.ts";
import { decideGiven, messageExamples } from "../messages/message-examples.ts";
import { entriesOf, type UsableFile } from "../rule-view.ts";
import type { LintSources } from "../sources.ts";
import { type OnFile, withProgress } from "../with-progress.ts";
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
  /** The reason that the rule gives for it (`survives`); null when it gives none. */
  reason: string | null;
}

export interface MutationReport {
  /** `rules`: those with an example that was forged. `untested`: proven rules without one. */
  rules: string[];
  untested: string[];
  kinds: Record<MutationKind, { mutants: number; killed: number }>;
  survivors: Survivor[];
  /** Reasons (`survives`) for kinds of forgery that do not survive. */
  needless: { rule: string; kind: string }[];
}

/**
 * Forges every example in which the rule of the example stands, and reports the forgeries that deceive. Throws SourceError for wanted files
 * with errors: the loader refuses such a file, so none of its rules could be deceived, and that must not look like success.
 */
export function mutateRules(sources: LintSources, recordingsDir: string, onFile?: OnFile): MutationReport {
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
  for (const file of withProgress(wanted, onFile)) {
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

/** The action of the example's rule, once, if it stands; else nothing. */
function originalsIn({ scope }: UsableFile, { example, caseFile }: ExampleCase, world: ForgeryWorld): Original[] {
  if (example.rule === undefined) return [];
  const id = scope.idOf(example.rule);
  const outcome = new CaseOutcome(caseFile, world);
  const { trial } = outcome;
  const candidate = trial.actions.find(({ rule }) => rule.id === id);
  return candidate === undefined ? [] : [{ caseFile, trial, candidate, world, outcome }];
}

/** Forges every message in which the rule of the example stands. Returns the ids of the rules that were tested. */
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

/** The file and example of an original, and the reasons of its rule for forgeries that survive. */
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

/** Counts a forgery. `problem`: how it deceives; null when it does not. */
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

/** Whether the place of a rule is proven, or it is a rule of the protocol tier in which a token vouches for itself. */
function isProven(rule: CompiledRule): boolean {
  const strength = anchorStrength(rule.anchor);
  return strength >= 2 || (strength === 1 && rule.tier === tierRank("protocol"));
}
