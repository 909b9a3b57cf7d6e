import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { lint } from "../lint.ts";
import type { LintSources } from "../sources.ts";
import { openSources } from "../world.ts";
import { type Draft, draftRules } from "./draft.ts";
import { fileText } from "./file-text.ts";
import { type PublishedFacts, type SurveyInput, surveyCase } from "./survey.ts";

interface ScaffoldOrder {
  protocol: string;
  /** The path of the new file, in the form that diagnostics show. */
  file: string;
  caseFile: CaseFile;
  recordingsDir: string;
  /** The schema that its first line names, where that is not the schema of a checkout. */
  schema?: string | undefined;
}

export interface Scaffold {
  text: string;
  /** The action of its rule, and its anchor with the place. */
  action: string;
  anchor: string;
}

/** How many drafts are tried. For each, the whole set of rules is linted, which takes seconds. */
const triesMax = 10;

/** Compiles the rules, so that the transaction can be surveyed: contracts that no rule file names are new. */
export function openSurvey(caseFile: CaseFile, sources: LintSources): SurveyInput {
  const { loaded, world } = openSources(sources, "");
  return { caseFile, loaded, labels: world.labels };
}

/** Contracts for which a published ABI would help, in the order of the transaction. */
export function listUnnamed(input: SurveyInput): Address[] {
  const nothing = { items: [], published: new Map(), role: null, action: null };
  return surveyCase(input, nothing).contracts.map(({ address }) => address);
}

/** The first draft of a rule file that passes lint together with all others, or why there is none and what to do. */
export function scaffold(
  order: ScaffoldOrder,
  { input, sources, findings }: { input: SurveyInput; sources: LintSources; findings: PublishedFacts },
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
    const found = findingsOf(text, order, sources);
    if (found.length === 0)
      return { text, action: draft.action, anchor: draft.match.slice(0, 2).join(" ").replaceAll(":", "") };
    first ??= found[0];
  }
  const reason = first === undefined ? "its contracts were neither called nor heard" : `${first.code} ${first.message}`;
  return { problem: `no rule could be drafted that passes: ${reason}; today ${today}` };
}

/** The draft, and then the same draft without `attempts`. */
function withoutAttempts(draft: Draft): Draft[] {
  return draft.attempts === null ? [draft] : [draft, { ...draft, attempts: null }];
}

/** Errors and warnings of the new file. Where it has none, errors that it causes in other files. */
function findingsOf(text: string, { file, recordingsDir }: ScaffoldOrder, sources: LintSources): Diagnostic[] {
  const files = sources.rules.map((source) => source.file);
  const rules = [...sources.rules, { file, text }];
  const found = lint({ ...sources, rules, wanted: new Set([...files, file]) }, recordingsDir).diagnostics;
  const own = found.filter((one) => one.file === file && one.level !== "note");
  const others = found.filter((one) => one.file !== file && one.level === "error");
  if (own.length > 0 || others.length === 0) return own;
  const key = ({ code, file: where, message }: Diagnostic) => `${code} ${where} ${message}`;
  const before = new Set(lint({ ...sources, wanted: new Set(files) }, recordingsDir).diagnostics.map(key));
  return others.filter((one) => !before.has(key(one)));
}
