import { limits } from "../../../kernel/limits.ts";
import type { AbiType } from "../../abi/abi-type.ts";
import type { CompiledUnwrapper, EachSource, ItemGetter, PackedField, UnwrapContext } from "../compiled-unwrapper.ts";
import type { UnwrapEntry } from "../document/rule-document.ts";
import { compileProgram } from "./compile-steps.ts";
import { compileElements } from "./elements.ts";
import { compileGate } from "./gate.ts";
import type { PathType } from "./paths/fixed-paths.ts";
import { type FileScope, Spot } from "./spot.ts";
import { compileWhole } from "./where.ts";

/** Undefined when unusable; all mistakes are reported. */
export function compileUnwrapper(file: FileScope, entry: UnwrapEntry, position: number): CompiledUnwrapper | undefined {
  const outer = new Spot(file, ["unwrap", position]);
  const call = outer.in("call").call(entry.call);
  if (call === undefined) return undefined;
  const each = compileEach(outer.reading({ args: call.inputs, anchor: "unwrap" }).in("each"), entry.each);
  if (each === undefined) return undefined;
  const spot = outer.reading({ args: call.inputs, anchor: "unwrap", item: each.item });
  const inner = compileInner(spot, entry);
  if (inner === undefined) return undefined;
  return {
    id: `${file.document.protocol}/${entry.id}`,
    call,
    gate: compileGate(spot.in("at"), entry.at),
    each: each.source,
    inner,
    suffix: entry.suffix ?? 0,
    actor: spot.in("actor").getter(entry.actor, "address") ?? null,
    proof: entry.proof === undefined ? null : compileProof(spot.in("proof"), entry.proof),
    bubbles: entry.bubbles === true ? () => true : compileWhen(spot.in("bubbles"), entry.bubbles),
    feesTo: spot.in("fees_to").getter(entry.fees_to, "address") ?? null,
    when: compileWhen(spot.in("when"), entry.when),
  };
}

/** Steps have no `inner`: they run in the contract's own frame. */
function compileInner(spot: Spot, { each, inner }: UnwrapEntry): CompiledUnwrapper["inner"] | undefined {
  const program = typeof each === "object" && ("steps" in each || "step" in each);
  if (program !== (inner === undefined))
    return spot.report("RL315", (say) => (program ? say.innerOfSteps() : say.innerMissing()));
  const self: ItemGetter = (context) => context.to;
  if (inner === undefined)
    return { to: self, data: () => "0x", from: (context) => context.caller, value: () => 0n, delegate: null };
  const read = (name: keyof typeof inner, ...types: PathType[]) => spot.in("inner", name).getter(inner[name], ...types);
  const to = read("to", "address");
  const data = read("data", "bytes");
  if (to === undefined || data === undefined) return undefined;
  const from = read("from", "address") ?? self;
  return {
    to,
    data,
    from,
    value: read("value", "uint") ?? (() => 0n),
    delegate: read("delegate", "uint", "bool") ?? null,
  };
}

interface Each {
  source: EachSource;
  item: AbiType | null;
}

function compileEach(spot: Spot, each: UnwrapEntry["each"]): Each | undefined {
  if (each === undefined) return { source: { kind: "single" }, item: null };
  if (typeof each === "string" || "zip" in each) {
    const elements = compileElements(spot, each);
    return elements && { source: elements, item: elements.item };
  }
  if ("packed" in each) {
    const get = spot.in("packed").getter(each.packed, "bytes");
    const layout = parseLayout(each.layout);
    if (layout === undefined) return spot.in("layout").report("RL312", (say) => say.badLayout());
    const source = get && { kind: "packed" as const, get, layout, repeat: each.repeat ?? true };
    return source && { source, item: packedTuple(layout) };
  }
  if ("decode" in each) return compileDecode(spot, each);
  const source = compileProgram(spot, each);
  return source && { source, item: null };
}

function compileDecode(spot: Spot, each: { decode: string; as: string }): Each | undefined {
  const get = spot.in("decode").getter(each.decode, "bytes");
  try {
    const types = spot.file.signatures.read(`function f(${each.as})`).inputs;
    const [first] = types.items;
    const array = first?.kind === "array";
    return get && { source: { kind: "decode", get, types, array }, item: array ? first.item : types };
  } catch (error) {
    const [problem] = (error as Error).message.split("\n");
    return spot.in("as").report("RL301", (say) => say.badTypes(problem));
  }
}

/** `uint8 operation, address to, uint256 value, uint256 length, bytes[length] data`; `bytes[rest]` takes the remainder. */
function parseLayout(text: string): PackedField[] | undefined {
  const fields: PackedField[] = [];
  for (const part of text.split(",")) {
    const found = /^\s*(uint(\d+)|address|bytes\[(\w+)\])\s+(\w+)\s*$/.exec(part);
    if (found === null) return undefined;
    const [, type, bits, size = "", name = ""] = found;
    if (type === "address") fields.push({ name, size: 20, kind: "address" });
    else if (bits !== undefined) fields.push({ name, size: Number(bits) / 8, kind: "uint" });
    else fields.push({ name, size: size === "rest" ? size : { lengthIn: size }, kind: "bytes" });
  }
  return fields.length <= limits.callDepthMax ? fields : undefined;
}

function packedTuple(layout: PackedField[]): AbiType {
  const types: Record<PackedField["kind"], AbiType> = {
    address: { kind: "address", dynamic: false, words: 1 },
    uint: { kind: "uint", bits: 256, dynamic: false, words: 1 },
    bytes: { kind: "bytes", dynamic: true, words: 1 },
  };
  const items = layout.map(({ kind }) => types[kind]);
  return { kind: "tuple", names: layout.map(({ name }) => name), items, dynamic: true, words: 1 };
}

function compileProof(spot: Spot, proof: NonNullable<UnwrapEntry["proof"]>): CompiledUnwrapper["proof"] {
  const event = spot.in("event").event(proof.event);
  if (event === undefined) return null;
  const join = Object.entries(proof.join ?? {}).flatMap(([name, path]) => {
    const at = spot.in("join", name);
    const get = at.getter(path, "address", "uint", "bytes");
    const argument = at.argument(event, name);
    return get === undefined || argument === undefined ? [] : [{ argument, get }];
  });
  const emitter = spot.in("emitter").getter(proof.emitter, "address") ?? ((context: UnwrapContext) => context.to);
  const ok = proof.ok === undefined ? null : (spot.in("ok").argument(event, proof.ok) ?? null);
  return { event, emitter, join, ok };
}

function compileWhen(spot: Spot, when: unknown): CompiledUnwrapper["when"] {
  return when === undefined ? null : compileWhole<UnwrapContext>(spot, when);
}
