import type { Address } from "../../../../kernel/address.ts";
import type { MatchContext } from "../../../../model/match.ts";
import type { Log, Movement } from "../../../../model/transaction.ts";
import { type AbiType, type TupleType, typeText, type Value } from "../../../abi/abi-type.ts";
import { type AbiItem, type EventItem, type FunctionItem, trailTo } from "../../../abi/signature.ts";
import type { Gate } from "../../compiled.ts";
import type { Say } from "../../document/mistakes.ts";
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

/** A path that means nothing; `message` says why. No `Error`: attempts try many such paths, and recording stacks took most of the time. */
export class PathMistake {
  readonly message: Say;
  readonly mistyped: Mistyped;

  constructor(message: Say, word = "", known: readonly string[] = []) {
    this.message = message;
    this.mistyped = { word, known };
  }
}

/** A word, with those that are allowed there. */
export interface Mistyped {
  word: string;
  known: readonly string[];
}

/** What a path may start from. */
export interface PathScope {
  args: TupleType | null;
  input: TupleType | null;
  /** Of an unwrapper's `each`. */
  item: AbiType | null;
  legs: readonly string[];
  /** Legs with `many`. */
  many?: readonly string[];
  anchor: "event" | "call" | "transfer" | "authorization" | "none" | "unwrap" | "sign";
  contracts: ReadonlyMap<string, readonly Address[]>;
  /** By name. */
  abi?: ReadonlyMap<string, AbiItem>;
  /** For `count.<Event>`: admits the emitters. */
  count?: Gate;
}

/** Throws {@link PathMistake} with a sentence for the author. */
export function compilePath(path: string, scope: PathScope): CompiledPath {
  const [root = "", ...rest] = path.split(/\.(?![^(]*\))/);
  if (scope.anchor === "sign" ? readsTransaction(root, path) : root === "domain")
    throw new PathMistake((say) => say.unreadable(path));
  const fixed = Object.hasOwn(fixedPaths, path) ? fixedPaths[path] : undefined;
  if (fixed !== undefined) return fixedPath(root, path, scope, fixed);
  const calldata = calldataPaths.find((one) => path.startsWith(`${one}.`));
  if (calldata !== undefined) return walk(anyBytes, rest.slice(1), { path, scope }, compilePath(calldata, scope).get);
  if (root === "args" || root === "input") return argumentPath(root, rest, path, scope);
  if (root === "item" && scope.item !== null) return walk(scope.item, rest, { path, scope }, (source) => source.item);
  if (root === "before" || root === "after") return neighbourPath(root, rest, path, scope);
  if (root === "move" || root === "legs") return movementPath(root, rest, path, scope);
  if (root === "count" && scope.count !== undefined)
    return countPath(eventOf(path, rest[0] ?? "", scope.abi), scope.count);
  if (root === "contracts") return contractPath(rest, path, scope);
  throw unknownPath(path, scope);
}

/** The same meaning in every rule. Throws where this anchor lacks the value. */
function fixedPath(root: string, path: string, { anchor }: PathScope, fixed: CompiledPath): CompiledPath {
  if (root === "emitter" && anchor !== "event") throw new PathMistake((say) => say.needs(path, "an event anchor"));
  if (authorizationPaths.has(path) && anchor !== "authorization")
    throw new PathMistake((say) => say.needs(path, "an authorization anchor"));
  if (!path.startsWith("call.") || anchor !== "unwrap") return fixed;
  const own = unwrapPaths[path];
  if (own === undefined) throw new PathMistake((say) => say.unreadable(path));
  return own;
}

/** Arguments of the anchor (`args`), or of the call beside an event (`input`). */
function argumentPath(root: "args" | "input", rest: string[], path: string, scope: PathScope): CompiledPath {
  const layout = root === "args" ? scope.args : scope.input;
  if (layout !== null) return walk(layout, rest, { path, scope }, root === "args" ? argsOf : inputOf);
  throw new PathMistake((say) => say.needs(path, `a decoded ${root === "args" ? "anchor" : "call beside the event"}`));
}

/** `before.<Event>.<argument>` and `after`: the log next to the anchor's, if the same contract wrote it. */
function neighbourPath(root: "before" | "after", parts: string[], path: string, scope: PathScope): CompiledPath {
  const [name = "", ...rest] = parts;
  if (scope.anchor !== "event") throw new PathMistake((say) => say.needs(path, "an event anchor"));
  const event = eventOf(`${root}.${name}`, name, scope.abi);
  return walk(event.inputs, rest, { path, scope }, (source) => neighbourArguments(event, source, root));
}

/** Throws {@link PathMistake} where the file has none. */
function eventOf(path: string, name: string, abi: PathScope["abi"] = new Map()): EventItem {
  const event = abi.get(name);
  if (event?.kind === "event") return event;
  throw new PathMistake((say) => say.noEventOf(path), name, [...abi.keys()]);
}

/** `contracts.<role>`: its first address. */
function contractPath([role = "", ...more]: string[], path: string, { contracts }: PathScope): CompiledPath {
  const addresses = contracts.get(role);
  if (addresses === undefined || more.length > 0)
    throw new PathMistake((say) => say.noRolePath(path), role, [...contracts.keys()]);
  const first = addresses[0];
  return address(() => first);
}

function unknownPath(path: string, scope: PathScope): PathMistake {
  const args = scope.args?.names.map((name) => `args.${name}`) ?? [];
  return new PathMistake((say) => say.noPath(path), path, [...Object.keys(fixedPaths), ...args]);
}

/** Parts may be read too: `call.data.bytesAt.4.32`. */
const calldataPaths = ["call.data", "tx.data"];
const anyBytes: AbiType = { kind: "bytes", dynamic: true, words: 1 };

/** Rules about messages have none. */
function readsTransaction(root: string, path: string): boolean {
  return root !== "args" && root !== "item" && root !== "contracts" && !messagePaths.has(path);
}

const argsOf = ({ args }: PathSource) => (args as Value[] | null) ?? undefined;
const inputOf = ({ input }: PathSource) => (input as Value[] | null) ?? undefined;

/** `count.<Event>`: logs of admitted emitters in the transaction. */
function countPath(event: EventItem, gate: Gate): CompiledPath {
  const counts = (source: PathSource, log: Log) =>
    log.topics.length === event.topics && source.admits(gate, log.address);
  return uint((source) => BigInt(source.logsWith(event.hash).filter((log) => counts(source, log)).length));
}

function movementPath(root: string, rest: string[], path: string, scope: PathScope): CompiledPath {
  const field = (root === "move" ? rest[0] : rest[1]) ?? "";
  if (root === "legs" && (field === "all" || field === "total")) return manyPath(rest, path, scope);
  const make = Object.hasOwn(movementFields, field) ? movementFields[field] : undefined;
  if (make === undefined || rest.length !== (root === "move" ? 1 : 2))
    throw new PathMistake((say) => say.noMovementField(path), field, Object.keys(movementFields));
  if (root === "move") {
    if (scope.anchor !== "transfer") throw new PathMistake((say) => say.needs("move", "a transfer anchor"));
    return make((source) => source.move);
  }
  const index = scope.legs.indexOf(rest[0] ?? "");
  if (index < 0) throw new PathMistake((say) => say.noLeg(path), rest[0], scope.legs);
  return make((source) => source.legs[index]);
}

/** `legs.<name>.all`: every movement of a leg with `many`; `legs.<name>.total`: the sum. */
function manyPath([name = "", field, ...rest]: string[], path: string, scope: PathScope): CompiledPath {
  const index = scope.many?.includes(name) ? scope.legs.indexOf(name) : -1;
  if (index < 0) throw new PathMistake((say) => say.noManyLeg(path), name, scope.many ?? []);
  if (field === "total" && rest.length === 0) return uint(({ legMoves }) => totalOf(legMoves?.[index]));
  return walk(movementsLayout, rest, { path, scope }, ({ legMoves }) => movementRows(legMoves?.[index]));
}

/** The whole path, for messages; the scope, for paths in its brackets. */
type Walked = { path: string; scope: PathScope };

function walk(layout: AbiType, parts: string[], whole: Walked, get: CompiledPath["get"]): CompiledPath {
  const [part, ...rest] = parts;
  if (part === undefined) return { type: layout.kind === "fixed" ? "bytes" : layout.kind, layout, get };
  if (layout.kind === "tuple") {
    const index = layout.names.indexOf(part);
    if (index < 0) throw new PathMistake((say) => say.noMember(whole.path, part, layout.names), part, layout.names);
    return walk(layout.items[index] as AbiType, rest, whole, (source) => (get(source) as Value[] | undefined)?.[index]);
  }
  if (layout.kind === "array") {
    if (part === "length") return uint((source) => lengthOf(get(source)));
    const index = indexOf(part, whole);
    return walk(layout.item, rest, whole, (source) => (get(source) as Value[] | undefined)?.at(index(source)));
  }
  if (layout.kind === "bytes" && part === "as") return callPath(rest, whole, get);
  const cast = castPath(layout, parts, get);
  if (cast === undefined) throw new PathMistake((say) => say.noParts(whole.path, parts));
  return cast;
}

/**
 * `.as.<function>.<argument>`; `.as.any.<argument>`: any function of `abi` with that argument, direct or in a struct. A step's input has no
 * selector.
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
    throw new PathMistake(
      (say) => (name === "any" ? say.noFunctionWith(whole.path, rest[0] ?? "") : say.noFunction(whole.path, name)),
      name,
      functions.map(([own]) => own),
    );
  }
  const typeOf = ({ type, layout }: CompiledPath) => (layout === null ? type : typeText(layout));
  if (paths.some((one) => typeOf(one) !== typeOf(first)))
    throw new PathMistake((say) => say.differentTypes(whole.path));
  // The functions of one file have different selectors, so at most one of them can read the bytes.
  return { ...first, get: (source) => paths.find((one) => one.get(source) !== undefined)?.get(source) };
}

/** A call of the function, or the input of a step; undefined for other bytes. */
function readAs({ step, hash, read }: FunctionItem, bytes: Value | undefined): Value[] | undefined {
  if (typeof bytes !== "string") return undefined;
  if (step) return read(`${hash}${bytes.slice(2)}`);
  return bytes.startsWith(hash) ? read(bytes) : undefined;
}

/** A number, or the number at the path in brackets: `args.assets.(args.swaps.0.assetInIndex)`. */
function indexOf(part: string, { path, scope }: Walked): (source: PathSource) => number {
  if (/^-?\d+$/.test(part)) return () => Number(part);
  const inner = /^\((.+)\)$/.exec(part)?.[1];
  const index = inner === undefined ? undefined : compilePath(inner, scope);
  if (index?.type !== "uint") throw new PathMistake((say) => say.badIndex(path, inner ?? part));
  return (source) => Number(index.get(source) ?? Number.POSITIVE_INFINITY);
}

function lengthOf(value: Value | undefined): bigint | undefined {
  return Array.isArray(value) ? BigInt(value.length) : undefined;
}

/** Undefined where another contract wrote it, or another event. */
function neighbourArguments(
  { hash, read }: EventItem,
  { tx, log }: Pick<MatchContext, "tx" | "log">,
  side: "before" | "after",
): Value[] | undefined {
  const next = log === null ? undefined : tx.logs[log.index + (side === "before" ? -1 : 1)];
  if (next === undefined || next.address !== log?.address || next.topics[0] !== hash) return undefined;
  return read(next.topics, next.data);
}

const anAddress: AbiType = { kind: "address", dynamic: false, words: 1 };
const aNumber: AbiType = { kind: "uint", bits: 256, dynamic: false, words: 1 };

const movementsLayout: AbiType = {
  ...{ kind: "array", length: null, dynamic: true, words: 1 },
  item: {
    ...{ kind: "tuple", dynamic: true, words: 1 },
    names: ["token", "from", "to", "amount", "id"],
    items: [anAddress, anAddress, anAddress, aNumber, aNumber],
  },
};

function movementRows(moves: readonly Movement[] | undefined): Value[] | undefined {
  return moves?.map(({ token, from, to, amount, tokenId }) => [token ?? "native", from, to, amount, tokenId ?? 0n]);
}

/** Base units. */
function totalOf(moves: readonly Movement[] | undefined): bigint | undefined {
  return moves?.reduce((sum, { amount }) => sum + amount, 0n);
}
