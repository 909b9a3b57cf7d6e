import type { MatchContext } from "../model/match.ts";
import type { Value } from "../ruleset/abi-type.ts";
import { compileCondition } from "../ruleset/condition.ts";
import type { FunctionItem } from "../ruleset/signature.ts";
import type { Condition } from "./condition.ts";
import type { Located } from "./field-path.ts";
import { Unfit } from "./part.ts";
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
  reads: readonly Located[];
}

/** A call in which everything holds. Throws {@link Unfit} when none is found. */
export function callThatFits(item: FunctionItem, asked: Asked): ExampleCall {
  const conditions = [...asked.musts, ...asked.told];
  const chosen = choose(item, conditions, { ...extent(asked), full: true, chosen: new Map() });
  const call = chosen && callOf(item, chosen);
  if (call === undefined || !holds(item, conditions, call)) throw new Unfit("conditions that no example meets");
  return call;
}

/** A call in which only the musts hold; undefined when none is found. */
export function callThatMisses(item: FunctionItem, asked: Asked): ExampleCall | undefined {
  const base = choose(item, asked.musts, { ...extent(asked), full: false, chosen: new Map() });
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

function extent({ reads }: Asked): Pick<SampleOrder, "elements" | "bytes"> {
  return {
    elements: Math.max(0, ...reads.map(({ elements }) => elements)),
    bytes: Math.max(0, ...reads.map(({ bytes }) => bytes)),
  };
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
    if (error instanceof Unfit) throw error;
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
