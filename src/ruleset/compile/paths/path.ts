import { type AbiType, type TupleType, typeText, type Value } from "../../../abi/abi-type.ts";
import { type AbiItem, type FunctionItem, trailTo } from "../../../abi/signature.ts";
import type { Address } from "../../../kernel/address.ts";
import type { Log } from "../../../model/transaction.ts";
import type { Gate } from "../../compiled.ts";
import { castPath } from "./cast-path.ts";
import {
  address,
  authorizationPaths,
  type CompiledPath,
  fixedPaths,
  messagePaths,
  movementFields,
  type PathSource,
  uint,
  unwrapPaths,
} from "./fixed-paths.ts";

/**
 * A path that leads nowhere; the message says what is wrong with it. It is thrown, but it is no `Error`: attempts try many paths that
 * may lead nowhere, and noting the stack of each took longer than all else that compiling a path does.
 */
export class PathMistake {
  readonly message: string;
  readonly mistyped: Mistyped;

  constructor(message: string, word = "", known: readonly string[] = []) {
    this.message = message;
    this.mistyped = { word, known };
  }
}

/** A word that is wrong, and those that may stand there. */
export interface Mistyped {
  word: string;
  known: readonly string[];
}

/** What a path may start from: compiled once per rule. */
export interface PathScope {
  args: TupleType | null;
  input: TupleType | null;
  /** Element of an unwrapper's `each`. */
  item: AbiType | null;
  legs: readonly string[];
  anchor: "event" | "call" | "transfer" | "authorization" | "none" | "unwrap" | "sign";
  contracts: ReadonlyMap<string, readonly Address[]>;
  /** The file's items by name. */
  abi?: ReadonlyMap<string, AbiItem>;
  /** Counts of logs: the gate that their emitters must pass. */
  count?: Gate;
}

/** Compiles a dotted path. Throws {@link PathMistake} with the sentence for the author. */
export function compilePath(path: string, scope: PathScope): CompiledPath {
  const [root = "", ...rest] = path.split(/\.(?![^(]*\))/);
  if (scope.anchor === "sign" ? readsTransaction(root, path) : root === "domain")
    throw new PathMistake(`\`${path}\` cannot be read here`);
  const fixed = Object.hasOwn(fixedPaths, path) ? fixedPaths[path] : undefined;
  if (fixed !== undefined) return fixedPath(root, path, scope, fixed);
  const calldata = calldataPaths.find((one) => path.startsWith(`${one}.`));
  if (calldata !== undefined) return walk(anyBytes, rest.slice(1), { path, scope }, compilePath(calldata, scope).get);
  if (root === "args" || root === "input") return argumentPath(root, rest, path, scope);
  if (root === "item" && scope.item !== null) return walk(scope.item, rest, { path, scope }, (source) => source.item);
  if (root === "move" || root === "legs") return movementPath(root, rest, path, scope);
  if (root === "count" && scope.count !== undefined)
    return countPath(rest[0] ?? "", scope.abi ?? new Map(), scope.count);
  if (root === "contracts") return contractPath(rest, path, scope);
  throw unknownPath(path, scope);
}

/** A path that means the same in every rule, where it can be read at all. */
function fixedPath(root: string, path: string, { anchor }: PathScope, fixed: CompiledPath): CompiledPath {
  if (root === "emitter" && anchor !== "event") throw new PathMistake(`\`${path}\` needs an event anchor`);
  if (authorizationPaths.has(path) && anchor !== "authorization")
    throw new PathMistake(`\`${path}\` needs an authorization anchor`);
  if (!path.startsWith("call.") || anchor !== "unwrap") return fixed;
  const own = unwrapPaths[path];
  if (own === undefined) throw new PathMistake(`\`${path}\` cannot be read here`);
  return own;
}

/** What the anchor says (`args`), or the call beside an event (`input`). */
function argumentPath(root: "args" | "input", rest: string[], path: string, scope: PathScope): CompiledPath {
  const layout = root === "args" ? scope.args : scope.input;
  if (layout !== null) return walk(layout, rest, { path, scope }, root === "args" ? argsOf : inputOf);
  throw new PathMistake(`\`${path}\` needs a decoded ${root === "args" ? "anchor" : "call beside the event"}`);
}

/** The first contract of a role. */
function contractPath([role = "", ...more]: string[], path: string, { contracts }: PathScope): CompiledPath {
  const addresses = contracts.get(role);
  if (addresses === undefined || more.length > 0)
    throw new PathMistake(`\`${path}\` names no contract role`, role, [...contracts.keys()]);
  const first = addresses[0];
  return address(() => first);
}

function unknownPath(path: string, scope: PathScope): PathMistake {
  const args = scope.args?.names.map((name) => `args.${name}`) ?? [];
  return new PathMistake(`\`${path}\` names nothing`, path, [...Object.keys(fixedPaths), ...args]);
}

/** Paths of calldata, of which parts may be read too. */
const calldataPaths = ["call.data", "tx.data"];
const anyBytes: AbiType = { kind: "bytes", dynamic: true, words: 1 };

/** Of a signed message there is no transaction: only what the message and its domain say. */
function readsTransaction(root: string, path: string): boolean {
  return root !== "args" && root !== "item" && root !== "contracts" && !messagePaths.has(path);
}

const argsOf = ({ args }: PathSource) => (args as Value[] | null) ?? undefined;
const inputOf = ({ input }: PathSource) => (input as Value[] | null) ?? undefined;

/** `count.<Event>`: how many logs of that event admitted emitters made in the transaction. */
function countPath(name: string, abi: ReadonlyMap<string, AbiItem>, gate: Gate): CompiledPath {
  const event = abi.get(name);
  if (event?.kind !== "event") throw new PathMistake(`\`count.${name}\` names no event`, name, [...abi.keys()]);
  const counts = (source: PathSource, log: Log) =>
    log.topics.length === event.topics && source.admits(gate, log.address);
  return uint((source) => BigInt(source.logsWith(event.hash).filter((log) => counts(source, log)).length));
}

function movementPath(root: string, rest: string[], path: string, scope: PathScope): CompiledPath {
  const field = (root === "move" ? rest[0] : rest[1]) ?? "";
  const make = Object.hasOwn(movementFields, field) ? movementFields[field] : undefined;
  if (make === undefined || rest.length !== (root === "move" ? 1 : 2))
    throw new PathMistake(`\`${path}\` names no field of a movement`, field, Object.keys(movementFields));
  if (root === "move") {
    if (scope.anchor !== "transfer") throw new PathMistake("`move` needs a transfer anchor");
    return make((source) => source.move);
  }
  const index = scope.legs.indexOf(rest[0] ?? "");
  if (index < 0) throw new PathMistake(`\`${path}\` names no leg`, rest[0], scope.legs);
  return make((source) => source.legs[index]);
}

/** The whole path, for messages, and what the paths in its brackets may start from. */
type Walked = { path: string; scope: PathScope };

function walk(layout: AbiType, parts: string[], whole: Walked, get: CompiledPath["get"]): CompiledPath {
  const [part, ...rest] = parts;
  if (part === undefined) return { type: layout.kind === "fixed" ? "bytes" : layout.kind, layout, get };
  if (layout.kind === "tuple") {
    const index = layout.names.indexOf(part);
    if (index < 0) throw new PathMistake(nothingThere(whole.path, part, layout.names), part, layout.names);
    return walk(layout.items[index] as AbiType, rest, whole, (source) => (get(source) as Value[] | undefined)?.[index]);
  }
  if (layout.kind === "array") {
    if (part === "length") return uint((source) => lengthOf(get(source)));
    const index = indexOf(part, whole);
    return walk(layout.item, rest, whole, (source) => (get(source) as Value[] | undefined)?.at(index(source)));
  }
  if (layout.kind === "bytes" && part === "as") return callPath(rest, whole, get);
  const cast = castPath(layout, parts, get);
  if (cast === undefined)
    throw new PathMistake(`\`${whole.path}\` asks \`${parts.join(".")}\` of a value that has no parts`);
  return cast;
}

/**
 * Bytes read as a call: `.as.<function>.<argument>`, or `.as.any.<argument>` of whichever function of `abi` has an argument of that
 * name, itself or in a struct. The input of a step has no selector.
 */
function callPath([name = "", ...rest]: string[], whole: Walked, get: CompiledPath["get"]): CompiledPath {
  const functions = [...(whole.scope.abi ?? [])].filter(
    (one): one is [string, FunctionItem] => one[1].kind === "function",
  );
  const paths = functions.flatMap(([own, item]) => {
    const trail =
      name === "any" && !item.step ? trailTo(item.inputs, rest[0] ?? "") : own === name ? rest.slice(0, 1) : null;
    if (trail === null) return [];
    return walk(item.inputs, [...trail, ...rest.slice(1)], whole, (source) => readAs(item, get(source)));
  });
  const [first] = paths;
  if (first === undefined) {
    const what = name === "any" ? `no function of abi has \`${rest[0] ?? ""}\`` : `\`${name}\` is no function of abi`;
    throw new PathMistake(
      `\`${whole.path}\` names nothing: ${what}`,
      name,
      functions.map(([own]) => own),
    );
  }
  const typeOf = ({ type, layout }: CompiledPath) => (layout === null ? type : typeText(layout));
  if (paths.some((one) => typeOf(one) !== typeOf(first)))
    throw new PathMistake(`\`${whole.path}\` has different types in different functions`);
  // Functions of one file have selectors of their own.
  return { ...first, get: (source) => paths.find((one) => one.get(source) !== undefined)?.get(source) };
}

/** The arguments of bytes that are a call of a function, or the input of a step. */
function readAs({ step, hash, read }: FunctionItem, bytes: Value | undefined): Value[] | undefined {
  if (typeof bytes !== "string") return undefined;
  if (step) return read(`${hash}${bytes.slice(2)}`);
  return bytes.startsWith(hash) ? read(bytes) : undefined;
}

function nothingThere(path: string, part: string, names: readonly string[]): string {
  const message = `\`${path}\` names nothing: there is no \`${part}\``;
  return names.length === 0 ? message : `${message} among ${names.join(", ")}`;
}

/** An index as it is written, or the number at the path in brackets: `args.assets.(args.swaps.0.assetInIndex)`. */
function indexOf(part: string, { path, scope }: Walked): (source: PathSource) => number {
  if (/^-?\d+$/.test(part)) return () => Number(part);
  const inner = /^\((.+)\)$/.exec(part)?.[1];
  const index = inner === undefined ? undefined : compilePath(inner, scope);
  if (index?.type !== "uint") throw new PathMistake(`\`${path}\` indexes an array with \`${inner ?? part}\``);
  return (source) => Number(index.get(source) ?? Number.POSITIVE_INFINITY);
}

function lengthOf(value: Value | undefined): bigint | undefined {
  return Array.isArray(value) ? BigInt(value.length) : undefined;
}
