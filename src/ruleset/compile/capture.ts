import type { AbiType, Value } from "../../abi/abi-type.ts";
import { suggest } from "../../documents/suggest.ts";
import { groupThousands, unlimitedThreshold } from "../../kernel/amount.ts";
import type { CompiledCapture, Getter } from "../compiled.ts";
import type { CaptureEntry } from "../document/rule-document.ts";
import { PathError } from "../path-error.ts";
import { type ConditionProblem, compileCondition } from "./condition.ts";
import { compileGate } from "./gate.ts";
import { compilePath, type PathScope, type PathType } from "./path.ts";
import { eventNamed, type FileScope, writtenAddress } from "./scope.ts";

type Entry = Record<string, unknown>;
type At = (string | number)[];

/** What each capture type needs of its path. */
const wanted: Record<string, PathType[]> = {
  address: ["address"],
  other: ["address"],
  token: ["address"],
  amount: ["uint", "int"],
  at_least: ["uint", "int"],
  at_most: ["uint", "int"],
  integer: ["uint", "int"],
  hash: ["bytes"],
  number: ["uint", "int"],
  text: ["string"],
  boolean: ["bool"],
  time: ["uint"],
  chain: ["uint", "string", "bytes"],
  enum: ["uint", "int", "bool", "string", "bytes", "address"],
  percent: ["uint", "int"],
  quantity: ["uint", "int"],
  duration: ["uint"],
  nft: ["address"],
};

/** The capture types of the language, for schema and documentation. */
export const captureTypes: readonly string[] = [...Object.keys(wanted), "flow", "count", "const"];

/**
 * Compiles one capture (`{ amount: args.value, of: args.token }`), or a list of them; reports and returns undefined on a mistake.
 */
export function compileCapture(
  file: FileScope,
  scope: PathScope,
  entry: CaptureEntry,
  at: At,
): CompiledCapture | undefined {
  if (!Array.isArray(entry)) return compileSingle(file, scope, entry, at);
  const items = entry.map((item, i) => compileSingle(file, scope, item, [...at, i]));
  return items.every((item) => item !== undefined) ? { kind: "list", items } : undefined;
}

function compileSingle(file: FileScope, scope: PathScope, entry: Entry, at: At): CompiledCapture | undefined {
  const type = captureTypes.find((name) => Object.hasOwn(entry, name)) ?? "";
  if (type === "flow") return { kind: "flow", side: entry.flow === "gets" ? "gets" : "gives" };
  if (type === "const") return { kind: "const", text: String(entry.const) };
  if (type === "count") return compileCount(file, scope, entry, at);
  const types = wanted[type] ?? [];
  const read = types[0] === "address" ? addressGetter : getter;
  const get = read(file, scope, entry[type], types, [...at, type]);
  if (get === undefined) return undefined;
  switch (type) {
    case "amount":
    case "at_least":
    case "at_most": {
      const token = addressGetter(file, scope, entry.of, ["address"], [...at, "of"]);
      if (entry.of === undefined)
        return file.reporter.report("RL305", at, "an amount needs `of`: the path of its token");
      const cap = entry.cap === undefined ? null : { from: BigInt(String(entry.cap)), word: String(entry.capped) };
      const limit = type === "amount" ? null : type === "at_least" ? "least" : "most";
      return token && { kind: "amount", get, token, cap, limit };
    }
    case "quantity":
      return { kind: "quantity", get, decimals: Number(entry.decimals ?? 0), unit: String(entry.unit) };
    case "nft": {
      const id = getter(file, scope, entry.id, ["uint"], [...at, "id"]);
      return id && { kind: "nft", token: get, id };
    }
    case "chain":
      return { kind: "chain", get, scheme: String(entry.scheme ?? "eip155") };
    case "percent":
      return { kind: "percent", get, scale: BigInt(String(entry.scale ?? "100")) };
    case "enum":
      return {
        kind: "enum",
        get,
        values: new Map(Object.entries((entry.values ?? {}) as Record<string, string>)),
        other: (entry.default as string | undefined) ?? null,
      };
    case "hash":
      return { kind: "number", get: shortHash(get) };
    case "integer":
      if (entry.one === undefined) return { kind: "integer", get };
      return { kind: "number", get: counted(get, { one: String(entry.one), many: String(entry.many) }) };
    default:
      return { kind: type as "address", get };
  }
}

/** A count with its noun: `1 gauge`, `3 gauges`. A count of nothing, or the largest number there is, cannot be told. */
function counted(get: Getter, { one, many }: { one: string; many: string }): Getter {
  return (context) => {
    const count = get(context);
    if (typeof count !== "bigint" || count === 0n || count >= unlimitedThreshold) return undefined;
    return `${groupThousands(count.toString())} ${count === 1n ? one : many}`;
  };
}

/** The first and the last two bytes of a hash, as addresses are shortened. One of zeros cannot be told. */
function shortHash(get: Getter): Getter {
  return (context) => {
    const hash = get(context);
    if (typeof hash !== "string" || /^0x0*$/.test(hash)) return undefined;
    return hash.length <= 12 ? hash : `${hash.slice(0, 6)}…${hash.slice(-4)}`;
  };
}

/**
 * As {@link getter}, or one address that is written out, such as the token that a contract always takes, or a row of a table of the
 * file: `{ table: reserves, by: args.reserveId }`.
 */
function addressGetter(
  file: FileScope,
  scope: PathScope,
  path: unknown,
  types: PathType[],
  at: At,
): Getter | undefined {
  if (typeof path === "object" && path !== null) return rowGetter(file, scope, path as Entry, at);
  const literal = typeof path === "string" ? writtenAddress(file.reporter, path, at) : undefined;
  return literal === undefined ? getter(file, scope, path, types, at) : () => literal;
}

/** The address that a table of the file has for the number or address at a path. */
function rowGetter(file: FileScope, scope: PathScope, { table, by }: Entry, at: At): Getter | undefined {
  const rows = file.tables.get(String(table));
  if (rows === undefined)
    return file.reporter.report("RL303", [...at, "table"], `\`${String(table)}\` names no table of this file`, {
      suggest: () => suggest(String(table), [...file.tables.keys()]),
    });
  const get = getter(file, scope, by, ["uint", "address"], [...at, "by"]);
  return get && ((context) => rows.get(String(get(context))));
}

/** Compiles a path that must have one of the given types; reports otherwise. */
export function getter(
  file: FileScope,
  scope: PathScope,
  path: unknown,
  types: PathType[],
  at: At,
): Getter | undefined {
  if (typeof path !== "string") return undefined;
  try {
    const compiled = compilePath(path, scope);
    if (!types.includes(compiled.type))
      return file.reporter.report("RL304", at, `\`${path}\` is ${compiled.type}, ${types.join(" or ")} was expected`);
    return compiled.get as Getter;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return file.reporter.report("RL303", at, error.message, { suggest: () => error.suggestion });
  }
}

function compileCount(file: FileScope, scope: PathScope, entry: Entry, at: At): CompiledCapture | undefined {
  const event = eventNamed(file, String(entry.count), [...at, "count"]);
  if (event === undefined) return undefined;
  const gate = compileGate(file, entry.at as string | string[] | undefined, [...at, "at"]);
  if (entry.where === undefined) return { kind: "count", event, gate, where: null };
  const problems: ConditionProblem[] = [];
  const inner: PathScope = { ...scope, args: event.inputs as AbiType & { kind: "tuple" }, anchor: "event" };
  const predicate = compileCondition(entry.where, inner, problems);
  reportProblems(file, problems, [...at, "where"]);
  return { kind: "count", event, gate, where: (args: Value[]) => predicate({ args } as never) };
}

/** Hands the mistakes of a condition to the file's reporter. */
export function reportProblems(file: FileScope, problems: ConditionProblem[], at: At): void {
  for (const problem of problems)
    file.reporter.report(problem.code, [...at, ...problem.path], problem.message, {
      suggest: problem.suggestion,
      key: problem.code === "RL402",
    });
}
