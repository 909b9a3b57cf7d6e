import { compileLabels } from "../../labels/load.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { compileSources } from "../../ruleset/load.ts";
import { lint } from "../lint.ts";
import type { LintSources } from "../sources.ts";
import { draftRules } from "./draft.ts";
import { fileText } from "./file-text.ts";
import { surveyCase } from "./survey.ts";

/** What is to be drafted, and where its example is recorded. */
export interface ScaffoldOrder {
  protocol: string;
  /** Path of the new file, as diagnostics show paths. */
  file: string;
  caseFile: CaseFile;
  recordingsDir: string;
}

/** A drafted file. */
export interface Scaffold {
  text: string;
  /** What its rule says was done. */
  action: string;
}

/** A new rule file that passes lint beside all others, or why there is none. */
export function scaffold(order: ScaffoldOrder, sources: LintSources): Scaffold | { problem: string } {
  const { caseFile } = order;
  if (caseFile.receipt.status !== "0x1") return { problem: "the transaction reverted; take one that went through" };
  const loaded = compileSources(sources.rules);
  const survey = surveyCase(caseFile, loaded, compileLabels(sources.labels, loaded.ruleset.names).labels);
  const today = survey.stands.length === 0 ? "no rule stands" : `${survey.stands.join(", ")} stands`;
  if (survey.contracts.length === 0)
    return { problem: `every contract of the transaction is named by a file already; today ${today}` };
  let first: Diagnostic | undefined;
  for (const draft of draftRules(survey)) {
    const text = fileText(order.protocol, draft, survey, caseFile);
    const found = findingsOf(text, order, sources);
    if (found.length === 0) return { text, action: draft.action };
    first ??= found[0];
  }
  const reason = first === undefined ? "its contracts were neither called nor heard" : `${first.code} ${first.message}`;
  return { problem: `no rule could be drafted that passes: ${reason}; today ${today}` };
}

/** Errors and warnings of the new file, and errors that it makes in others. */
function findingsOf(text: string, { file, recordingsDir }: ScaffoldOrder, sources: LintSources): Diagnostic[] {
  const rules = [...sources.rules, { file, text }];
  const own = lint({ ...sources, rules, wanted: new Set([file]) }, recordingsDir).diagnostics;
  const bad = own.filter(({ level }) => level !== "note");
  if (bad.length > 0) return bad;
  const others = { ...sources, wanted: new Set(sources.rules.map((source) => source.file)) };
  const key = ({ code, file: where, message }: Diagnostic) => `${code} ${where} ${message}`;
  const after = lint({ ...others, rules }, recordingsDir).diagnostics.filter(({ level }) => level === "error");
  if (after.length === 0) return [];
  const before = new Set(lint(others, recordingsDir).diagnostics.map(key));
  return after.filter((one) => !before.has(key(one)));
}
