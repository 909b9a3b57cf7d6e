import type { AbiType, Value } from "../../abi/abi-type.ts";
import type { AbiItem } from "../../abi/signature.ts";
import {
  addressInNumber,
  addressInWord,
  bytesIn,
  bytesLength,
  isOffset,
  numberIn,
  slice,
} from "../../abi/word-view.ts";
import { suggest } from "../../documents/suggest.ts";
import type { Address } from "../../kernel/address.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Log, Movement } from "../../model/transaction.ts";
import type { Gate } from "../compiled.ts";

/** A path that leads nowhere; the message says what is wrong with it. */
export class PathError extends Error {
  override readonly name = "PathError";
  readonly #written: string;
  readonly #known: readonly string[];

  /** `written`: the word that is wrong. `known`: those that may stand there. */
  constructor(message: string, written = "", known: readonly string[] = []) {
    super(message);
    this.#written = written;
    this.#known = known;
  }

  /** What was probably meant. Attempts try paths that may not resolve, so it is worked out only when it is told. */
  get suggestion(): string | undefined {
    return suggest(this.#written, this.#known);
  }
}

/** What a path may start from: compiled once per rule. */
export interface PathScope {
  args: (AbiType & { kind: "tuple" }) | null;
  input: (AbiType & { kind: "tuple" }) | null;
  /** Element of an unwrapper's `each`. */
  item: AbiType | null;
  legs: readonly string[];
  anchor: "event" | "call" | "transfer" | "authorization" | "none" | "unwrap";
  contracts: ReadonlyMap<string, readonly Address[]>;
  /** Counts of logs: events among the file's items by name, and the gate that their emitters must pass. */
  count?: { abi: ReadonlyMap<string, AbiItem>; gate: Gate };
}

export type PathType = "address" | "uint" | "int" | "bool" | "bytes" | "string" | "array" | "tuple";

export interface CompiledPath {
  type: PathType;
  /** The layout behind it, where the path ends in decoded data. */
  layout: AbiType | null;
  get: (source: PathSource) => Value | undefined;
}

/** Both match contexts and unwrap contexts are read through the same paths. */
export type PathSource = MatchContext & { item?: Value; caller?: Address; to?: Address; value?: bigint };

const reading = (type: PathType) => (get: (source: PathSource) => unknown) =>
  ({ type, layout: null, get }) as CompiledPath;
const address = reading("address");
const uint = reading("uint");
const text = reading("string");
const bool = reading("bool");
const bytes = reading("bytes");

/** Assets are addressed as `native` or the token's address. */
const movementFields: Record<string, (read: (source: PathSource) => Movement | null | undefined) => CompiledPath> = {
  token: (read) => address((source) => assetOf(read(source))),
  from: (read) => address((source) => read(source)?.from),
  to: (read) => address((source) => read(source)?.to),
  amount: (read) => uint((source) => read(source)?.amount),
  id: (read) => uint((source) => read(source)?.tokenId ?? undefined),
};

const fixedPaths: Record<string, CompiledPath> = {
  subject: address((source) => source.subject),
  native: address(() => "native"),
  emitter: address((source) => source.log?.address),
  "emitter.made": bool((source) => source.log !== null && source.isBirth(source.log)),
  "emitter.called": bool((source) => source.log !== null && source.mayCall(source.subject, source.log.address)),
  "call.from": address((source) => source.call?.from),
  "call.to": address((source) => source.call?.to ?? undefined),
  "call.value": uint((source) => source.call?.value),
  "call.data": bytes((source) => source.call?.input),
  "call.logs": uint((source) => source.logsBy(source.call?.to ?? null)),
  "tx.from": address((source) => source.tx.from),
  "tx.to": address((source) => source.tx.to ?? undefined),
  "tx.value": uint((source) => source.tx.value),
  "tx.type": text((source) => source.tx.type),
  "tx.data": bytes((source) => source.tx.input),
  "tx.mint": uint((source) => source.tx.depositMint),
  "tx.created": address((source) => source.tx.created ?? undefined),
  "tx.creates": bool((source) => source.tx.to === null),
  "tx.code_ran": bool((source) => source.tx.ranCode),
  target: address((source) => source.target ?? undefined),
  "tx.logs": uint((source) => BigInt(source.tx.logs.length)),
  "tx.movements": uint((source) => BigInt(source.tx.movements.length)),
  "tx.authorizations": uint((source) => BigInt(source.tx.authorizations.length)),
  authority: address((source) => source.authorization?.authority ?? undefined),
  delegate: address((source) => source.authorization?.delegate),
  "flow.recipients": uint((source) => BigInt(source.flow.recipients.length)),
  "flow.senders": uint((source) => BigInt(source.flow.senders.length)),
  "flow.gives": uint((source) => BigInt(source.flow.gives.length)),
  "flow.gets": uint((source) => BigInt(source.flow.gets.length)),
  "flow.recipient": address((source) => source.flow.recipients[0]),
  "flow.sender": address((source) => source.flow.senders[0]),
  "flow.given": address((source) => assetOf(source.flow.gives[0])),
  "flow.gotten": address((source) => assetOf(source.flow.gets[0])),
  "flow.given_amount": uint((source) => source.flow.gives[0]?.amount),
  "flow.gotten_amount": uint((source) => source.flow.gets[0]?.amount),
  "flow.given_id": uint((source) => source.flow.gives[0]?.tokenId ?? undefined),
  "flow.gotten_id": uint((source) => source.flow.gets[0]?.tokenId ?? undefined),
  "target_flow.gives": uint((source) => countOf(source.targetFlow()?.gives)),
  "target_flow.gets": uint((source) => countOf(source.targetFlow()?.gets)),
  "target_flow.given": address((source) => assetOf(source.targetFlow()?.gives[0])),
  "target_flow.gotten": address((source) => assetOf(source.targetFlow()?.gets[0])),
  "target_flow.given_amount": uint((source) => source.targetFlow()?.gives[0]?.amount),
  "target_flow.gotten_amount": uint((source) => source.targetFlow()?.gets[0]?.amount),
  "flow.minted": bool((source) => source.flow.minted),
  "flow.burned": bool((source) => source.flow.burned),
  "flow.wraps": bool((source) => source.flow.wraps),
  "flow.complete": bool((source) => source.flow.complete),
};
const authorizationPaths: ReadonlySet<string> = new Set(["authority", "delegate"]);

function countOf(assets: readonly unknown[] | undefined): bigint | undefined {
  return assets === undefined ? undefined : BigInt(assets.length);
}

/** What an unwrapper reads of the call that it takes apart. */
const unwrapPaths: Record<string, CompiledPath> = {
  "call.from": address((source) => source.caller),
  "call.to": address((source) => source.to),
  "call.value": uint((source) => source.value),
};

/** Compiles a dotted path. Throws {@link PathError} with the sentence for the author. */
export function compilePath(path: string, scope: PathScope): CompiledPath {
  const [root = "", ...rest] = path.split(/\.(?![^(]*\))/);
  const fixed = Object.hasOwn(fixedPaths, path) ? fixedPaths[path] : undefined;
  if (fixed !== undefined) {
    if (root === "emitter" && scope.anchor !== "event") throw new PathError(`\`${path}\` needs an event anchor`);
    if (authorizationPaths.has(path) && scope.anchor !== "authorization")
      throw new PathError(`\`${path}\` needs an authorization anchor`);
    if (!path.startsWith("call.") || scope.anchor !== "unwrap") return fixed;
    const own = unwrapPaths[path];
    if (own === undefined) throw new PathError(`\`${path}\` cannot be read here`);
    return own;
  }
  if (root === "args" || root === "input") {
    const layout = root === "args" ? scope.args : scope.input;
    if (layout === null)
      throw new PathError(`\`${path}\` needs a decoded ${root === "args" ? "anchor" : "call beside the event"}`);
    return walk(layout, rest, { path, scope }, (source) => (source[root] as Value[] | null) ?? undefined);
  }
  if (root === "item" && scope.item !== null) return walk(scope.item, rest, { path, scope }, (source) => source.item);
  if (root === "move" || root === "legs") return movementPath(root, rest, path, scope);
  if (root === "count" && scope.count !== undefined) return countPath(rest[0] ?? "", scope.count);
  if (root === "contracts") {
    const role = rest[0] ?? "";
    const addresses = scope.contracts.get(role);
    if (addresses === undefined || rest.length !== 1)
      throw new PathError(`\`${path}\` names no contract role`, role, [...scope.contracts.keys()]);
    const first = addresses[0];
    return address(() => first);
  }
  const args = scope.args?.names.map((name) => `args.${name}`) ?? [];
  throw new PathError(`\`${path}\` names nothing`, path, [...Object.keys(fixedPaths), ...args]);
}

/** `count.<Event>`: how many logs of that event admitted emitters made in the transaction. */
function countPath(name: string, count: NonNullable<PathScope["count"]>): CompiledPath {
  const event = count.abi.get(name);
  if (event?.kind !== "event") throw new PathError(`\`count.${name}\` names no event`, name, [...count.abi.keys()]);
  const counts = (source: PathSource, log: Log) =>
    log.topics.length === event.topics && source.admits(count.gate, log.address);
  return uint((source) => BigInt(source.logsWith(event.hash).filter((log) => counts(source, log)).length));
}

function movementPath(root: string, rest: string[], path: string, scope: PathScope): CompiledPath {
  const field = (root === "move" ? rest[0] : rest[1]) ?? "";
  const make = Object.hasOwn(movementFields, field) ? movementFields[field] : undefined;
  if (make === undefined || rest.length !== (root === "move" ? 1 : 2))
    throw new PathError(`\`${path}\` names no field of a movement`, field, Object.keys(movementFields));
  if (root === "move") {
    if (scope.anchor !== "transfer") throw new PathError("`move` needs a transfer anchor");
    return make((source) => source.move);
  }
  const index = scope.legs.indexOf(rest[0] ?? "");
  if (index < 0) throw new PathError(`\`${path}\` names no leg`, rest[0], scope.legs);
  return make((source) => source.legs[index]);
}

/** The whole path, for messages, and what the paths in its brackets may start from. */
type Walked = { path: string; scope: PathScope };

function walk(layout: AbiType, parts: string[], whole: Walked, get: CompiledPath["get"]): CompiledPath {
  const [part, ...rest] = parts;
  if (part === undefined) return { type: pathType(layout), layout, get };
  if (layout.kind === "tuple") {
    const index = layout.names.indexOf(part);
    if (index < 0) throw new PathError(`\`${whole.path}\` names nothing: there is no \`${part}\``, part, layout.names);
    return walk(layout.items[index] as AbiType, rest, whole, (source) => (get(source) as Value[] | undefined)?.[index]);
  }
  if (layout.kind === "array") {
    if (part === "length") return uint((source) => lengthOf(get(source)));
    const index = indexOf(part, whole);
    return walk(layout.item, rest, whole, (source) => (get(source) as Value[] | undefined)?.at(index(source)));
  }
  return castPath(layout, [part, ...rest], whole.path, get);
}

/** An index as it is written, or the number at the path in brackets: `args.assets.(args.swaps.0.assetInIndex)`. */
function indexOf(part: string, { path, scope }: Walked): (source: PathSource) => number {
  if (/^-?\d+$/.test(part)) return () => Number(part);
  const inner = /^\((.+)\)$/.exec(part)?.[1];
  const index = inner === undefined ? undefined : compilePath(inner, scope);
  if (index?.type !== "uint") throw new PathError(`\`${path}\` indexes an array with \`${inner ?? part}\``);
  return (source) => Number(index.get(source) ?? Number.POSITIVE_INFINITY);
}

/** Views of a word, a number or bytes as something else: `.address`, `.addressAt.<byte>`, `.uintAt.<byte>.<size>`, `.length`. */
function castPath(layout: AbiType, parts: string[], path: string, get: CompiledPath["get"]): CompiledPath {
  const [cast, first, second] = parts;
  if (cast === "address" && parts.length === 1) {
    if (layout.kind === "fixed" && layout.size === 32) return address((source) => addressInWord(get(source)));
    if (layout.kind === "uint") return address((source) => addressInNumber(get(source)));
  }
  const isBytes = layout.kind === "bytes" || layout.kind === "fixed";
  if (isBytes && cast === "length") return uint((source) => bytesLength(get(source)));
  const digits = layout.kind === "uint" ? layout.bits / 4 : 0;
  const bytesOf = isBytes ? get : (source: PathSource) => bytesIn(get(source), digits);
  if ((isBytes || layout.kind === "uint") && isOffset(first)) {
    if (cast === "addressAt") return address((source) => slice(bytesOf(source), Number(first), 20));
    if (cast === "uintAt" && isOffset(second))
      return uint((source) => numberIn(slice(bytesOf(source), Number(first), Number(second))));
  }
  throw new PathError(`\`${path}\` asks \`${parts.join(".")}\` of a value that has no parts`);
}

function lengthOf(value: Value | undefined): bigint | undefined {
  return Array.isArray(value) ? BigInt(value.length) : undefined;
}

/** The asset of a movement, or of a change: the token, or `native`. */
function assetOf(moved: { token: Address | null } | null | undefined): string | undefined {
  return moved === null || moved === undefined ? undefined : (moved.token ?? "native");
}

function pathType(layout: AbiType): PathType {
  return layout.kind === "fixed" ? "bytes" : layout.kind;
}
