import { parse } from "yaml";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { readDocument } from "../../../src/rules/documents/document.ts";
import { createReporter } from "../../../src/rules/documents/reporter.ts";
import type { WrittenFile } from "../../../src/rules/ruleset/document/like.ts";
import { resolveDocument } from "../../../src/rules/ruleset/document/resolve.ts";
import type { WrittenDocument } from "../../../src/rules/ruleset/document/rule-document.ts";
import { ruleDocumentCodes } from "../../../src/rules/ruleset/document/rule-schemas.ts";
import { placeOf } from "./rule-text.ts";

function written(text: string, file = "copy.yaml"): WrittenFile {
  return { source: readDocument(file, text, ruleDocumentCodes), written: parse(text) as WrittenDocument };
}

/** A file as it is resolved with these other files, the source of each of its parts, and the mistakes. */
export function resolve(text: string, originals: Record<string, string> = {}) {
  const diagnostics: Diagnostic[] = [];
  const files = new Map(Object.entries(originals).map(([id, one]) => [id, written(one, `${id}.yaml`)]));
  const file = written(text);
  const { document, source } = resolveDocument(file, files, createReporter(file.source, diagnostics));
  const at = (...path: (string | number)[]) => {
    const { start, end } = source.rangeOf(path);
    return `${start.line}:${start.column}-${end.line}:${end.column}`;
  };
  const from = (...path: (string | number)[]) => {
    const found = [source.originOf?.(path)].flat()[0];
    return found && `${found.file}:${found.range.start.line}:${found.range.start.column}`;
  };
  return { document, at, from, found: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`), diagnostics };
}
