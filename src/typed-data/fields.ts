import type { Value } from "../abi/abi-type.ts";
import { baseType, type StructTypes } from "../abi/struct-type.ts";

/** One value of a message: where it stands, its type, and the value. */
export interface MessageField {
  /** `details[0].token` */
  path: string;
  type: string;
  value: Value;
}

/** The values of a message, one by one and in its order; a list that has none is a field of its own. At most `max`, and how many there are. */
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
