import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from "yaml";
import type { Diagnostic, Range } from "../model/diagnostic.ts";

/** A YAML file read once, with the place of every node. */
export interface SourceDocument {
  file: string;
  text: string;
  /** Plain data; undefined when the file is not YAML. */
  value: unknown;
  /** Where a value (or, with `key`, its key) stands; `inside` narrows to characters within a scalar. */
  rangeOf(
    path: readonly (string | number)[],
    options?: { key?: boolean; inside?: { offset: number; length: number } },
  ): Range;
  diagnostics: Diagnostic[];
}

/** Parses YAML strictly: duplicate keys, anchors, aliases, tags, merges and unquoted hex are mistakes, each with its place. */
export function readDocument(file: string, text: string): SourceDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: false, uniqueKeys: true });
  const range = (start: number, end: number): Range => {
    const from = lines.linePos(start);
    const to = lines.linePos(Math.max(end, start));
    return { start: { line: from.line, column: from.col }, end: { line: to.line, column: to.col } };
  };
  const diagnostics: Diagnostic[] = document.errors.map((error) => ({
    code: "RL101",
    level: "error",
    file,
    range: range(error.pos[0], error.pos[1]),
    message: error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? "not YAML",
    help: error.code,
  }));
  const rangeOf: SourceDocument["rangeOf"] = (path, options = {}) => {
    const node = findNode(document.contents, path, options.key ?? false);
    const place = (node as { range?: [number, number, number] } | undefined)?.range;
    if (place === undefined) return path.length === 0 ? range(0, 0) : rangeOf(path.slice(0, -1), { key: true });
    if (options.inside !== undefined && isScalar(node)) {
      const quote = text[place[0]] === '"' || text[place[0]] === "'" ? 1 : 0;
      const start = place[0] + quote + options.inside.offset;
      return range(start, start + options.inside.length);
    }
    return range(place[0], place[1]);
  };
  const failed = diagnostics.length > 0;
  if (!failed)
    checkNodes(document.contents, [], (path, code, message) =>
      diagnostics.push({ code, level: "error", file, range: rangeOf(path), message }),
    );
  return { file, text, value: failed ? undefined : document.toJS({ maxAliasCount: 0 }), rangeOf, diagnostics };
}

function findNode(root: unknown, path: readonly (string | number)[], key: boolean): unknown {
  let node = root;
  for (let i = 0; i < path.length; i++) {
    const part = path[i] as string | number;
    if (isMap(node)) {
      const pair = node.items.find((item: Pair) => String((item.key as { value?: unknown })?.value) === String(part));
      if (pair === undefined) return undefined;
      if (key && i === path.length - 1) return pair.key;
      node = pair.value;
    } else if (isSeq(node)) node = node.items[Number(part)];
    else return undefined;
  }
  return node;
}

type Report = (path: (string | number)[], code: string, message: string) => void;

function checkNodes(node: unknown, path: (string | number)[], report: Report): void {
  if (node === null || typeof node !== "object") return;
  const named = node as { anchor?: string; tag?: string; source?: string };
  if ("source" in named && !("value" in named))
    return report(path, "RL102", "aliases are not allowed: write the value out");
  if (named.anchor !== undefined)
    report(path, "RL102", `anchor \`${named.anchor}\` is not allowed: write the value out`);
  if (isMap(node)) {
    for (const pair of node.items as Pair[]) {
      const key = String((pair.key as { value?: unknown })?.value);
      if (key === "<<") report([...path, key], "RL102", "merge keys are not allowed: write the values out");
      checkNodes(pair.value, [...path, key], report);
    }
  } else if (isSeq(node))
    node.items.forEach((item, i) => {
      checkNodes(item, [...path, i], report);
    });
  else if (isScalar(node)) checkScalar(node, path, report);
}

function checkScalar(
  node: { value: unknown; source?: string; format?: string; tag?: string },
  path: (string | number)[],
  report: Report,
): void {
  if (node.tag?.startsWith("!")) report(path, "RL102", `tag \`${node.tag}\` is not allowed`);
  if (typeof node.value !== "number") return;
  if (node.format === "HEX" || /^0x/i.test(node.source ?? ""))
    report(
      path,
      "RL103",
      `\`${(node.source ?? "").slice(0, 12)}…\` is unquoted hex: YAML reads it as a number. Quote it`,
    );
  else if (!Number.isSafeInteger(node.value) && Number.isInteger(node.value))
    report(path, "RL104", `\`${node.source}\` is above 2^53 and loses digits. Quote it`);
}
