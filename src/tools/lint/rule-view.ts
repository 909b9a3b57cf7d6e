import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Reporter } from "../../rules/documents/reporter.ts";
import type { DocumentPath } from "../../rules/documents/source-document.ts";
import type { FileScope } from "../../rules/ruleset/compile/spot.ts";
import type { LoadedFile } from "../../rules/ruleset/compile-documents.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import { attemptsOf, type PlacedAttempt } from "../../rules/ruleset/document/attempt-entry.ts";
import type { RuleDocument, RuleEntry } from "../../rules/ruleset/document/rule-document.ts";

/** It compiled; only such files are checked further. */
export interface UsableFile extends LoadedFile {
  document: RuleDocument;
  scope: FileScope;
}

/** Code, path in the file, message, and where to point. */
export type LintFinding = Parameters<Reporter["report"]>;

/** A rule as written. */
export interface PlacedEntry {
  entry: RuleEntry;
  /** With the protocol. */
  id: string;
  /** In the file. */
  at: DocumentPath;
}

/** A compiled rule with its entry. */
export interface RuleView extends Omit<PlacedEntry, "id"> {
  rule: CompiledRule;
  file: UsableFile;
  /** null: the act itself. */
  attempt: PlacedAttempt | null;
}

/** Sentence and captures of the act, or of an attempt. */
export interface Telling {
  at: DocumentPath;
  captures: NonNullable<RuleEntry["capture"]>;
  does: string | undefined;
  where?: unknown;
}

export function isUsable(file: LoadedFile): file is UsableFile {
  return file.document !== undefined && file.scope !== undefined;
}

export function entriesOf({ document }: UsableFile): PlacedEntry[] {
  const { protocol, rules = [] } = document;
  return rules.map((entry, i) => ({ entry, id: `${protocol}/${entry.id}`, at: ["rules", i] }));
}

/** Rules in the order of the entries. Of equal ids the first counts. */
export function viewRules(file: UsableFile): RuleView[] {
  const entries = entriesOf(file);
  return file.rules.map((rule) => {
    const { entry, at } = entries.find(({ id }) => id === rule.id) as PlacedEntry;
    const attempt = rule.attempt === null ? null : (attemptsOf(entry)[rule.attempt] ?? null);
    return { rule, entry, file, at, attempt };
  });
}

/** The act, then each attempt. */
export function tellingsOf({ entry, at }: PlacedEntry): [Telling, ...Telling[]] {
  const attempts = attemptsOf(entry).map(({ attempt, path }) => ({
    at: [...at, ...path],
    captures: attempt.capture ?? {},
    does: attempt.does,
    where: attempt.where,
  }));
  return [{ at, captures: entry.capture ?? {}, does: entry.does }, ...attempts];
}

export function relatedTo(file: UsableFile, path: DocumentPath, message: string): NonNullable<Diagnostic["related"]> {
  return [{ file: file.source.file, range: file.source.rangeOf(path), message }];
}
