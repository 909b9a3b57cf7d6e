import type { FileScope } from "../ruleset/compile/spot.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import { attemptsOf, type PlacedAttempt } from "../ruleset/document/attempt-entry.ts";
import type { RuleDocument, RuleEntry } from "../ruleset/document/rule-document.ts";
import type { LoadedFile } from "../ruleset/load.ts";

/** A rule file that compiled: checks beyond the compiler look at nothing else. */
export interface UsableFile extends LoadedFile {
  document: RuleDocument;
  scope: FileScope;
}

/** A compiled rule beside the text that it comes from. */
export interface RuleView {
  rule: CompiledRule;
  entry: RuleEntry;
  file: UsableFile;
  /** Path of the entry in its file. */
  at: (string | number)[];
  /** What it was made from when that is one of `attempts`; null for the act. */
  attempt: PlacedAttempt | null;
}

export function isUsable(file: LoadedFile): file is UsableFile {
  return file.document !== undefined && file.scope !== undefined;
}

/** Every compiled rule of a file, in the order of its entries. A repeated id belongs to its first entry. */
export function viewRules(file: UsableFile): RuleView[] {
  const entries = file.document.rules ?? [];
  return file.rules.map((rule) => {
    const position = entries.findIndex((entry) => `${file.document.protocol}/${entry.id}` === rule.id);
    const entry = entries[position] as RuleEntry;
    const attempt = rule.attempt === null ? null : (attemptsOf(entry)[rule.attempt] ?? null);
    return { rule, entry, file, at: ["rules", position], attempt };
  });
}
