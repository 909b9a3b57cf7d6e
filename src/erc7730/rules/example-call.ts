import type { Value } from "../../abi/abi-type.ts";
import type { FunctionItem } from "../../abi/signature.ts";
import type { MatchContext } from "../../model/match.ts";
import { compileCondition } from "../../ruleset/compile/condition.ts";
import { UnsupportedError } from "../descriptor/part.ts";
import type { Condition } from "../fields/condition.ts";
import type { CallValue } from "../fields/path.ts";
import { type SampleOrder, sampleAddress, sampleCall } from "./sample-call.ts";

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
