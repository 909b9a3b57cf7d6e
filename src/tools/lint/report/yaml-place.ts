import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from "yaml";
import type { Position } from "../../../model/diagnostic.ts";

/** The path of the innermost YAML node at a position, such as `rules/supply/where`; empty outside of all nodes. */
export type PlaceNamer = (at: Position) => string;

/**
 * Parses a text once. Entries of lists are named by their id, name, tx or address where they have one: unlike numbers, these stay when
 * entries are added before them.
 */
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
