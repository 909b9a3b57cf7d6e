import { checksum } from "../../../kernel/address.ts";
import { transferTopic } from "../../../kernel/token-standards.ts";
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
import { type ExampleWorld, type OnFile, openSources, refuseMistakes, withProgress } from "../world.ts";
import { addedGrants, addedThefts, divertedProceeds, takenProceeds } from "./added-loss.ts";
import { CaseOutcome, type ForgeryWorld } from "./case-outcome.ts";
import { changedFlows } from "./changed-flow.ts";
import { withLogs } from "./edit-case.ts";
import { foreignEmitters } from "./foreign-emitter.ts";
import { type Mutant, type MutationKind, mutationKinds, type Original } from "./mutant.ts";
import { forgedOperations, nativeTrace, thirdParties } from "./planted-event.ts";
import { divertedPayments, otherAccounts, otherBeneficiaries } from "./redirected-money.ts";
import { forgers, isLossTold, isNamed, plainToken, stolenAmount, tokenLog } from "./stranger.ts";

export interface Survivor {
  kind: MutationKind;
  file: string;
  rule: string;
  /** Name or hash. */
  example: string;
  change: string;
  problem: string;
  /** That fit instead, the headline first. */
  stands: string[];
  summary: string;
  /** By the rule (`survives`). */
  reason: string | null;
}

export interface MutationReport {
  /** `rules`: forged. `untested`: proven, but without an example. */
  rules: string[];
  untested: string[];
  kinds: Record<MutationKind, { mutants: number; killed: number }>;
  survivors: Survivor[];
  /** Reasons (`survives`) for nothing. */
  needless: { rule: string; kind: string }[];
}

/**
 * Reports forgeries that deceive. Throws SourceError for wanted files with errors: none of their rules could be deceived, which must not
 * look like success.
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

function originalsIn({ scope }: UsableFile, { example, caseFile }: ExampleCase, world: ForgeryWorld): Original[] {
  if (example.rule === undefined) return [];
  const id = scope.idOf(example.rule);
  const outcome = new CaseOutcome(caseFile, world);
  const { trial } = outcome;
  const candidate = trial.actions.find(({ rule }) => rule.id === id);
  return candidate === undefined ? [] : [{ caseFile, trial, candidate, world, outcome }];
}

/** Returns the ids of the tested rules. */
function mutateMessages(file: UsableFile, world: ExampleWorld, report: MutationReport): string[] {
  return messageExamples(file, world).flatMap(({ example, message }) => {
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

/** What proves a rule's place. */
const ofProof = [foreignEmitters, changedFlows, thirdParties, forgedOperations] as const;

/** Where money and rights went: no rule may hide that. */
const ofMoney = [
  ...[divertedPayments, addedThefts, divertedProceeds, takenProceeds, addedGrants],
  ...[sideShows, otherBeneficiaries, otherAccounts],
] as const;

/** An original with its rule's reasons. */
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

/** `problem`: how it deceives; null: not. */
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

/** A proven place, or the protocol tier, where a token proves itself. */
function isProven(rule: CompiledRule): boolean {
  const strength = anchorStrength(rule.anchor);
  return strength >= 2 || (strength === 1 && rule.tier === tierRank("protocol"));
}

/**
 * Somebody else loses a listed token at a stranger's contract, before or after the example's logs. The answer must state the victim's loss.
 */
export function sideShows(original: Original): Mutant[] {
  const { caseFile, trial, world } = original;
  const { victim, front, thief } = forgers;
  const token = plainToken(world.labels, caseFile);
  if (trial.tx.status === "reverted" || token === undefined) return [];
  const loss = tokenLog(transferTopic, token.address, [victim, thief], stolenAmount(token));
  const { logs } = caseFile.receipt;
  const envelope = { hash: caseFile.tx_hash, type: "0x2", from: victim, to: front, value: "0x0", input: "0x12345678" };
  const forged = { ...caseFile, transaction: envelope, trace: nativeTrace(original) };
  return [
    { change: "before somebody else's loss", logs: [...logs, loss] },
    { change: "after somebody else's loss", logs: [loss, ...logs] },
  ].map(({ change, logs }) => ({
    kind: "side-show",
    change,
    caseFile: withLogs(forged, logs),
    judge: (outcome) => {
      if (!isNamed(outcome, victim)) return "the victim is not told";
      if (!isLossTold(outcome, thief)) return "the loss is not told";
      return outcome.violations().find((violation) => violation.includes(checksum(victim))) ?? null;
    },
  }));
}
