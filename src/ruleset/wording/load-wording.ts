import { readFileSync } from "node:fs";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { readDocument, type SourceDocument } from "../document/document.ts";
import { createReporter } from "../document/reporter.ts";
import { layWording, resolveWording, type Wording, type WordingDocument } from "./wording.ts";

const nothing: WordingDocument = { phrases: {} };

/**
 * The wording of a rule folder, laid over that of the package: a folder may leave out what it does not say differently. A source
 * that is not valid says nothing.
 */
export function loadWording(
  source: SourceDocument | undefined,
  diagnostics: Diagnostic[],
): { wording: Wording; document: WordingDocument } {
  const own = (source?.value as WordingDocument | undefined) ?? nothing;
  const document = layWording(readShipped(), own);
  const { wording, problems } = resolveWording(document);
  if (source?.value !== undefined) {
    const reporter = createReporter(source, diagnostics);
    for (const { path, message, key, meant } of problems)
      reporter.report("RL220", path, message, { key, suggest: meant });
  }
  return { wording, document };
}

function readShipped(): WordingDocument {
  const url = new URL("../../../rules/wording.yaml", import.meta.url);
  return readDocument("wording.yaml", readFileSync(url, "utf8")).value as WordingDocument;
}
