import { createHash } from "node:crypto";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { allCodes, findCode, sampleOf } from "../codes/codes.ts";

import type { LintReport } from "./lint-report.ts";
import { sentenceOf } from "./tally.ts";
import { type PlaceNamer, placeNamer } from "./yaml-place.ts";

/**
 * SARIF 2.1.0 for code scanning services. A finding's fingerprint is made of code, file and YAML path, so that it stays the same
 * finding when lines move.
 */
export function formatSarif(report: LintReport): string {
  const codes = allCodes();
  const places = new Map<string, PlaceNamer>();
  const seen = new Map<string, number>();
  const results = report.diagnostics.map((one) => {
    const place = places.get(one.file) ?? placeNamer(report.lines(one.file)?.join("\n") ?? "");
    places.set(one.file, place);
    const key = `${one.code}\n${one.file}\n${place(one.range.start)}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    // Two findings of one kind at one node: the later one is told apart by its number.
    return resultOf(one, codes.indexOf(one.code), digest(count === 1 ? key : `${key}\n${count}`));
  });
  const document = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "rule-lint", rules: codes.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function ruleOf(code: string) {
  const entry = findCode(code);
  return {
    id: code,
    shortDescription: { text: capital(entry?.finds ?? code) },
    help: helpOf(code, entry?.help ?? ""),
    defaultConfiguration: { level: entry?.level ?? "error" },
  };
}

/** Viewers show the text, or the markdown where they can. */
function helpOf(code: string, text: string) {
  const sample = sampleOf(code);
  if (sample === undefined) return { text };
  const block = (lines: string) => `\`\`\`yaml\n${lines}\n\`\`\``;
  return { text, markdown: `${text}\n\nBad:\n\n${block(sample.bad)}\n\nGood:\n\n${block(sample.good)}` };
}

function resultOf(one: Diagnostic, ruleIndex: number, fingerprint: string) {
  const related = (one.related ?? []).map((other, id) => ({
    id,
    message: { text: other.message },
    ...locationOf(other),
  }));
  return {
    ruleId: one.code,
    ruleIndex,
    level: one.level,
    message: { text: sentenceOf(one) },
    locations: [locationOf(one)],
    ...(related.length > 0 && { relatedLocations: related }),
    partialFingerprints: { "yamlPath/v1": fingerprint },
  };
}

function locationOf({ file, range: { start, end } }: Pick<Diagnostic, "file" | "range">) {
  return {
    physicalLocation: {
      artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
      region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
    },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
