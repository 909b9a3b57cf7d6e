import { counted } from "../../kernel/amount.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Labels } from "../../model/label.ts";
import { compileLabels } from "../../rules/labels/load.ts";
import { compileSources } from "../../rules/ruleset/load.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { ScopeLookup } from "./examples/given-names.ts";
import { isUsable } from "./rule-view.ts";
import { type LintSources, SourceError } from "./sources.ts";

export interface ExampleWorld {
  ruleset: Ruleset;
  labels: Labels;
  /** `<hash>.json`. */
  recordingsDir: string;
  scopes: ScopeLookup;
}

/** Called before each file. */
export type OnFile = (done: number, all: number) => void;

export function* withProgress<T>(files: readonly T[], onFile?: OnFile): Generator<T> {
  for (const [done, file] of files.entries()) {
    onFile?.(done, files.length);
    yield file;
  }
}

/** `files`: without errors. `wanted`: those asked for. `broken`: asked for, readable, with errors. */
export function openSources(sources: LintSources, recordingsDir: string) {
  // The fingerprint of a ruleset marks answers that are kept. Nobody keeps these, so it is not computed.
  const loaded = compileSources(sources.rules, { fingerprint: "" });
  const { ruleset } = loaded;
  const { labels, diagnostics: labelProblems } = compileLabels(sources.labels, ruleset.names);
  const faulty = new Set(loaded.diagnostics.filter(({ level }) => level === "error").map(({ file }) => file));
  const readable = loaded.files.filter(isUsable);
  const files = readable.filter(({ source }) => !faulty.has(source.file));
  const [wanted = [], broken = []] = [files, readable.filter((file) => !files.includes(file))].map((list) =>
    list.filter(({ source }) => sources.wanted.has(source.file)),
  );
  const scopes = new Map(files.map(({ document, scope }) => [document.protocol, scope]));
  const world: ExampleWorld = { ruleset, labels, recordingsDir, scopes: (protocol: string) => scopes.get(protocol) };
  return { loaded, files, wanted, broken, labelProblems, world };
}

/** Throws {@link SourceError}: results of rules with mistakes cannot be trusted. */
export function refuseMistakes(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ level }) => level === "error").length;
  if (errors > 0) throw new SourceError(`the rules have ${counted(errors, "mistake")}; \`rule-lint\` shows them`);
}
