import { zeroAddress } from "../../../kernel/address.ts";
import type { MatchContext } from "../../../model/match.ts";
import type { AbiType, Value } from "../../../rules/abi/abi-type.ts";
import { encodeTuple } from "../../../rules/abi/encoder.ts";
import { compileCondition } from "../../../rules/ruleset/compile/condition.ts";
import { UnsupportedError, unsupported } from "../descriptor/part.ts";
import type { Condition } from "../fields/condition.ts";
import type { ActItem } from "../function-text.ts";

/** No contract of a rule file has it. */
export const sampleAddress = `0x${"10".repeat(19)}01`;

/** A call, or a message to sign. */
export interface ExampleCall {
  data: string;
  /** Or members. */
  args: readonly Value[];
  /** Wei. */
  value: bigint;
}

interface Draft {
  /** No zeros, no empty lists; else all zero and empty, except what is chosen. */
  full: boolean;
  /** Of lists, and bytes of byte values. */
  elements: number;
  bytes: number;
  /** By slot, such as `order.hops.*`. */
  chosen: ReadonlyMap<string, Value>;
}

/** Values of an example; nobody would read more. */
const valuesMax = 192;

interface CallOrder {
  must: readonly Condition[];
  /** Must not all hold. */
  not?: readonly Condition[];
  /** Other values are not zero. */
  full?: boolean;
}

/** Undefined for none. Throws UnsupportedError when too long. */
export function findCall(item: ActItem, { must, not, full = false }: CallOrder): ExampleCall | undefined {
  const base = choose(item, must, full);
  if (base === undefined) return undefined;
  for (const draft of [base, ...(not ?? []).flatMap(({ at }) => variations(base, at.slot, not ?? []))]) {
    const call = callIf(item, draft, must);
    if (call !== undefined && (not === undefined || !holds(item, not, call))) return call;
  }
  return undefined;
}

/** Undefined when no value of a slot meets the conditions. */
function choose(item: ActItem, conditions: readonly Condition[], full: boolean): Draft | undefined {
  const most = (key: "elements" | "bytes"): number => Math.max(0, ...conditions.map(({ at }) => at[key]));
  const start: Draft = { full, elements: most("elements"), bytes: most("bytes"), chosen: new Map() };
  const slots = new Set(conditions.flatMap(({ at }) => at.slot ?? []));
  return [...slots].reduce<Draft | undefined>((draft, slot) => {
    const asked = conditions.filter(({ at }) => at.slot === slot);
    return draft && [draft, ...variations(draft, slot, asked)].find((one) => callIf(item, one, asked) !== undefined);
  }, start);
}

const plainCandidates: readonly Value[] = [
  ...Array.from({ length: 70 }, (_, i) => BigInt(i)),
  "text",
  "other text",
  ...["11", "12", "13"].map((digits) => `0x${digits.repeat(20)}`),
  sampleAddress,
  true,
  false,
];

/** Values that the conditions name first; their types may not fit. */
function variations(draft: Draft, slot: string | null, conditions: readonly Condition[]): Draft[] {
  if (slot === null) return [];
  const named = conditions.filter(({ at }) => at.slot === slot).flatMap(({ candidates }) => candidates);
  return [...named, ...plainCandidates].map((value) => ({
    ...draft,
    chosen: new Map([...draft.chosen, [slot, value]]),
  }));
}

/** Undefined when a value does not fit, or a condition does not hold. */
function callIf(item: ActItem, draft: Draft, conditions: readonly Condition[]): ExampleCall | undefined {
  const value = draft.chosen.get("@value");
  try {
    const args = sampleArguments(item, draft);
    const data = item.hash.slice(0, 10) + encodeTuple(item.inputs.items, args);
    const call = { data, args, value: typeof value === "bigint" ? value : 0n };
    return holds(item, conditions, call) ? call : undefined;
  } catch (error) {
    if (error instanceof UnsupportedError) throw error;
    return undefined;
  }
}

function holds(item: ActItem, conditions: readonly Condition[], { data, args, value }: ExampleCall): boolean {
  const anchor = item.kind === "message" ? ("sign" as const) : ("call" as const);
  const scope = { args: item.inputs, input: null, item: null, legs: [], anchor, contracts: new Map() };
  const call = { from: sampleAddress, to: sampleAddress, value };
  const domain = { verifyingContract: sampleAddress };
  const read = item.kind === "message" ? args : item.read(data);
  const context = { args: read, call, subject: sampleAddress, domain } as unknown as MatchContext;
  return conditions.every(({ where }) => where === undefined || compileCondition(where, scope, [])(context));
}

/** Throws UnsupportedError for too many values. */
function sampleArguments(item: ActItem, draft: Draft): Value[] {
  let left = valuesMax;
  const sample = (type: AbiType, slot: readonly string[]): Value => {
    if (--left < 0) unsupported("a signature with too many values for an example");
    if (type.kind === "tuple") return type.items.map((inner, i) => sample(inner, [...slot, `${type.names[i]}`]));
    if (type.kind !== "array") {
      const chosen = draft.chosen.get(slot.join("."));
      return chosen === undefined ? plainValue(type, draft) : typedValue(type, chosen);
    }
    const length = type.length ?? Math.max(draft.full ? 1 : 0, draft.elements);
    if (length > left) unsupported("a signature with too many values for an example");
    return Array.from({ length }, () => sample(type.item, [...slot, "*"]));
  };
  return sample(item.inputs, []) as Value[];
}

/** Hex is cut to the type's length. Throws when it does not fit. */
function typedValue(type: AbiType, value: Value): Value {
  const hex = typeof value === "string" && value.startsWith("0x") ? value : undefined;
  switch (type.kind) {
    case "uint":
    case "int":
      if (typeof value === "bigint") return value;
      return BigInt(hex ?? unfit());
    case "bool":
      return typeof value === "boolean" ? value : unfit();
    case "string":
      return typeof value === "string" ? value : unfit();
    case "address":
      return `0x${(hex ?? unfit()).slice(-40)}`;
    case "fixed":
      return (hex ?? unfit()).slice(0, 2 + 2 * type.size);
    default:
      return hex ?? unfit();
  }
}

function unfit(): never {
  throw new Error("a candidate of another type");
}

function plainValue(type: AbiType, { full, bytes }: Draft): Value {
  const byKind: Partial<Record<AbiType["kind"], Value>> = {
    address: full ? sampleAddress : zeroAddress,
    bool: full,
    fixed: `0x${(full ? "01" : "00").repeat(type.kind === "fixed" ? type.size : 0)}`,
    bytes: full ? `0x${"10".repeat(Math.max(20, bytes))}` : "0x",
    string: full ? "text" : "",
  };
  return byKind[type.kind] ?? (full ? 1n : 0n);
}
