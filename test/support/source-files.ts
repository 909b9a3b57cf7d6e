import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { root } from "./shared.ts";

/** A source file as the architecture tests see it. Paths are relative to the package, with forward slashes. */
export interface SourceFile {
  path: string;
  lines: number;
  /** Files that it imports. Imports of types, re-exports, and dynamic imports with a fixed name count too. */
  imports: string[];
  functions: { name: string; line: number; lines: number }[];
  exports: { default: boolean; barrel: boolean };
}

/** Reads and parses every source file below the given folders. */
export function readSources(...folders: string[]): SourceFile[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => posix.join(folder, name.replaceAll("\\", "/"))),
  );
  return files.sort().map((path) => inspect(path, readFileSync(join(root, path), "utf8")));
}

/** Reads one file. */
export function inspect(path: string, text: string): SourceFile {
  const lineOf = lineCounter(text);
  const file: SourceFile = {
    path,
    lines: text.trimEnd().split("\n").length,
    imports: [],
    functions: [],
    exports: { default: false, barrel: false },
  };
  visit(parseAst(text, { lang: "ts" }, path) as unknown as Node, undefined, (node, parent) => {
    const source = (node.source as Node | null)?.value;
    if (typeof source === "string" && source.startsWith(".")) {
      file.imports.push(posix.normalize(posix.join(dirname(path), source)));
    }
    if (node.type === "ExportDefaultDeclaration") file.exports.default = true;
    if (node.type === "ExportAllDeclaration") file.exports.barrel = true;
    if (node.type === "ExportNamedDeclaration" && typeof source === "string") file.exports.barrel = true;
    if (isFunction(node)) {
      const first = lineOf(node.start);
      file.functions.push({ name: nameOf(node, parent), line: first, lines: lineOf(node.end) - first + 1 });
    }
  });
  return file;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

function visit(node: Node, parent: Node | undefined, see: (node: Node, parent: Node | undefined) => void): void {
  see(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child === "object" && typeof child.type === "string") visit(child, node, see);
    }
  }
}

function isFunction(node: Node): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) && node.body !== null;
}

function nameOf(node: Node, parent: Node | undefined): string {
  const named = [node.id, parent?.id, parent?.key].find((item) => typeof (item as Node | null)?.name === "string");
  return ((named as Node | undefined)?.name as string | undefined) ?? "(anonymous)";
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    return after < 0 ? starts.length : after;
  };
}
