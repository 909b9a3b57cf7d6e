import { createHash } from "node:crypto";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { allCodes, findCode, sampleOf } from "../codes/codes.ts";
import { uniqueNames } from "../distinct-names.ts";
import { type LintReport, sentenceOf } from "./lint-report.ts";
import { type PlaceNamer, placeNamer } from "./yaml-place.ts";

/**
 * SARIF 2.1.0 for code scanning services. The fingerprint of a finding is made of its code, file and YAML path, so that it stays the same
 * when lines move.
 */
export function formatSarif(report: LintReport): string {
  const codes = allCodes();
  const places = new Map<string, PlaceNamer>();
  const keyOf = ({ code, file, range }: Diagnostic) => {
    const place = places.get(file) ?? placeNamer(report.lines(file)?.join("\n") ?? "");
    places.set(file, place);
    return `${code}\n${file}\n${place(range.start)}`;
  };
  // Findings with the same code and YAML path get numbers.
  const keys = uniqueNames(report.diagnostics.map(keyOf), (key, count) => `${key}\n${count}`);
  const results = report.diagnostics.map((one, i) => resultOf(one, codes.indexOf(one.code), sha256(keys[i] ?? "")));
  const tool = { driver: { name: "rule-lint", rules: codes.map(ruleOf) } };
  const document = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool, columnKind: "utf16CodeUnits", results }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function ruleOf(code: string) {
  const entry = findCode(code);
  return {
    id: code,
    shortDescription: { text: capital(entry?.finds ?? code) },
    help: helpIn(code, entry?.help ?? ""),
    defaultConfiguration: { level: entry?.level ?? "error" },
  };
}

/** The help of a code as text, and as markdown with samples for viewers that can show it. */
function helpIn(code: string, text: string) {
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

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
