import { readAddress, zeroAddress } from "../../../../kernel/address.ts";
import { canonicalJson } from "../../../../kernel/canonical.ts";
import { listOf } from "../../../../rules/ruleset/compile/scope.ts";
import type { FileScope } from "../../../../rules/ruleset/compile/spot.ts";

/** How to read the paths and role names of one file's conditions, so that they can be compared with another file's. */
export interface ConditionNames {
  /** A key for a path. Paths that read the same value have the same key: `args.amount` and `args.value` of one event, for example. */
  key(path: string): string;
  role(name: string): readonly string[] | undefined;
}

type NamePair = [ConditionNames, ConditionNames];
/** The parts of a condition that must all be true. */
type Parts = readonly unknown[];

/** Names for conditions of the same file: paths stay as they are written. */
export function plainNames({ contracts }: FileScope): ConditionNames {
  return { key: (path) => path, role: (name) => contracts.get(name) };
}

/** Splits a condition into parts that must all be true. */
export function conjuncts(where: unknown): unknown[] {
  if (where === undefined) return [];
  if (Array.isArray(where)) return where.flatMap(conjuncts);
  const [name, operand] = soleEntry(where);
  if (name === "and") return listOf(operand).flatMap(conjuncts);
  if (name !== "!") return [where];
  const negated = listOf(operand)[0];
  // A list means that all its parts must hold. It must not be read as the operand list of `!`.
  const inner = Array.isArray(negated) ? { and: negated } : negated;
  const [innerName, innerOperand] = soleEntry(inner);
  if (innerName === "!") return conjuncts(listOf(innerOperand)[0]);
  if (innerName === "or") return listOf(innerOperand).flatMap((part) => conjuncts({ "!": [part] }));
  return [{ "!": inner }];
}

/**
 * True when two conditions cannot both be true: one is the negation of the other, or their ranges or sets have nothing in common. False
 * means only that this could not be shown.
 */
export function conditionsClash(one: Parts, other: Parts, names: NamePair, depth = 0): boolean {
  const branches = (part: unknown): unknown[] | undefined => {
    const [name, operand] = soleEntry(part);
    return name === "or" && depth < 3 ? listOf(operand) : undefined;
  };
  for (const part of one) {
    if (other.some((rival) => partsClash(part, rival, names))) return true;
    if (branches(part)?.every((branch) => conditionsClash(conjuncts(branch), other, names, depth + 1))) return true;
  }
  return other.some((part) =>
    branches(part)?.every((branch) => conditionsClash(one, conjuncts(branch), names, depth + 1)),
  );
}

/**
 * True when two conditions compare different paths with the same addresses. Such rules do not both fit, because one event does not name one
 * contract on both sides.
 */
export function pinDifferentSides(one: Parts, other: Parts, [left, right]: NamePair): boolean {
  const pins = (parts: Parts, names: ConditionNames) =>
    parts.flatMap((part) => limitOf(part, names) ?? []).filter((limit) => !limit.not);
  const text = (limit: Limit) => [...(limit.texts ?? [])].sort().join();
  return pins(one, left).some((a) =>
    pins(other, right).some((b) => a.key !== b.key && text(a) === text(b) && text(a).startsWith("0x")),
  );
}

function partsClash(one: unknown, other: unknown, [left, right]: NamePair): boolean {
  if (canonicalJson(renamed(conjuncts({ "!": one }), left)) === canonicalJson(renamed([other], right))) return true;
  if (canonicalJson(renamed([one], left)) === canonicalJson(renamed(conjuncts({ "!": other }), right))) return true;
  const a = limitOf(one, left);
  const b = limitOf(other, right);
  if (a === undefined || b === undefined || a.key !== b.key || (a.not && b.not)) return false;
  if (!a.not && !b.not) return disjoint(a, b);
  return a.not ? within(b, a) : within(a, b);
}

/** The values of one path that a comparison allows: a range of integers, or a set of texts. `not`: all other values. */
interface Limit {
  key: string;
  not: boolean;
  low: bigint | null;
  high: bigint | null;
  texts: ReadonlySet<string> | null;
  /** Hex with which the value begins. */
  prefix: string | null;
}

const openRange = { low: null, high: null, texts: null, prefix: null };
const flipped: Record<string, string> = { ">": "<", ">=": "<=", "<": ">", "<=": ">=" };
/** The range that each comparison with an integer allows, and `!=` does not. */
const ranges: Record<string, (value: bigint) => Pick<Limit, "low"> | Pick<Limit, "high">> = {
  "==": (value) => ({ low: value, high: value }),
  "!=": (value) => ({ low: value, high: value }),
  ">": (value) => ({ low: value + 1n }),
  ">=": (value) => ({ low: value }),
  "<": (value) => ({ high: value - 1n }),
  "<=": (value) => ({ high: value }),
};

/** The values that a comparison of a path with a constant allows; undefined for any other condition. */
export function limitOf(part: unknown, names: ConditionNames): Limit | undefined {
  const [name, operand] = soleEntry(part);
  if (name === "!") {
    const inner = limitOf(listOf(operand)[0], names);
    return inner === undefined ? undefined : { ...inner, not: !inner.not };
  }
  const [left, right] = listOf(operand);
  const turned = pathOf(left) === undefined;
  const [path, constant] = turned ? [pathOf(right), left] : [pathOf(left), right];
  if (path === undefined || pathOf(constant) !== undefined) return undefined;
  const base = { key: names.key(path), not: name === "!=", ...openRange };
  const allows = ranges[(turned && flipped[name]) || name];
  const isNumber = /^-?\d+$/.test(String(constant));
  if (allows !== undefined && isNumber) return { ...base, ...allows(BigInt(String(constant))) };
  if (name === "starts") return turned ? undefined : { ...base, prefix: String(constant) };
  if (!/^(?:==|!=|in)$/.test(name)) return undefined;
  const texts = listOf(constant).flatMap((item) => textsOf(item, names));
  return texts.includes("?") ? undefined : { ...base, texts: new Set(texts) };
}

function disjoint(a: Limit, b: Limit): boolean {
  if (a.prefix !== null && b.prefix !== null) return !a.prefix.startsWith(b.prefix) && !b.prefix.startsWith(a.prefix);
  if (a.texts !== null && b.texts !== null) return ![...a.texts].some((text) => b.texts?.has(text));
  return (a.low !== null && b.high !== null && a.low > b.high) || (b.low !== null && a.high !== null && b.low > a.high);
}

function within(a: Limit, b: Limit): boolean {
  if (a.prefix !== null || b.prefix !== null)
    return a.prefix !== null && b.prefix !== null && a.prefix.startsWith(b.prefix);
  if (a.texts !== null && b.texts !== null) return [...a.texts].every((text) => b.texts?.has(text));
  if (a.texts !== null || b.texts !== null) return false;
  return (
    (b.low === null || (a.low !== null && a.low >= b.low)) && (b.high === null || (a.high !== null && a.high <= b.high))
  );
}

function textsOf(item: unknown, names: ConditionNames): string[] {
  if (item !== null && typeof item === "object") return ["?"];
  const text = String(item);
  const address = text === "zero" ? zeroAddress : readAddress(text);
  return address !== undefined ? [address] : [...(names.role(text) ?? [text])];
}

/** The condition with the keys of {@link ConditionNames} in place of its paths, so that conditions of two files can be compared. */
function renamed(part: unknown, names: ConditionNames): unknown {
  if (Array.isArray(part)) return part.map((item) => renamed(item, names));
  const path = pathOf(part);
  if (path !== undefined) return { var: names.key(path) };
  if (part === null || typeof part !== "object") return String(part);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, renamed(listOf(value), names)]));
}

/** The path that an operand reads. */
export function pathOf(operand: unknown): string | undefined {
  const [name, path] = soleEntry(operand);
  return name === "var" && typeof path === "string" ? path : undefined;
}

function soleEntry(part: unknown): [string, unknown] {
  if (part === null || typeof part !== "object" || Array.isArray(part)) return ["", undefined];
  const entries = Object.entries(part);
  return entries.length === 1 ? (entries[0] as [string, unknown]) : ["", undefined];
}
