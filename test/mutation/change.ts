import { parseAst } from "rolldown/parseAst";

/** One small change of a source file: `before` at `start` becomes `after`. */
export interface Change {
  path: string;
  line: number;
  start: number;
  end: number;
  kind: string;
  before: string;
  after: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** The place of a node: the nodes around it, the nearest first, and the text of the file. */
interface Place {
  text: string;
  parents: readonly Node[];
}

type Maker = (node: Node, place: Place) => Draft[];

interface Draft {
  kind: string;
  at: { start: number; end: number };
  after: string;
}

const turned = pairs("< <=", "<= <", "> >=", ">= >", "=== !==", "!== ===");
const swapped = pairs("+ -", "- +", "* /", "/ *", "% *", ">> <<", "<< >>", "& |", "| &");
const joined = pairs("&& ||", "|| &&");
const renamed = pairs("every some", "some every", "min max", "max min");
const left = new Set(["sort", "toSorted", "reverse", "toReversed", "trim", "toLowerCase", "slice", "filter"]);
const leaves = new Set(["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"]);

const makers: Record<string, Maker> = {
  IfStatement: dropGuard,
  BinaryExpression: turnOperator,
  LogicalExpression: changeCondition,
  ConditionalExpression: swapBranches,
  UnaryExpression: dropNot,
  Literal: moveConstant,
  CallExpression: changeCall,
  ReturnStatement: changeReturn,
  ArrowFunctionExpression: changeReturn,
  ExpressionStatement: dropStatement,
  SpreadElement: dropSpread,
};

/** Every small change that could be made to a file, in the order of its text. */
export function changesOf(path: string, text: string): Change[] {
  const changes: Change[] = [];
  const lines = lineStarts(text);
  visit(parseAst(text, { lang: "ts" }, path) as unknown as Node, [], (node, parents) => {
    for (const { kind, at, after } of makers[node.type]?.(node, { text, parents }) ?? [])
      changes.push({ path, line: lineOf(lines, at.start), ...at, kind, before: text.slice(at.start, at.end), after });
  });
  return changes.sort((a, b) => a.start - b.start || a.end - b.end || (a.after < b.after ? -1 : 1));
}

/** The text with a change made. */
export function withChange(text: string, { start, end, after }: Change): string {
  return text.slice(0, start) + after + text.slice(end);
}

/** The first line of a change, before and after it, without indentation. It names the change. */
export function changedLine(text: string, change: Change): { from: string; to: string } {
  const first = text.lastIndexOf("\n", change.start - 1) + 1;
  const [from = "", to = ""] = [text, withChange(text, change)].map((each, i) => {
    const last = each.indexOf("\n", i === 0 ? change.end : change.start + change.after.length);
    return each
      .slice(first, last < 0 ? undefined : last)
      .replace(/\s+/g, " ")
      .trim();
  });
  return { from, to };
}

function dropGuard(node: Node): Draft[] {
  const then = node.consequent as Node;
  const last = then.type === "BlockStatement" ? (then.body as Node[]).at(-1) : then;
  if (node.alternate !== null || last === undefined || !leaves.has(last.type)) return [];
  return [{ kind: "guard dropped", at: span(node.test as Node), after: "false" }];
}

function turnOperator(node: Node, { text }: Place): Draft[] {
  const operator = node.operator as string;
  const at = operatorSpan(node, text);
  const other = turned.get(operator);
  if (other !== undefined) return [{ kind: "comparison turned", at, after: other }];
  const sign = swapped.get(operator);
  return sign === undefined || isText(node) ? [] : [{ kind: "arithmetic changed", at, after: sign }];
}

function changeCondition(node: Node, { text }: Place): Draft[] {
  const [first, second] = [node.left as Node, node.right as Node];
  const operator = node.operator as string;
  if (operator === "??") return [{ kind: "part dropped", at: span(node), after: slice(text, first) }];
  return [
    { kind: "condition joined otherwise", at: operatorSpan(node, text), after: joined.get(operator) as string },
    { kind: "part dropped", at: span(node), after: slice(text, first) },
    { kind: "part dropped", at: span(node), after: slice(text, second) },
  ].filter(({ after }) => !(after === "&&" || after === "||") || !/\?\?/.test(slice(text, node)));
}

function swapBranches(node: Node, { text }: Place): Draft[] {
  const [test, yes, no] = [node.test, node.consequent, node.alternate].map((part) => slice(text, part as Node));
  return [{ kind: "branches swapped", at: span(node), after: `${test} ? ${no} : ${yes}` }];
}

function dropNot(node: Node, { text }: Place): Draft[] {
  return node.operator === "!"
    ? [{ kind: "not dropped", at: span(node), after: slice(text, node.argument as Node) }]
    : [];
}

function moveConstant(node: Node, { parents }: Place): Draft[] {
  const at = span(node);
  if (parents[0]?.type === "ImportExpression" || parents[0]?.key === node) return [];
  if (typeof node.value === "boolean") return [{ kind: "constant moved", at, after: String(!node.value) }];
  if (typeof node.value === "number") return [{ kind: "constant moved", at, after: String(node.value + 1) }];
  if (typeof node.value === "bigint") return [{ kind: "constant moved", at, after: `${node.value + 1n}n` }];
  return [];
}

function changeCall(node: Node, { text }: Place): Draft[] {
  const callee = node.callee as Node;
  const name = (callee.property as Node | undefined)?.name;
  if (callee.type !== "MemberExpression" || typeof name !== "string") return [];
  const other = renamed.get(name);
  if (other !== undefined) return [{ kind: "call changed", at: span(callee.property as Node), after: other }];
  return left.has(name) ? [{ kind: "call left out", at: span(node), after: slice(text, callee.object as Node) }] : [];
}

/** A return value that the declared type of the function also allows. */
function changeReturn(node: Node, { text, parents }: Place): Draft[] {
  const arrow = node.type === "ArrowFunctionExpression";
  const value = (arrow ? node.body : node.argument) as Node | null;
  if (value === null || value.type === "BlockStatement") return [];
  const around = arrow ? node : parents.find(({ type }) => /Function/.test(type));
  const type = (around?.returnType as Node | null | undefined)?.typeAnnotation as Node | undefined;
  if (type === undefined) return [];
  const old = slice(text, value);
  const after = otherValue(slice(text, type).replace(/^(?:async )?Promise<(.*)>$/s, "$1"), old);
  return after === undefined || after === old ? [] : [{ kind: "return value changed", at: span(value), after }];
}

function otherValue(type: string, old: string): string | undefined {
  if (/\| undefined$/.test(type)) return "undefined";
  if (/\| null$/.test(type)) return "null";
  if (/\[\]$/.test(type)) return "[]";
  if (type === "boolean") return /^(?:true|false)$/.test(old) ? undefined : `!(${old})`;
  if (type === "number" || type === "bigint")
    return /^\d+n?$/.test(old) ? undefined : `(${old}) + 1${type === "bigint" ? "n" : ""}`;
  return type === "string" ? '""' : undefined;
}

function dropStatement(node: Node): Draft[] {
  const inner = node.expression as Node;
  const call = inner.type === "AwaitExpression" ? (inner.argument as Node) : inner;
  const drops = call.type === "CallExpression" && (call.callee as Node).type !== "Super";
  return drops ? [{ kind: "statement dropped", at: span(node), after: "{}" }] : [];
}

function dropSpread(node: Node, { text, parents }: Place): Draft[] {
  if (parents[0]?.type !== "ArrayExpression") return [];
  const comma = /^\s*,/.exec(text.slice(node.end))?.[0].length ?? 0;
  return [{ kind: "items left out", at: { start: node.start, end: node.end + comma }, after: "" }];
}

/** Whether a node is a text, or a sum that starts with one: there `+` joins texts and is no arithmetic. */
function isText(node: Node): boolean {
  if (node.type === "TemplateLiteral" || typeof node.value === "string") return true;
  return node.type === "BinaryExpression" && [node.left as Node, node.right as Node].some(isText);
}

function operatorSpan(node: Node, text: string): { start: number; end: number } {
  const from = (node.left as Node).end;
  const start = text.indexOf(node.operator as string, from);
  return { start, end: start + (node.operator as string).length };
}

function span({ start, end }: Node): { start: number; end: number } {
  return { start, end };
}

/** The text of a part of an expression, with the parentheses that it needs at another place. */
function slice(text: string, node: Node): string {
  const part = text.slice(node.start, node.end);
  return /^(?:Logical|Conditional|Binary|Arrow|Await|Assignment)/.test(node.type) &&
    node.type !== "ArrowFunctionExpression"
    ? `(${part})`
    : part;
}

/** Types are left out: Node.js drops them. */
function visit(node: Node, parents: readonly Node[], see: (node: Node, parents: readonly Node[]) => void): void {
  see(node, parents);
  const around = [node, ...parents];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child === null || typeof child !== "object" || typeof child.type !== "string") continue;
      if (/^TS(?!As|NonNull|Satisfies)/.test(child.type) || /^Import/.test(child.type)) continue;
      visit(child, around, see);
    }
  }
}

function pairs(...list: string[]): ReadonlyMap<string, string> {
  return new Map(list.map((pair) => pair.split(" ") as [string, string]));
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function lineOf(starts: readonly number[], offset: number): number {
  const after = starts.findIndex((start) => start > offset);
  return after < 0 ? starts.length : after;
}
