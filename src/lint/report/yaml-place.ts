import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import type { Position } from "../../model/diagnostic.ts";

/** The path of the innermost node at a position, such as `rules/supply/where`; empty outside of all. */
export type PlaceNamer = (at: Position) => string;

/** Reads a text once. Entries of lists go by their id or name where they have one: those stay when others come before them. */
export function placeNamer(text: string): PlaceNamer {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: "silent" });
  return ({ line, column }) => {
    const start = lines.lineStarts[line - 1];
    return start === undefined ? "" : pathTo(contents, start + column - 1).join("/");
  };
}

function pathTo(root: unknown, offset: number): string[] {
  const path: string[] = [];
  for (let node = root; isMap(node) || isSeq(node); ) {
    const next: [string, unknown] | undefined = isMap(node)
      ? entryAt(node.items as Pair[], offset)
      : itemAt(node.items, offset);
    if (next === undefined) break;
    path.push(next[0]);
    node = next[1];
  }
  return path;
}

function entryAt(pairs: readonly Pair[], offset: number): [string, unknown] | undefined {
  const pair = pairs.find(({ key, value }) => spans(key, offset) || spans(value, offset));
  return pair === undefined ? undefined : [keyText(pair), spans(pair.value, offset) ? pair.value : undefined];
}

function itemAt(items: readonly unknown[], offset: number): [string, unknown] | undefined {
  const index = items.findIndex((item) => spans(item, offset));
  return index < 0 ? undefined : [nameOf(items[index]) ?? String(index), items[index]];
}

function nameOf(item: unknown): string | undefined {
  if (!isMap(item)) return undefined;
  const named = ["id", "name", "tx", "address"].flatMap((key) => {
    const value = item.get(key);
    return typeof value === "string" ? value : [];
  });
  return named[0];
}

function keyText({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "";
}

function spans(node: unknown, offset: number): boolean {
  if (!isNode(node)) return false;
  const [start, , end] = (node as Node).range ?? [0, 0, 0];
  return offset >= start && offset < Math.max(end, start + 1);
}
