import type { AbiParameter } from "viem";

/**
 * The layout of one ABI type (Solidity ABI specification, "Formal Specification of the Encoding"). `words`: 32-byte words where its tuple
 * or array is written; 1 for a dynamic type, whose word is an offset.
 */
export type AbiType =
  | { kind: "uint" | "int"; bits: number; dynamic: false; words: 1 }
  | { kind: "address" | "bool"; dynamic: false; words: 1 }
  | { kind: "fixed"; size: number; dynamic: false; words: 1 }
  | { kind: "bytes" | "string"; dynamic: true; words: 1 }
  | { kind: "array"; item: AbiType; length: number | null; dynamic: boolean; words: number }
  | { kind: "tuple"; names: string[]; items: AbiType[]; dynamic: boolean; words: number };

export type TupleType = Extract<AbiType, { kind: "tuple" }>;

/** Integers are bigint, bytes and addresses lower-case hex, tuples and arrays lists. */
export type Value = bigint | string | boolean | Value[];

/** Throws on types that the EVM does not use (fixed-point numbers, `function`). */
export function layoutOf(parameter: AbiParameter): AbiType {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type);
  if (array !== null) {
    const item = layoutOf({ ...parameter, type: array[1] ?? "" } as AbiParameter);
    const length = array[2] === "" ? null : Number(array[2]);
    const dynamic = length === null || item.dynamic;
    return { kind: "array", item, length, dynamic, words: dynamic ? 1 : (length ?? 0) * item.words };
  }
  if (parameter.type === "tuple") {
    const components = (parameter as { components?: readonly AbiParameter[] }).components ?? [];
    return tupleOf(components);
  }
  return elementary(parameter.type);
}

/** The ABI encodes a parameter list as a tuple. */
export function tupleOf(parameters: readonly AbiParameter[]): TupleType {
  const items = parameters.map(layoutOf);
  const dynamic = items.some((item) => item.dynamic);
  return {
    kind: "tuple",
    names: parameters.map((parameter) => parameter.name ?? ""),
    items,
    dynamic,
    words: dynamic ? 1 : headWords(items),
  };
}

/** Words in the head of the tuple. */
export function headWords(items: readonly AbiType[]): number {
  let words = 0;
  for (const item of items) words += item.dynamic ? 1 : item.words;
  return words;
}

/** Canonical, such as `uint256[]`; for messages. */
export function typeText(type: AbiType): string {
  switch (type.kind) {
    case "uint":
    case "int":
      return `${type.kind}${type.bits}`;
    case "fixed":
      return `bytes${type.size}`;
    case "array":
      return `${typeText(type.item)}[${type.length ?? ""}]`;
    case "tuple":
      return `(${type.items.map(typeText).join(",")})`;
    default:
      return type.kind;
  }
}

/** Integers become decimal text, structs objects by member name. */
export function jsonOf(type: AbiType, value: Value): unknown {
  if (type.kind === "array") return (value as Value[]).map((one) => jsonOf(type.item, one));
  if (type.kind !== "tuple") return typeof value === "bigint" ? value.toString() : value;
  return namedMembers(type, value as Value[]);
}

export function namedMembers({ names, items }: TupleType, values: readonly Value[]) {
  return Object.fromEntries(names.map((name, i) => [name, jsonOf(items[i] as AbiType, values[i] as Value)]));
}

function elementary(text: string): AbiType {
  const number = /^(u?int)(\d*)$/.exec(text);
  if (number !== null) {
    const kind = number[1] === "uint" ? "uint" : "int";
    return { kind, bits: number[2] === "" ? 256 : Number(number[2]), dynamic: false, words: 1 };
  }
  const fixed = /^bytes(\d+)$/.exec(text);
  if (fixed !== null) return { kind: "fixed", size: Number(fixed[1]), dynamic: false, words: 1 };
  if (text === "address" || text === "bool") return { kind: text, dynamic: false, words: 1 };
  if (text === "bytes" || text === "string") return { kind: text, dynamic: true, words: 1 };
  throw new Error(`unsupported ABI type ${text}`);
}
