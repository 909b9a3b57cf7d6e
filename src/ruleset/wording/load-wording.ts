import { readFileSync } from "node:fs";
import { readDocument, type SourceDocument } from "../../documents/document.ts";
import { createReporter } from "../../documents/reporter.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { ruleDocumentCodes } from "../document/rule-schemas.ts";
import { layWording, resolveWording, type Wording, type WordingDocument } from "./wording.ts";

const nothing: WordingDocument = { phrases: {} };

/**
 * The wording of a rule folder, laid over that of the package: a folder may leave out what it does not say differently. A source
 * that is not valid says nothing. `known`: the laid wording of the same texts, where an earlier start made it.
 */
export function loadWording(
  source: SourceDocument | undefined,
  diagnostics: Diagnostic[],
  known?: WordingDocument,
): { wording: Wording; document: WordingDocument } {
  const own = (source?.value as WordingDocument | undefined) ?? nothing;
  const document = known ?? layWording(readShipped(), own);
  const { wording, problems } = resolveWording(document);
  if (source?.value !== undefined) {
    const reporter = createReporter(source, diagnostics);
    for (const { path, message, key, meant } of problems)
      reporter.report("RL220", path, message, { key, suggest: meant });
  }
  return { wording, document };
}

/** The text of the phrases that a rule folder may leave out. */
export function shippedWordingText(): string {
  return readFileSync(new URL("../../../rules/wording.yaml", import.meta.url), "utf8");
}

function readShipped(): WordingDocument {
  return readDocument("wording.yaml", shippedWordingText(), ruleDocumentCodes).value as WordingDocument;
}
