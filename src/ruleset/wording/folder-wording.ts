import { createReporter } from "../../documents/reporter.ts";
import type { SourceDocument } from "../../documents/source-document.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { type LaidWording, layWording, resolveWording, type WordingDocument } from "./wording.ts";

const nothing: WordingDocument = { phrases: {} };

/**
 * The wording of rule folders, laid over that of the package, each over those before it: a folder may leave out what it does not
 * say differently. A source that is not valid says nothing. `base`: the laid wording of the same texts, where an earlier start made it; a function gives the
 * wording of the package.
 */
export function layFolderWording(
  sources: readonly SourceDocument[],
  diagnostics: Diagnostic[],
  base: WordingDocument | (() => WordingDocument),
): LaidWording {
  const own = sources.map(({ value }) => (value as WordingDocument | undefined) ?? nothing);
  const document = typeof base === "function" ? own.reduce(layWording, base()) : base;
  const { wording, problems } = resolveWording(document);
  const source = sources.findLast(({ value }) => value !== undefined);
  if (source !== undefined) {
    const reporter = createReporter(source, diagnostics);
    for (const { path, message, key, meant } of problems)
      reporter.report("RL220", path, message, { key, suggest: meant });
  }
  return { wording, document };
}
