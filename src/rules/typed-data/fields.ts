import { type Address, readAddress, zeroAddress } from "../../kernel/address.ts";
import type { Value } from "../abi/abi-type.ts";
import { baseType, type StructTypes } from "../abi/struct-type.ts";

export interface MessageField {
  /** `details[0].token` */
  path: string;
  type: string;
  value: Value;
}

/** Values in order, structs and lists taken apart; an empty list is a value. At most `max`; `count`: of all. */
export function listFields(
  { primaryType, types, values }: { primaryType: string; types: StructTypes; values: readonly Value[] },
  max: number,
): { fields: MessageField[]; count: number } {
  const fields: MessageField[] = [];
  let count = 0;
  const visit = (type: string, value: Value, path: string): void => {
    const [, item] = /^(.*)\[\d*\]$/.exec(type) ?? [];
    if (item !== undefined && (value as Value[]).length > 0) {
      for (const [i, one] of (value as Value[]).entries()) visit(item, one, `${path}[${i}]`);
      return;
    }
    if (item === undefined && types.has(baseType(type))) {
      members(type, value as Value[], `${path}.`);
      return;
    }
    count++;
    if (fields.length < max) fields.push({ path, type, value });
  };
  const members = (struct: string, all: readonly Value[], prefix: string): void => {
    for (const [i, { name, type }] of (types.get(struct) ?? []).entries())
      visit(type, all[i] as Value, `${prefix}${name}`);
  };
  members(primaryType, values, "");
  return { fields, count };
}

/** An address, its text, or bytes that hold only one. Undefined for zero. */
export function accountIn({ type, value }: Pick<MessageField, "type" | "value">): Address | undefined {
  if (typeof value !== "string") return undefined;
  const alone = type.startsWith("bytes") ? value.replace(/^0x0{24}(?=[0-9a-f]{40}$)/, "0x") : value;
  const address = readAddress(alone);
  // A word with that many leading zeros is a number.
  const isNumber = type === "bytes32" && /^0x0{16}/.test(alone);
  return address === zeroAddress || isNumber ? undefined : address;
}

export function accountsIn(fields: readonly MessageField[]): Address[] {
  return [...new Set(fields.flatMap((field) => accountIn(field) ?? []))];
}
