import type { AbiType } from "../../../abi/abi-type.ts";
import { parseSignature } from "../../../abi/signature.ts";
import { suggest } from "../../../documents/suggest.ts";
import { limits } from "../../../kernel/limits.ts";
import type {
  CompiledUnwrapper,
  EachSource,
  ItemGetter,
  PackedField,
  SubjectHint,
  UnwrapContext,
} from "../../compiled.ts";
import type { UnwrapEntry } from "../../document/rule-document.ts";
import { reportProblems } from "../capture.ts";
import { type ConditionProblem, compileCondition } from "../condition.ts";
import { compileGate } from "../gate.ts";
import type { PathScope, PathType } from "../path.ts";
import { eventNamed, type FileScope, functionNamed } from "../scope.ts";
import { compileProgram } from "./compile-steps.ts";
import { itemGetter, pathOf } from "./unwrap-path.ts";

type At = (string | number)[];

/** Compiles one entry of `unwrap:`; undefined when a mistake makes it unusable (all are reported). */
export function compileUnwrapper(file: FileScope, entry: UnwrapEntry, position: number): CompiledUnwrapper | undefined {
  const at: At = ["unwrap", position];
  const call = functionNamed(file, entry.call, [...at, "call"]);
  if (call === undefined) return undefined;
  const scope: PathScope = {
    args: call.inputs,
    input: null,
    item: null,
    legs: [],
    anchor: "unwrap",
    contracts: file.contracts,
  };
  const each = compileEach(file, scope, entry.each, [...at, "each"]);
  if (each === undefined) return undefined;
  const inner: PathScope = { ...scope, item: each.item };
  const opens = compileInner(file, inner, entry, at);
  if (opens === undefined) return undefined;
  const read = (text: string | undefined, types: PathType[], ...rest: string[]) =>
    itemGetter(file, inner, text, types, [...at, ...rest]);
  return {
    id: `${file.document.protocol}/${entry.id}`,
    call,
    gate: compileGate(file, entry.at, [...at, "at"]),
    each: each.source,
    inner: opens,
    suffix: entry.suffix ?? 0,
    actor: read(entry.actor, ["address"], "actor") ?? null,
    proof: compileProof(file, inner, entry, at),
    bubbles: entry.bubbles === true ? () => true : compileWhen(file, inner, entry.bubbles, [...at, "bubbles"]),
    feesTo: read(entry.fees_to, ["address"], "fees_to") ?? null,
    when: compileWhen(file, inner, entry.when, [...at, "when"]),
  };
}

/** Where the calls are that a wrapper carries; steps run in the frame of the contract itself. */
function compileInner(
  file: FileScope,
  scope: PathScope,
  { each, inner }: UnwrapEntry,
  at: At,
): CompiledUnwrapper["inner"] | undefined {
  const program = typeof each === "object" && ("steps" in each || "step" in each);
  if (program !== (inner === undefined))
    return file.reporter.report("RL315", at, program ? "steps have no `inner`" : "`inner` says where the calls are");
  if (inner === undefined)
    return {
      to: (context) => context.to,
      data: () => "0x",
      from: (context) => context.caller,
      value: () => 0n,
      delegate: null,
    };
  const read = (text: string | undefined, types: PathType[], name: string) =>
    itemGetter(file, scope, text, types, [...at, "inner", name]);
  const to = read(inner.to, ["address"], "to");
  const data = read(inner.data, ["bytes"], "data");
  if (to === undefined || data === undefined) return undefined;
  return {
    to,
    data,
    from: read(inner.from, ["address"], "from") ?? ((context) => context.to),
    value: read(inner.value, ["uint"], "value") ?? (() => 0n),
    delegate: read(inner.delegate, ["uint", "bool"], "delegate") ?? null,
  };
}

/** Compiles `subjects:`. */
export function compileSubjects(file: FileScope): SubjectHint[] {
  return (file.document.subjects ?? []).flatMap((entry, i) => {
    const at: At = ["subjects", i];
    const event = eventNamed(file, entry.event, [...at, "event"]);
    const argument = event?.inputs.names.indexOf(entry.subject) ?? -1;
    if (event === undefined) return [];
    if (event.inputs.items[argument]?.kind !== "address")
      file.reporter.report("RL303", [...at, "subject"], `\`${entry.subject}\` is no address argument of the event`, {
        suggest: suggest(entry.subject, event.inputs.names),
      });
    return [{ event, gate: compileGate(file, entry.at, [...at, "at"]), argument }];
  });
}

function compileEach(
  file: FileScope,
  scope: PathScope,
  each: UnwrapEntry["each"],
  at: At,
): { source: EachSource; item: AbiType | null } | undefined {
  if (each === undefined) return { source: { kind: "single" }, item: null };
  if (typeof each === "string") {
    const path = pathOf(file, scope, each, ["array"], at);
    if (path?.layout?.kind !== "array") return undefined;
    return { source: { kind: "array", get: path.get as unknown as ItemGetter }, item: path.layout.item };
  }
  if ("packed" in each) {
    const path = pathOf(file, scope, each.packed, ["bytes"], [...at, "packed"]);
    const layout = parseLayout(each.layout);
    if (layout === undefined)
      return file.reporter.report("RL312", [...at, "layout"], "the packed layout does not parse");
    if (path === undefined) return undefined;
    return {
      source: { kind: "packed", get: path.get as unknown as ItemGetter, layout, repeat: each.repeat ?? true },
      item: packedTuple(layout),
    };
  }
  if ("steps" in each || "step" in each) return compileProgram(file, scope, each, at);
  return "zip" in each ? compileZip(file, scope, each.zip, [...at, "zip"]) : compileDecode(file, scope, each, at);
}

/** Parallel arrays: the item has one field for each, by the names given here. */
function compileZip(
  file: FileScope,
  scope: PathScope,
  zip: Record<string, string>,
  at: At,
): { source: EachSource; item: AbiType } | undefined {
  const names = Object.keys(zip);
  const paths = names.map((name) => pathOf(file, scope, zip[name] as string, ["array"], [...at, name]));
  const items = paths.flatMap((path) => (path?.layout?.kind === "array" ? [path.layout.item] : []));
  if (items.length !== names.length) return undefined;
  const gets = paths.flatMap((path) => (path === undefined ? [] : [path.get as unknown as ItemGetter]));
  return { source: { kind: "zip", gets }, item: { kind: "tuple", names, items, dynamic: true, words: 1 } };
}

function compileDecode(file: FileScope, scope: PathScope, each: { decode: string; as: string }, at: At) {
  const path = pathOf(file, scope, each.decode, ["bytes"], [...at, "decode"]);
  try {
    const types = parseSignature(`function f(${each.as})`).inputs;
    if (path === undefined) return undefined;
    const first = types.items[0];
    const array = first?.kind === "array";
    const source: EachSource = { kind: "decode", get: path.get as unknown as ItemGetter, types, array };
    return { source, item: array ? first.item : types };
  } catch (error) {
    return file.reporter.report(
      "RL301",
      [...at, "as"],
      `the type list does not parse: ${(error as Error).message.split("\n")[0]}`,
    );
  }
}

/** `uint8 operation, address to, uint256 value, uint256 length, bytes[length] data`; `bytes[rest]` takes what remains. */
function parseLayout(text: string): PackedField[] | undefined {
  const fields: PackedField[] = [];
  for (const part of text.split(",")) {
    const found = /^\s*(uint(\d+)|address|bytes\[(\w+)\])\s+(\w+)\s*$/.exec(part);
    if (found === null) return undefined;
    const name = found[4] ?? "";
    if (found[1] === "address") fields.push({ name, size: 20, kind: "address" });
    else if (found[2] !== undefined) fields.push({ name, size: Number(found[2]) / 8, kind: "uint" });
    else fields.push({ name, size: found[3] === "rest" ? "rest" : { lengthIn: found[3] ?? "" }, kind: "bytes" });
  }
  return fields.length > 0 && fields.length <= limits.callDepthMax ? fields : undefined;
}

function packedTuple(layout: PackedField[]): AbiType {
  const items = layout.map((field): AbiType => {
    if (field.kind === "address") return { kind: "address", dynamic: false, words: 1 };
    return field.kind === "uint"
      ? { kind: "uint", bits: 256, dynamic: false, words: 1 }
      : { kind: "bytes", dynamic: true, words: 1 };
  });
  return { kind: "tuple", names: layout.map((field) => field.name), items, dynamic: true, words: 1 };
}

function compileProof(file: FileScope, scope: PathScope, entry: UnwrapEntry, at: At): CompiledUnwrapper["proof"] {
  if (entry.proof === undefined) return null;
  const event = eventNamed(file, entry.proof.event, [...at, "proof", "event"]);
  if (event === undefined) return null;
  const argument = (name: string, path: At): number => {
    const index = event.inputs.names.indexOf(name);
    if (index < 0)
      file.reporter.report("RL303", path, `\`${name}\` is no argument of the event`, {
        suggest: suggest(name, event.inputs.names),
      });
    return index;
  };
  const join = Object.entries(entry.proof.join ?? {}).flatMap(([name, path]) => {
    const get = itemGetter(file, scope, path, ["address", "uint", "bytes"], [...at, "proof", "join", name]);
    const index = argument(name, [...at, "proof", "join", name]);
    return get === undefined || index < 0 ? [] : [{ argument: index, get }];
  });
  const emitter = itemGetter(file, scope, entry.proof.emitter, ["address"], [...at, "proof", "emitter"]);
  return {
    event,
    emitter: emitter ?? ((context) => context.to),
    join,
    ok: entry.proof.ok === undefined ? null : argument(entry.proof.ok, [...at, "proof", "ok"]),
  };
}

function compileWhen(file: FileScope, scope: PathScope, when: unknown, at: At): CompiledUnwrapper["when"] {
  if (when === undefined) return null;
  const problems: ConditionProblem[] = [];
  const predicate = compileCondition(when, scope, problems);
  reportProblems(file, problems, at);
  return predicate as unknown as (context: UnwrapContext) => boolean;
}
