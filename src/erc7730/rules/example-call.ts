import type { AbiType, Value } from "../../abi/abi-type.ts";
import { encodeTuple } from "../../abi/encoder.ts";
import type { FunctionItem } from "../../abi/signature.ts";
import type { MatchContext } from "../../model/match.ts";
import { compileCondition } from "../../ruleset/compile/condition.ts";
import { UnsupportedError, unsupported } from "../descriptor/part.ts";
import type { Condition } from "../fields/condition.ts";
import type { CallValue } from "../fields/path.ts";

/** 20 bytes that no contract of a rule file has. */
export const sampleAddress = `0x${"10".repeat(19)}01`;

/** A call that an example makes. */
export interface ExampleCall {
  data: string;
  /** Ether beside it. */
  value: bigint;
}

export interface Asked {
  /** Must hold in every call. */
  musts: readonly Condition[];
  /** Hold where the fields are told, and do not all hold where they are not. */
  told: readonly Condition[];
  reads: readonly CallValue[];
}

/** A call in which everything holds; undefined when none is found. Throws UnsupportedError when it would grow too long. */
export function callThatFits(item: FunctionItem, asked: Asked): ExampleCall | undefined {
  const conditions = [...asked.musts, ...asked.told];
  const needed = [...conditions, ...asked.reads].map(({ elements }) => elements);
  const bytes = Math.max(0, ...asked.reads.map((read) => read.bytes));
  const order = { full: true, elements: Math.max(0, ...needed), bytes, chosen: new Map() };
  const chosen = choose(item, conditions, order);
  const call = chosen && callOf(item, chosen);
  return call !== undefined && holds(item, conditions, call) ? call : undefined;
}

/** A call in which only the musts hold; undefined when none is found. */
export function callThatMisses(item: FunctionItem, asked: Asked): ExampleCall | undefined {
  const elements = Math.max(0, ...asked.musts.map((must) => must.elements));
  const base = choose(item, asked.musts, { full: false, elements, bytes: 0, chosen: new Map() });
  if (base === undefined) return undefined;
  const free = asked.told.flatMap(({ slot }) => slot ?? []);
  const others = free.flatMap((slot) =>
    candidatesOf(asked.told, slot).map((value) => ({ ...base, chosen: new Map([...base.chosen, [slot, value]]) })),
  );
  for (const order of [base, ...others]) {
    const call = encodable(item, order);
    if (call !== undefined && holds(item, asked.musts, call) && !holds(item, asked.told, call)) return call;
  }
  return undefined;
}

/** Values for the slots that conditions ask for, one slot after the other; undefined when a slot has none. */
function choose(item: FunctionItem, conditions: readonly Condition[], order: SampleOrder): SampleOrder | undefined {
  let chosen = order;
  for (const slot of new Set(conditions.map((condition) => condition.slot))) {
    if (slot === null) continue;
    const asked = conditions.filter((condition) => condition.slot === slot);
    const tries = [
      chosen,
      ...candidatesOf(asked, slot).map((value) => ({ ...chosen, chosen: new Map([...chosen.chosen, [slot, value]]) })),
    ];
    const found = tries.find((one) => {
      const call = encodable(item, one);
      return call !== undefined && holds(item, asked, call);
    });
    if (found === undefined) return undefined;
    chosen = found;
  }
  return chosen;
}

const plainCandidates: readonly Value[] = [
  ...Array.from({ length: 70 }, (_, i) => BigInt(i)),
  ...["11", "12", "13"].map((digits) => `0x${digits.repeat(20)}`),
  sampleAddress,
  true,
  false,
  "text",
  "other text",
];

function candidatesOf(conditions: readonly Condition[], slot: string): Value[] {
  return [...conditions.filter((one) => one.slot === slot).flatMap(({ candidates }) => candidates), ...plainCandidates];
}

/** The call, when every chosen value is one of its type. */
function encodable(item: FunctionItem, order: SampleOrder): ExampleCall | undefined {
  try {
    return callOf(item, order);
  } catch (error) {
    if (error instanceof UnsupportedError) throw error;
    return undefined;
  }
}

function callOf(item: FunctionItem, order: SampleOrder): ExampleCall {
  const value = order.chosen.get("@value");
  return { data: sampleCall(item, order), value: typeof value === "bigint" ? value : 0n };
}

function holds(item: FunctionItem, conditions: readonly Condition[], { data, value }: ExampleCall): boolean {
  const scope = { args: item.inputs, input: null, item: null, legs: [], anchor: "call" as const, contracts: new Map() };
  const args = item.read(data);
  if (args === undefined) return false;
  const parties = { from: sampleAddress, to: sampleAddress };
  const context = { args, call: { ...parties, value } } as unknown as MatchContext;
  return conditions.every(({ where }) => compileCondition(where, scope, [])(context));
}

/** How the arguments of an example are chosen. */
interface SampleOrder {
  /** Nothing is zero, and lists have elements; else everything is zero and empty. */
  full: boolean;
  elements: number;
  bytes: number;
  /** Values by slot, such as `order.hops.*`. */
  chosen: ReadonlyMap<string, Value>;
}

/** Values of one example; more would make files that nobody reads. */
const valuesMax = 192;

/** Calldata of a function. Throws UnsupportedError when it would grow too long. */
function sampleCall(item: FunctionItem, order: SampleOrder): string {
  let left = valuesMax;
  const sample = (type: AbiType, slot: string): Value => {
    if (--left < 0) unsupported("a signature with too many values for an example");
    if (type.kind === "tuple")
      return type.items.map((inner, i) => sample(inner, slot === "" ? `${type.names[i]}` : `${slot}.${type.names[i]}`));
    if (type.kind === "array") {
      const length = type.length ?? Math.max(order.full ? 1 : 0, order.elements);
      if (length > left) unsupported("a signature with too many values for an example");
      return Array.from({ length }, () => sample(type.item, `${slot}.*`));
    }
    return order.chosen.get(slot) ?? plainValue(type, order);
  };
  return item.hash + encodeTuple(item.inputs.items, sample(item.inputs, "") as Value[]);
}

function plainValue(type: AbiType, { full, bytes }: SampleOrder): Value {
  switch (type.kind) {
    case "uint":
    case "int":
      return full ? 1n : 0n;
    case "address":
      return full ? sampleAddress : `0x${"0".repeat(40)}`;
    case "bool":
      return full;
    case "fixed":
      return `0x${(full ? "01" : "00").repeat(type.size)}`;
    case "bytes":
      return full ? `0x${"10".repeat(Math.max(20, bytes))}` : "0x";
    case "string":
      return full ? "text" : "";
    default:
      return 0n;
  }
}
