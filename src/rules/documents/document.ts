import type { Node, Pair, Scalar } from "yaml";
import type { Diagnostic, Range } from "../../model/diagnostic.ts";
import { loadYaml } from "./packages.ts";
import type { DocumentCodes, DocumentPath, SourceDocument } from "./source-document.ts";
import { findSyntaxMistake } from "./syntax-mistake.ts";

/** Strict YAML: duplicate keys, anchors, aliases, tags, merge keys and unquoted hex become diagnostics. */
export function readDocument(file: string, text: string, codes: DocumentCodes): SourceDocument {
  const parsed = parse(text);
  const places = new Places(text, parsed.contents);
  latest = { text, places };
  const diagnostics: Diagnostic[] = [];
  const report: Report = (kind, offsets, message, rest = {}) =>
    diagnostics.push({ code: codes[kind], level: "error", file, range: places.range(offsets), message, ...rest });
  for (const { pos } of parsed.errors.filter(({ code }) => code === "MULTIPLE_DOCS"))
    report("feature", pos, "a second document starts here; one was expected");
  const first = parsed.errors.find(({ code }) => code !== "MULTIPLE_DOCS");
  if (first !== undefined) {
    const { at, message, help } = findSyntaxMistake(text, first);
    report("syntax", at, message, { help });
  }
  if (parsed.directives?.yaml.explicit === true)
    report("feature", places.token(text.indexOf("%YAML")), "a YAML directive is not allowed");
  const value = parsed.errors.length > 0 ? undefined : toData(parsed.contents, report);
  const usable = !diagnostics.some(({ code }) => code === codes.syntax || code === codes.feature);
  return { ...openDocument(file, text, codes, usable ? value : undefined), diagnostics };
}

/** The value is known. The text is parsed only when a place is asked for: most files have no mistake, and nodes take much memory. */
export function openDocument(file: string, text: string, codes: DocumentCodes, value: unknown): SourceDocument {
  let places: Places | undefined;
  const rangeOf: SourceDocument["rangeOf"] = (path, options) => {
    places ??= latest?.text === text ? latest.places : new Places(text, parse(text).contents);
    return places.rangeOf(path, options);
  };
  return { file, text, codes, value, rangeOf, diagnostics: [] };
}

/** A run about one file soon asks for its places. */
let latest: { text: string; places: Places } | undefined;

/** Without the package's check for duplicate keys, which is quadratic; `toData` finds them. */
function parse(text: string) {
  return loadYaml().parseDocument(text, { uniqueKeys: false, prettyErrors: false });
}

type Offsets = readonly [start: number, end: number];
type Report = (
  kind: keyof DocumentCodes,
  offsets: Offsets,
  message: string,
  rest?: Pick<Diagnostic, "help" | "suggest">,
) => void;

/** 1-based. */
class Places {
  readonly #text: string;
  /** Line starts. The YAML package's own counter is wrong after some errors. */
  readonly #lines: number[] = [0];
  readonly #root: Node | null;

  constructor(text: string, root: Node | null) {
    this.#text = text;
    this.#root = root;
  }

  rangeOf(path: DocumentPath, options: Parameters<SourceDocument["rangeOf"]>[1] = {}): Range {
    const { node, key, found } = this.#find(path);
    if (!found) return path.length === 0 ? this.range([0, 0]) : this.rangeOf(path.slice(0, -1), { key: true });
    if (key !== undefined && (options.key === true || node === undefined)) return this.range(offsetsOf(key));
    if (node === undefined) return this.range([0, 0]);
    const [start, end] = offsetsOf(node);
    const { isScalar } = loadYaml();
    if (options.inside !== undefined && isScalar(node)) return this.#inside(node, options.inside);
    const flat = !this.#text.slice(start, end).trimEnd().includes("\n");
    return this.range(flat || key === undefined || isScalar(node) ? [start, end] : offsetsOf(key));
  }

  /** A range over several lines is cut at the end of the first. */
  range([start, end]: Offsets): Range {
    const lineEnd = this.#text.indexOf("\n", start);
    const last = Math.max(start, Math.min(end, lineEnd < 0 ? this.#text.length : lineEnd));
    return { start: this.#position(start), end: this.#position(last) };
  }

  token(start: number): Offsets {
    const found = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:,{}[\]]+)/.exec(this.#text.slice(start, start + 200));
    return [start, start + (found?.[0].length ?? 1)];
  }

  #inside(node: Scalar, { offset, length }: { offset: number; length: number }): Range {
    const [start, end] = offsetsOf(node);
    const raw = this.#text.slice(start, end);
    const from = rawOffset(raw, offset);
    const to = rawOffset(raw, offset + length);
    return this.range(from === undefined || to === undefined ? [start, end] : [start + from, start + to]);
  }

  #find(path: DocumentPath): { node: Node | undefined; key: Node | undefined; found: boolean } {
    const { isMap, isNode, isSeq } = loadYaml();
    let node: unknown = this.#root;
    let key: Node | undefined;
    for (const part of path) {
      const pair: Pair | undefined = isMap(node)
        ? node.items.find((item) => keyText(item) === String(part))
        : undefined;
      if (pair === undefined && !(isSeq(node) && Number(part) in node.items))
        return { node: undefined, key: undefined, found: false };
      key = pair !== undefined && isNode(pair.key) ? pair.key : undefined;
      node = pair === undefined ? (node as { items: unknown[] }).items[Number(part)] : pair.value;
    }
    return { node: isNode(node) ? node : undefined, key, found: true };
  }

  #position(offset: number): Range["start"] {
    const lines = this.#lines;
    if (lines.length === 1)
      for (let at = this.#text.indexOf("\n"); at >= 0; at = this.#text.indexOf("\n", at + 1)) lines.push(at + 1);
    let line = 0;
    let beyond = lines.length;
    while (beyond - line > 1) {
      const middle = (line + beyond) >> 1;
      if ((lines[middle] as number) <= offset) line = middle;
      else beyond = middle;
    }
    return { line: line + 1, column: offset - (lines[line] as number) + 1 };
  }
}

/** Reports YAML features that these files may not use. */
function toData(node: unknown, report: Report): unknown {
  const { isAlias, isMap, isNode, isScalar, isSeq } = loadYaml();
  if (!isNode(node)) return null;
  if (isAlias(node))
    return report("feature", offsetsOf(node), `the alias \`*${node.source}\` is not allowed: write the value out`);
  checkProperties(node, report);
  if (isMap(node)) return toObject(node.items as Pair[], report);
  if (isSeq(node)) return node.items.map((item) => toData(item, report));
  return isScalar(node) ? toScalar(node, report) : null;
}

function toObject(pairs: readonly Pair[], report: Report): Record<string, unknown> {
  const { isScalar } = loadYaml();
  const data: Record<string, unknown> = Object.create(null);
  for (const pair of pairs) {
    const { key } = pair;
    if (!isScalar(key)) {
      report("feature", offsetsOf(key), "the key is not plain text");
      continue;
    }
    checkProperties(key, report);
    const text = keyText(pair);
    if (text === "<<") report("feature", offsetsOf(key), "merge keys are not allowed: write the values out");
    if (typeof key.value === "number") toScalar(key, report);
    if (Object.hasOwn(data, text))
      report("syntax", offsetsOf(key), `the key \`${text}\` is written twice in one mapping; once was expected`, {
        help: "Remove one of the two, or rename it.",
      });
    data[text] = toData(pair.value, report);
  }
  return data;
}

/** A number that YAML would change is reported and stays text, so that it is reported once. */
function toScalar(node: Scalar, report: Report): unknown {
  if (typeof node.value !== "number") return node.value;
  const source = node.source ?? String(node.value);
  const shown = source.length > 20 ? `${source.slice(0, 17)}…` : source;
  const quoted = { suggest: `"${source}"` };
  if (/^[-+]?0x/i.test(source)) {
    const message = `\`${shown}\` is unquoted hex, which YAML reads as a number; quoted text was expected`;
    report("hex", offsetsOf(node), message, quoted);
    return source;
  }
  if (!Number.isInteger(node.value) || Number.isSafeInteger(node.value)) return node.value;
  const message = `\`${shown}\` is above 2^53 - 1 and loses digits; quoted text was expected`;
  report("large", offsetsOf(node), message, quoted);
  return source;
}

function checkProperties(node: Node & { anchor?: string; tag?: string }, report: Report): void {
  if (node.anchor !== undefined)
    report("feature", offsetsOf(node), `the anchor \`&${node.anchor}\` is not allowed: write the value out`);
  if (node.tag !== undefined) report("feature", offsetsOf(node), `the tag \`${node.tag}\` is not allowed`);
}

/** `0` and `"0"` are one key here; large numbers keep their digits. */
function keyText(pair: Pair): string {
  const key = pair.key as Partial<Scalar> | null;
  return typeof key?.value === "string" ? key.value : (key?.source ?? String(key?.value));
}

function offsetsOf(node: unknown): Offsets {
  return loadYaml().isNode(node) && node.range ? [node.range[0], node.range[1]] : [0, 0];
}

/** The place of a character in the YAML source, quotes included; undefined over several lines. `index` may be one past the end. */
export function rawOffset(raw: string, index: number): number | undefined {
  const quote = raw[0];
  if (raw.trimEnd().includes("\n")) return undefined;
  if (quote !== '"' && quote !== "'") return index;
  let at = 1;
  for (let i = 0; i < index; ) {
    const size = quote === "'" ? (raw[at] === "'" ? 2 : 1) : escapeSize(raw, at);
    // A \U escape above U+FFFF is two UTF-16 units of text.
    i += size === 10 && Number.parseInt(raw.slice(at + 2, at + 10), 16) > 0xffff ? 2 : 1;
    at += size;
  }
  return at;
}

/** YAML 1.2, 5.7; 1 when there is none. */
function escapeSize(raw: string, at: number): number {
  if (raw[at] !== "\\") return 1;
  const digits = { x: 2, u: 4, U: 8 }[raw[at + 1] ?? ""] ?? 0;
  return 2 + digits;
}
