import { createHash } from "node:crypto";
import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from "yaml";
import type { Diagnostic, Position } from "../../../model/diagnostic.ts";
import { allCodes, findCode, sampleOf } from "../codes/codes.ts";
import { uniqueNames } from "../distinct-names.ts";
import { type LintReport, sentenceOf } from "./lint-report.ts";

/** SARIF 2.1.0. The fingerprint is of code, file and YAML path, so it stays when lines move. */
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

/** Text, and markdown with samples. */
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

/** The path of the innermost node, such as `rules/supply/where`; empty outside. */
type PlaceNamer = (at: Position) => string;

/** Entries of lists by id, name, tx or address, which stay when entries are added before them. */
export function placeNamer(text: string): PlaceNamer {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: "silent" });
  return ({ line, column }) => {
    const start = lines.lineStarts[line - 1];
    if (start === undefined) return "";
    const offset = start + column - 1;
    const path: string[] = [];
    visit(document, {
      Pair(_, { key, value }) {
        if (!spans(key, offset) && !spans(value, offset)) return visit.SKIP;
        path.push(isScalar(key) ? String(key.value) : "");
        return spans(value, offset) ? undefined : visit.BREAK;
      },
      Node(place, node) {
        if (typeof place !== "number") return undefined;
        if (!spans(node, offset)) return visit.SKIP;
        path.push(nameOf(node) ?? String(place));
        return undefined;
      },
    });
    return path.join("/");
  };
}

function nameOf(item: Node): string | undefined {
  const values = isMap(item) ? ["id", "name", "tx", "address"].map((key) => item.get(key)) : [];
  return values.find((value) => typeof value === "string");
}

function spans(node: unknown, offset: number): boolean {
  if (!isNode(node) || !node.range) return false;
  const [start, , end] = node.range;
  return offset >= start && offset < Math.max(end, start + 1);
}
