import { readFileSync } from "node:fs";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { readDocument } from "../../documents/document.ts";
import { createReporter } from "../../documents/reporter.ts";
import type { SourceDocument } from "../../documents/source-document.ts";
import { ruleDocumentCodes } from "../document/rule-schemas.ts";
import { type LaidWording, layWording, resolveWording, type WordingDocument } from "./wording.ts";

/** The package's text, for phrases that a rule folder leaves out. */
export function shippedWordingText(): string {
  return readFileSync(new URL("../../../../rules/wording.yaml", import.meta.url), "utf8");
}

export function readShippedWording(): WordingDocument {
  return readDocument("wording.yaml", shippedWordingText(), ruleDocumentCodes).value as WordingDocument;
}

const nothing: WordingDocument = { phrases: {} };

/**
 * Later folders win; missing phrases come from the package; an invalid source is ignored. `known`: of the same texts, by an earlier start.
 * Mistakes are reported in the last valid source.
 */
export function layFolderWording(
  sources: readonly SourceDocument[],
  diagnostics: Diagnostic[],
  known: WordingDocument | undefined,
): LaidWording {
  const own = sources.map(({ value }) => (value as WordingDocument | undefined) ?? nothing);
  const document = known ?? own.reduce(layWording, readShippedWording());
  const { wording, problems } = resolveWording(document);
  const source = sources.findLast(({ value }) => value !== undefined);
  if (source !== undefined) {
    const reporter = createReporter(source, diagnostics);
    for (const { path, message, key, meant } of problems)
      reporter.report("RL220", path, message, { key, suggest: meant });
  }
  return { wording, document };
}
