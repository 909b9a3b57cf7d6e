import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLParseError,
} from "yaml";
import type { Diagnostic, Range } from "../model/diagnostic.ts";
import { type LabelCode, labelCodes } from "./code.ts";
import { readQuickly } from "./quick.ts";

/** A label file as it was found; `path` is what diagnostics print. */
export interface LabelFile {
  path: string;
  text: string;
}

/** Steps from the root of a document: keys and array positions. */
export type Path = readonly (string | number)[];

/** A label file as plain data, which still knows where each value stands. */
export interface LabelDocument {
  readonly path: string;
  /** Null-prototype objects, arrays and scalars; unquoted hex is kept as its source text. */
  readonly data: unknown;
  /** Where the value at a path stands; that of the closest value around it when there is none. */
  valueRange(path: Path): Range;
  /** Where the key at a path stands; the value's place when it has no key. */
  keyRange(path: Path): Range;
  /** Where one character of the text at a path stands; the whole value when escapes hide the place. */
  characterRange(path: Path, index: number, length: number): Range;
}

/** Reads YAML without anchors, tags and number traps (LB101 to LB104). There is no document when it cannot be parsed. */
export function readDocument(file: LabelFile): { document?: LabelDocument; diagnostics: Diagnostic[] } {
  const quick = readQuickly(file.text);
  if (quick !== undefined) return { document: new ReadDocument(file, quick.data), diagnostics: [] };
  const { root, reading, errors } = parse(file);
  for (const error of errors) {
    const code = error.code === "MULTIPLE_DOCS" ? "LB102" : "LB101";
    const message = code === "LB102" ? "A second document starts here; one was expected." : "The text is not YAML.";
    reading.diagnostics.push(found(reading, code, error.pos, { message, help: `${error.code}: ${error.message}` }));
  }
  if (errors.length > 0) return { diagnostics: reading.diagnostics };
  return { document: new ReadDocument(file, toData(root, reading)), diagnostics: reading.diagnostics };
}

/** Makes a diagnostic of a code of the table; level and file are filled in. */
export function report(
  code: LabelCode,
  file: string,
  range: Range,
  rest: Pick<Diagnostic, "message" | "suggest" | "help" | "related">,
): Diagnostic {
  return { code, level: labelCodes[code].level, file, range, ...rest };
}

interface Reading {
  file: LabelFile;
  lines: LineCounter;
  diagnostics: Diagnostic[];
}

type Offsets = readonly [start: number, end: number];

interface Parsed {
  root: Node | null;
  reading: Reading;
  errors: readonly YAMLParseError[];
}

function parse(file: LabelFile): Parsed {
  const lines = new LineCounter();
  const parsed = parseDocument(file.text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  return { root: parsed.contents, reading: { file, lines, diagnostics: [] }, errors: parsed.errors };
}

/** Nodes and line numbers are worked out when a place is first asked for: files without mistakes never need them. */
class ReadDocument implements LabelDocument {
  readonly path: string;
  readonly data: unknown;
  readonly #file: LabelFile;
  #parsed: Parsed | undefined;

  constructor(file: LabelFile, data: unknown) {
    this.path = file.path;
    this.data = data;
    this.#file = file;
  }

  valueRange(path: Path): Range {
    return toRange(this.#parse().reading, this.#find(path).value);
  }

  keyRange(path: Path): Range {
    const { key, value } = this.#find(path);
    return toRange(this.#parse().reading, key ?? value);
  }

  characterRange(path: Path, index: number, length: number): Range {
    const [start, end] = this.#find(path).value;
    const raw = this.#file.text.slice(start, end);
    const { reading } = this.#parse();
    if (raw.includes("\\") || raw.includes("\n")) return toRange(reading, [start, end]);
    const quote = raw.startsWith('"') || raw.startsWith("'") ? 1 : 0;
    return toRange(reading, [start + quote + index, start + quote + index + length]);
  }

  #parse(): Parsed {
    this.#parsed ??= parse(this.#file);
    return this.#parsed;
  }

  #find(path: Path): { key: Offsets | undefined; value: Offsets } {
    const { root } = this.#parse();
    let node: unknown = root;
    let key: Offsets | undefined;
    let value = offsetsOf(root);
    for (const step of path) {
      const pair: Pair | undefined = isMap(node) ? node.items.find((item) => keyText(item) === step) : undefined;
      const next: unknown = pair === undefined ? (isSeq(node) ? node.items[Number(step)] : undefined) : pair.value;
      if (pair === undefined && next === undefined) break;
      key = pair !== undefined && isNode(pair.key) ? offsetsOf(pair.key) : undefined;
      value = isNode(next) ? offsetsOf(next) : (key ?? value);
      node = next;
    }
    return { key, value };
  }
}

/** Turns nodes into plain data, reporting what YAML allows and label files do not. */
function toData(node: unknown, reading: Reading): unknown {
  if (!isNode(node) || !isPlain(node, reading)) return null;
  if (isMap(node)) return toObject(node.items, reading);
  if (isSeq(node)) return node.items.map((item) => toData(item, reading));
  return isScalar(node) ? toScalar(node, reading) : null;
}

/** False for an alias, which has no value of its own; anchors and tags are reported and read past. */
function isPlain(node: Node, reading: Reading): boolean {
  if (isAlias(node)) {
    reportFeature(reading, node, `The alias \`*${node.source}\` was found; the value itself was expected.`);
    return false;
  }
  const feature =
    node.anchor !== undefined
      ? `anchor \`&${node.anchor}\``
      : node.tag !== undefined
        ? `tag \`${node.tag}\``
        : undefined;
  if (feature !== undefined) reportFeature(reading, node, `The ${feature} was found; none is allowed.`);
  return true;
}

function toObject(pairs: readonly Pair[], reading: Reading): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null);
  const firsts = new Map<string, unknown>();
  for (const pair of pairs) {
    const text = keyText(pair);
    if (text === undefined || text === "<<") {
      reportFeature(
        reading,
        pair.key,
        `${text === "<<" ? "A merge key" : "A key that is not text"} was found; a plain key was expected.`,
      );
      continue;
    }
    if (isNode(pair.key)) isPlain(pair.key, reading);
    const first = firsts.get(text);
    if (first !== undefined) {
      const related = [
        { file: reading.file.path, range: toRange(reading, offsetsOf(first)), message: "The first one." },
      ];
      const message = `The key \`${text}\` is written twice in one mapping; once was expected.`;
      reading.diagnostics.push(found(reading, "LB101", offsetsOf(pair.key), { message, related }));
      continue;
    }
    firsts.set(text, pair.key);
    data[text] = toData(pair.value, reading);
  }
  return data;
}

function toScalar(node: Node & { value: unknown; source?: string; format?: string }, reading: Reading): unknown {
  if (typeof node.value !== "number") return node.value;
  const source = node.source ?? String(node.value);
  if (node.format === "HEX") {
    const message = `\`${clip(source)}\` is not quoted, so YAML reads it as a number; text was expected.`;
    const rest = { message, suggest: `"${source}"` };
    reading.diagnostics.push(found(reading, "LB103", offsetsOf(node), rest));
    return source;
  }
  if (Number.isInteger(node.value) && !Number.isSafeInteger(node.value)) {
    const message = `\`${clip(source)}\` is above 2^53 - 1, so YAML rounds it; quoted text was expected.`;
    reading.diagnostics.push(found(reading, "LB104", offsetsOf(node), { message, suggest: `"${source}"` }));
    return source;
  }
  return node.value;
}

/** A key as it is written: `1` and `"1"` are one key here, and 2^60 keeps its digits. */
function keyText(pair: Pair): string | undefined {
  if (!isScalar(pair.key)) return undefined;
  return typeof pair.key.value === "string" ? pair.key.value : (pair.key.source ?? String(pair.key.value));
}

function reportFeature(reading: Reading, node: unknown, message: string): void {
  reading.diagnostics.push(found(reading, "LB102", offsetsOf(node), { message }));
}

function found(
  reading: Reading,
  code: LabelCode,
  offsets: Offsets,
  rest: Pick<Diagnostic, "message" | "suggest" | "help" | "related">,
): Diagnostic {
  return report(code, reading.file.path, toRange(reading, offsets), rest);
}

function offsetsOf(node: unknown): Offsets {
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : [0, 0];
}

/** Offsets to 1-based positions; what spans lines is cut at the end of its first line. */
function toRange(reading: Reading, [start, end]: Offsets): Range {
  const { text } = reading.file;
  const lineEnd = text.indexOf("\n", start);
  const last = Math.max(start, Math.min(end, lineEnd === -1 ? text.length : lineEnd));
  return { start: position(reading.lines, start), end: position(reading.lines, last) };
}

function position(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function clip(text: string): string {
  return text.length <= 48 ? text : `${text.slice(0, 45)}...`;
}
