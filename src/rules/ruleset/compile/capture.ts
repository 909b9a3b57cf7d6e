import { readAddress } from "../../../kernel/address.ts";
import { readableInteger, unlimitedThreshold } from "../../../kernel/amount.ts";
import { shortHex } from "../../../kernel/hex.ts";
import type { MatchContext } from "../../../model/match.ts";
import type { Value } from "../../abi/abi-type.ts";
import { addressInBytes } from "../../abi/word-view.ts";
import type { CompiledCapture, Getter } from "../compiled.ts";
import type { CaptureEntry } from "../document/rule-document.ts";
import { compileElements } from "./elements.ts";
import { compileGate } from "./gate.ts";
import type { PathType } from "./paths/fixed-paths.ts";
import type { Spot } from "./spot.ts";
import { parsePhrase, placeholdersOf } from "./template.ts";
import { compileWhole } from "./where.ts";

type Entry = Record<string, unknown>;

const integer: PathType[] = ["uint", "int"];
const oneAddress: PathType[] = ["address"];

/** Path types by capture type. */
const wanted: Record<string, PathType[]> = {
  address: oneAddress,
  other: ["address", "bytes", "string"],
  token: oneAddress,
  amount: integer,
  at_least: integer,
  at_most: integer,
  integer,
  hash: ["bytes"],
  number: integer,
  bytes: ["bytes"],
  text: ["string"],
  boolean: ["bool"],
  time: ["uint"],
  chain: ["uint", "string", "bytes"],
  enum: ["uint", "int", "bool", "string", "bytes", "address"],
  percent: integer,
  quantity: integer,
  duration: ["uint"],
  nft: oneAddress,
};

/** For schema and documentation. */
export const captureTypes: readonly string[] = [...Object.keys(wanted), "flow", "count", "const", "phrase"];

/** `{ amount: args.value, of: args.token }`, or a list of them. */
function compileCapture(spot: Spot, entry: CaptureEntry): CompiledCapture | undefined {
  if (!Array.isArray(entry)) return compileField(spot, entry);
  const items = entry.map((item, i) => compileField(spot.in(i), item));
  return items.every((item) => item !== undefined) ? { kind: "list", items } : undefined;
}

/** One with a mistake is reported and left out. `others`: known already; `on` may name them. */
export function compileCaptures(
  spot: Spot,
  entries: Readonly<Record<string, CaptureEntry>> = {},
  others: ReadonlyMap<string, CompiledCapture> = new Map(),
) {
  const captures = Object.entries(entries).flatMap(([name, entry]): [string, CompiledCapture][] => {
    const compiled = compileCapture(spot.in(name), entry);
    return compiled === undefined ? [] : [[name, compiled]];
  });
  const all = new Map([...others, ...captures]);
  for (const [name, entry] of Object.entries(entries))
    for (const { on } of [entry].flat())
      if (typeof on === "string" && !tellsChain(all.get(on)))
        spot.in(name, "on").unknown("RL303", on, (say) => say.noChainCapture(), all.keys());
  return new Map(captures);
}

/** A chain id, a constant name, or a list of only these. */
function tellsChain(capture: CompiledCapture | undefined): boolean {
  if (capture?.kind === "list") return capture.items.every(tellsChain);
  return capture?.kind === "chain" || capture?.kind === "const";
}

/** The order in which a rule writes them has no meaning. */
export function inNameOrder<T>(captures: ReadonlyMap<string, T>): Map<string, T> {
  return new Map([...captures].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds `label`, `when` and `each`. */
function compileField(spot: Spot, entry: Entry): CompiledCapture | undefined {
  if (fieldKeys.every((key) => entry[key] === undefined)) return compileSingle(spot, entry);
  const array = entry.each === undefined ? null : compileElements(spot.in("each"), entry.each);
  if (array === undefined) return undefined;
  const inside = array === null ? spot : spot.reading({ item: array.item });
  const value = compileSingle(inside, entry);
  const when = entry.when === undefined ? null : compileWhole(inside.in("when"), entry.when);
  return (
    value && { kind: "field", label: entry.label === undefined ? null : String(entry.label), when, each: array, value }
  );
}

export const fieldKeys: readonly string[] = ["label", "when", "each"];

function compileSingle(spot: Spot, entry: Entry): CompiledCapture | undefined {
  const type = captureTypes.find((name) => Object.hasOwn(entry, name)) ?? "";
  if (type === "flow") return { kind: "flow", side: entry.flow === "gets" ? "gets" : "gives" };
  if (type === "const") return { kind: "const", text: String(entry.const) };
  if (type === "count") return compileCount(spot, entry);
  if (type === "phrase") return compilePhrase(spot, entry);
  if (type === "other") return compileOther(spot, entry);
  const types = wanted[type] ?? [];
  // Instead of a path, an address may be written out.
  const get =
    types === oneAddress ? addressOr(spot.in(type), entry[type]) : spot.in(type).getter(entry[type], ...types);
  return get && compileValue(spot, type, entry, get);
}

function compileValue(spot: Spot, type: string, entry: Entry, get: Getter): CompiledCapture | undefined {
  switch (type) {
    case "amount":
    case "at_least":
    case "at_most":
      return compileAmount(spot, type, entry, get);
    case "quantity":
      return { kind: "quantity", get, decimals: Number(entry.decimals ?? 0), unit: (entry.unit as string) ?? null };
    case "address": {
      const sender = ((entry.sender ?? []) as string[]).flatMap((one, i) => spot.in("sender", i).address(one) ?? []);
      return { kind: "address", get, sender };
    }
    case "time":
      return { kind: "time", get, clock: entry.precision === "second" };
    case "nft":
      return compileNft(spot, entry, get);
    case "chain":
      return { kind: "chain", get, scheme: String(entry.scheme ?? "eip155") };
    case "percent":
      return { kind: "percent", get, scale: BigInt(String(entry.scale ?? "100")) };
    case "enum": {
      const values = wordsOf(spot.in("values"), entry.values);
      return values && { kind: "enum", get, values, other: (entry.default as string | undefined) ?? null };
    }
    case "hash":
      return { kind: "number", get: shortHash(get) };
    case "integer":
      if (entry.one === undefined) return { kind: "integer", get };
      return { kind: "number", get: counted(get, { one: String(entry.one), many: String(entry.many) }) };
    default:
      return { kind: type as "token", get };
  }
}

/** Written out, or a table of the file. */
function wordsOf(spot: Spot, values: unknown): ReadonlyMap<string, string> | undefined {
  if (typeof values !== "string") return new Map(Object.entries((values ?? {}) as Record<string, string>));
  const { tables = {} } = spot.file.document;
  const rows = Object.hasOwn(tables, values) ? tables[values] : undefined;
  if (rows === undefined) return spot.unknown("RL303", values, (say) => say.noTable(), Object.keys(tables));
  return new Map(Object.entries(rows));
}

/** Exact, or a bound with `at_least` or `at_most`. */
function compileAmount(spot: Spot, type: string, entry: Entry, get: Getter): CompiledCapture | undefined {
  if (entry.of === undefined) return spot.report("RL305", (say) => say.amountWithoutToken());
  const token = addressOr(spot.in("of"), entry.of);
  const cap = entry.cap === undefined ? null : { from: BigInt(String(entry.cap)), word: String(entry.capped) };
  const limit = type === "amount" ? null : type === "at_least" ? "least" : "most";
  return token && { kind: "amount", get, token, cap, limit };
}

/** Collection, id, and perhaps how many pieces (EIP-1155). */
function compileNft(spot: Spot, entry: Entry, token: Getter): CompiledCapture | undefined {
  const id = spot.in("id").getter(entry.id, "uint");
  if (entry.pieces === undefined) return id && { kind: "nft", token, id };
  const pieces = spot.in("pieces").getter(entry.pieces, "uint");
  return id && pieces && { kind: "nft", token, id, pieces };
}

/** An address, or bytes or text that may hold one; otherwise they name an account of another chain. */
function compileOther(spot: Spot, { other, on }: Entry): CompiledCapture | undefined {
  const place = spot.in("other");
  if (typeof other !== "string" || other.startsWith("0x")) {
    const get = addressOr(place, other);
    return get && { kind: "other", get, far: null };
  }
  const path = place.path(other, wanted.other ?? []);
  if (path === undefined) return undefined;
  const { type, get } = path;
  if (type === "address" && on !== undefined) spot.in("on").report("RL305", (say) => say.nearAddress(), { key: true });
  if (type === "address") return { kind: "other", get, far: null };
  const near = (context: MatchContext) =>
    type === "string" ? readAddress(get(context)) : addressInBytes(get(context));
  return { kind: "other", get: near, far: { get, text: type === "string", on: typeof on === "string" ? on : null } };
}

/** `1 gauge`, `3 gauges`. Undefined for zero and for "unlimited". */
function counted(get: Getter, { one, many }: { one: string; many: string }): Getter {
  return (context) => {
    const count = get(context);
    if (typeof count !== "bigint" || count === 0n || count >= unlimitedThreshold) return undefined;
    return `${readableInteger(count)} ${count === 1n ? one : many}`;
  };
}

/** `0x1234…abcd`. Undefined for a hash of zeros. */
function shortHash(get: Getter): Getter {
  return (context) => {
    const hash = get(context);
    if (typeof hash !== "string" || /^0x0*$/.test(hash)) return undefined;
    return shortHex(hash);
  };
}

/** A path, a written-out address, or a row of a table: `{ table: reserves, by: args.reserveId }`. */
export function addressOr(spot: Spot, path: unknown): Getter | undefined {
  if (typeof path === "object" && path !== null) return compileRow(spot, path as Entry);
  const literal = spot.address(path);
  return literal === undefined ? spot.getter(path, "address") : () => literal;
}

/** `by`: a number or an address. */
function compileRow(spot: Spot, { table, by }: Entry): Getter | undefined {
  const { tables } = spot.file;
  const rows = tables.get(String(table));
  if (rows === undefined)
    return spot.in("table").unknown("RL303", String(table), (say) => say.noTable(), tables.keys());
  const get = spot.in("by").getter(by, "uint", "address");
  return get && ((context) => rows.get(String(get(context))));
}

/** Words with values in them. */
function compilePhrase(spot: Spot, entry: Entry): CompiledCapture {
  const words = parsePhrase(String(entry.phrase));
  const stated = (entry.with ?? {}) as Record<string, CaptureEntry>;
  const values = inNameOrder(
    new Map(
      Object.entries(stated).flatMap(([name, one]) => {
        const value = compileCapture(spot.in("with", name), one);
        return value === undefined ? [] : [[name, value] as const];
      }),
    ),
  );
  for (const { capture } of placeholdersOf(words))
    if (!Object.hasOwn(stated, capture))
      spot.in("phrase").unknown("RL501", capture, (say) => say.noValueInPhrase(), Object.keys(stated));
  return { kind: "phrase", words, values };
}

function compileCount(spot: Spot, entry: Entry): CompiledCapture | undefined {
  const event = spot.in("count").event(String(entry.count));
  if (event === undefined) return undefined;
  const gate = compileGate(spot.in("at"), entry.at as string | string[] | undefined);
  if (entry.where === undefined) return { kind: "count", event, gate, where: null };
  const holds = compileWhole(spot.reading({ args: event.inputs, anchor: "event" }).in("where"), entry.where);
  return { kind: "count", event, gate, where: (args: Value[]) => holds({ args } as never) };
}
