import type { DocumentPath } from "../documents/source-document.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { FileScope } from "../ruleset/compile/spot.ts";
import type { LoadedFile } from "../ruleset/compile-documents.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import { attemptsOf, type PlacedAttempt } from "../ruleset/document/attempt-entry.ts";
import type { RuleDocument, RuleEntry } from "../ruleset/document/rule-document.ts";

/** A rule file that compiled: checks beyond the compiler look at nothing else. */
export interface UsableFile extends LoadedFile {
  document: RuleDocument;
  scope: FileScope;
}

/** A rule as its file writes it. */
export interface PlacedEntry {
  entry: RuleEntry;
  /** With the protocol in front. */
  id: string;
  /** Path of the entry in its file. */
  at: DocumentPath;
}

/** A compiled rule beside the text that it comes from. */
export interface RuleView extends Omit<PlacedEntry, "id"> {
  rule: CompiledRule;
  file: UsableFile;
  /** What it was made from when that is one of `attempts`; null for the act. */
  attempt: PlacedAttempt | null;
}

/** What a rule says of its act or of one attempt. */
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

/** Every compiled rule of a file, in the order of its entries. A repeated id belongs to its first entry. */
export function viewRules(file: UsableFile): RuleView[] {
  const entries = entriesOf(file);
  return file.rules.map((rule) => {
    const { entry, at } = entries.find(({ id }) => id === rule.id) as PlacedEntry;
    const attempt = rule.attempt === null ? null : (attemptsOf(entry)[rule.attempt] ?? null);
    return { rule, entry, file, at, attempt };
  });
}

/** What is said of the act, then of each attempt. */
export function tellingsOf({ entry, at }: PlacedEntry): [Telling, ...Telling[]] {
  const attempts = attemptsOf(entry).map(({ attempt, path }) => ({
    at: [...at, ...path],
    captures: attempt.capture ?? {},
    does: attempt.does,
    where: attempt.where,
  }));
  return [{ at, captures: entry.capture ?? {}, does: entry.does }, ...attempts];
}

/** A place to which a finding elsewhere refers. */
export function relatedTo(file: UsableFile, path: DocumentPath, message: string): NonNullable<Diagnostic["related"]> {
  return [{ file: file.source.file, range: file.source.rangeOf(path), message }];
}
