import { keccakOfText } from "../../kernel/hash.ts";
import type { Hex } from "../../kernel/hex.ts";
import { type AbiType, layoutOf, type TupleType, tupleOf } from "./abi-type.ts";

/** `type`: `uint256`, `Person` or `Person[]`. */
export interface StructField {
  name: string;
  type: string;
}

/** Like `types` of EIP-712 typed data. */
export type StructTypes = ReadonlyMap<string, readonly StructField[]>;

export function baseType(type: string): string {
  const mark = type.indexOf("[");
  return mark < 0 ? type : type.slice(0, mark);
}

/** Some applications use a colon in the name of a type. */
export const typeNamePattern = /^[A-Za-z_$][\w$:]{0,99}$/;
export const fieldNamePattern = /^[A-Za-z_$][\w$]{0,99}$/;

const elementaryPattern = /^(?:address|bool|string|bytes|bytes(?:[1-9]|[12]\d|3[0-2])|u?int(\d{1,3})?)$/;

/** Without array brackets: `uint256`, but not `uint7`. */
export function isElementary(type: string): boolean {
  const found = elementaryPattern.exec(type);
  if (found === null) return false;
  const bits = found[1] === undefined ? 256 : Number(found[1]);
  return bits <= 256 && bits % 8 === 0 && !found[1]?.startsWith("0");
}

/** EIP-712: the struct, then those it refers to by name. Undefined structs are left out. */
export function encodeType(primary: string, types: StructTypes): string {
  const found = new Set<string>();
  const open = [primary];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const { type } of types.get(name) ?? []) if (types.has(baseType(type))) open.push(baseType(type));
  }
  found.delete(primary);
  // Sorting without a comparison function is by code unit.
  return [primary, ...[...found].sort()].map((name) => `${name}(${membersOf(types.get(name) ?? [])})`).join("");
}

function membersOf(fields: readonly StructField[]): string {
  return fields.map(({ type, name }) => `${type} ${name}`).join(",");
}

export function typeHash(encoded: string): Hex {
  return keccakOfText(encoded);
}

/** Structs as tuples. Throws on a struct that contains itself. */
export function structLayout(primary: string, types: StructTypes): TupleType {
  return tupleOf(parametersOf(primary, types, []));
}

function parametersOf(name: string, types: StructTypes, trail: readonly string[]): Parameters<typeof tupleOf>[0] {
  if (trail.includes(name)) throw new Error(`the struct ${name} holds itself`);
  return (types.get(name) ?? []).map((field) => {
    const base = baseType(field.type);
    if (!types.has(base)) return { name: field.name, type: field.type };
    const components = parametersOf(base, types, [...trail, name]);
    return { name: field.name, type: `tuple${field.type.slice(base.length)}`, components };
  });
}

export function elementaryLayout(type: string): AbiType {
  return layoutOf({ type });
}
