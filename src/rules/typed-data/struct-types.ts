import { limits } from "../../kernel/limits.ts";
import {
  baseType,
  fieldNamePattern,
  isElementary,
  type StructField,
  type StructTypes,
  typeNamePattern,
} from "../abi/struct-type.ts";
import { refuseData, shownValue } from "./typed-data-error.ts";

/** Every named type is defined; names and arrays by EIP-712. Throws TypedDataError. */
export function readTypes(raw: unknown): StructTypes {
  if (!isPlainObject(raw)) return refuseData("`types` is no object");
  const entries = Object.entries(raw);
  if (entries.length > limits.typedStructsMax) return refuseData(`there are more than ${limits.typedStructsMax} types`);
  const types = new Map(entries.map(([name, fields]) => [name, readFields(name, fields)]));
  for (const [name, fields] of types)
    for (const { type, name: field } of fields)
      if (!types.has(baseType(type)) && !isElementary(baseType(type)))
        refuseData(`the type ${shownValue(type)} of ${shownValue(`${name}.${field}`)} is not there`);
  return types;
}

function readFields(name: string, raw: unknown): StructField[] {
  if (!typeNamePattern.test(name) || isElementary(name)) return refuseData(`${shownValue(name)} is no name for a type`);
  if (!Array.isArray(raw)) return refuseData(`the type ${shownValue(name)} is no list of members`);
  if (raw.length > limits.typedMembersMax)
    return refuseData(`the type ${shownValue(name)} has more than ${limits.typedMembersMax} members`);
  const seen = new Set<string>();
  return raw.map((member): StructField => {
    if (!isPlainObject(member)) return refuseData(`a member of the type ${shownValue(name)} is no object`);
    const { name: field, type } = member;
    if (typeof field !== "string" || !fieldNamePattern.test(field))
      return refuseData(`the type ${shownValue(name)} has a member without a plain name`);
    if (typeof type !== "string" || !typePattern.test(type))
      return refuseData(`${shownValue(`${name}.${field}`)} has the type ${shownValue(type)}, which is none`);
    if (seen.has(field)) return refuseData(`the type ${shownValue(name)} has the member ${shownValue(field)} twice`);
    seen.add(field);
    return { name: field, type };
  });
}

/** At most four array dimensions, each perhaps as long as the message; trees of pairs may have ten. */
const typePattern = /^[A-Za-z_$][\w$:]{0,99}(?:(?:\[(?:[1-9]\d{0,3})?\]){0,4}|(?:\[2\]){5,10})$/;

export function isPlainObject(raw: unknown): raw is Record<string, unknown> {
  return raw !== null && typeof raw === "object" && !Array.isArray(raw);
}
