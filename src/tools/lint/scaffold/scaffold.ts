import type { Address } from "../../../kernel/address.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { openLabelFile } from "../../../rules/labels/load.ts";
import { lint } from "../lint.ts";
import type { LintSources } from "../sources.ts";
import { openSources } from "../world.ts";
import { type Draft, draftRules } from "./draft.ts";
import { fileText } from "./file-text.ts";
import { type PublishedFacts, type SurveyInput, surveyCase } from "./survey.ts";

interface ScaffoldOrder {
  protocol: string;
  /** As in diagnostics. */
  file: string;
  caseFile: CaseFile;
  recordingsDir: string;
  /** Not that of a checkout. */
  schema?: string | undefined;
}

export interface Scaffold {
  text: string;
  /** With its anchor and place. */
  action: string;
  anchor: string;
}

/** The whole set is linted for each draft without a mistake of its own, which takes seconds. */
const triesMax = 10;

/** Contracts that no rule file names are new. `sources`: with known values, so that no draft parses them again. */
export function openSurvey(caseFile: CaseFile, sources: LintSources): SurveyInput & { sources: LintSources } {
  const { loaded, world, labelProblems } = openSources(sources, "");
  const faulty = new Set([...loaded.diagnostics, ...labelProblems].map(({ file }) => file));
  const rules = sources.rules.map((source) =>
    faulty.has(source.file) ? source : { ...source, value: loaded.values.get(source.file) },
  );
  const labels = sources.labels.map((file) =>
    faulty.has(file.path) ? file : { ...file, value: openLabelFile(file).value },
  );
  return { caseFile, loaded, labels: world.labels, sources: { ...sources, rules, labels } };
}

/** A published ABI would help; in the order of the transaction. */
export function listUnnamed(input: SurveyInput): Address[] {
  const nothing = { items: [], published: new Map(), role: null, action: null };
  return surveyCase(input, nothing).contracts.map(({ address }) => address);
}

/** The first draft that passes lint with all others; or why there is none, and what to do. */
export function scaffold(
  order: ScaffoldOrder,
  { input, findings }: { input: ReturnType<typeof openSurvey>; findings: PublishedFacts },
): Scaffold | { problem: string } {
  const { caseFile } = order;
  if (caseFile.receipt.status !== "0x1") return { problem: "the transaction reverted; take one that went through" };
  const survey = surveyCase(input, findings);
  const today = survey.stands.length === 0 ? "no rule stands" : `${survey.stands.join(", ")} stands`;
  if (survey.contracts.length === 0)
    return {
      problem: `every contract of the transaction is named by a file already; today ${today}. Add the rule to that file`,
    };
  let first: Diagnostic | undefined;
  for (const draft of draftRules(survey).flatMap(withoutAttempts).slice(0, triesMax)) {
    const text = fileText(order.protocol, draft, survey, order);
    const found = findingsOf(text, order, input.sources);
    if (found.length === 0) return { text, action: draft.action, anchor: anchorText(draft) };
    first ??= found[0];
  }
  const reason = first === undefined ? "its contracts were neither called nor heard" : `${first.code} ${first.message}`;
  return { problem: `no rule could be drafted that passes: ${reason}; today ${today}` };
}

/** `call pay at desk`. */
function anchorText({ match, contract }: Draft): string {
  const [, kind, name] = /(event|call): (\w+)/.exec(match[0] ?? "") ?? [];
  return `${kind} ${name} at ${contract.role}`;
}

function withoutAttempts(draft: Draft): Draft[] {
  return draft.tried === null ? [draft] : [draft, { ...draft, tried: null }];
}

/** Errors and warnings of the new file; else errors that it causes elsewhere. */
function findingsOf(text: string, { file, recordingsDir }: ScaffoldOrder, sources: LintSources): Diagnostic[] {
  const rules = [...sources.rules, { file, text }];
  const alone = lint({ ...sources, rules, wanted: new Set([file]) }, recordingsDir).diagnostics;
  const own = alone.filter(({ level }) => level !== "note");
  if (own.length > 0) return own;
  const others = new Set(sources.rules.map((source) => source.file));
  const errorsOf = (set: LintSources["rules"]) =>
    lint({ ...sources, rules: set, wanted: others }, recordingsDir).diagnostics.filter(
      ({ level }) => level === "error",
    );
  const found = errorsOf(rules);
  if (found.length === 0) return [];
  const key = ({ code, file: where, message }: Diagnostic) => `${code} ${where} ${message}`;
  const before = new Set(errorsOf(sources.rules).map(key));
  return found.filter((one) => !before.has(key(one)));
}
