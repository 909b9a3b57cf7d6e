import type { Value } from "../../abi/abi-type.ts";
import { readConstant } from "../descriptor/constant.ts";
import { type Part, unsupported } from "../descriptor/part.ts";
import { type Condition, isAmong, isNoneOf, readLiteral } from "./condition.ts";
import { type Field, hide } from "./field.ts";
import { type CallValue, locate } from "./path.ts";

const valuesMax = 32;

/** The values that the field must have, so that the descriptor is about the call (`mustMatch`, `mustBe` in version 2). */
function mustOf({ part }: Field): Part | undefined {
  return part.at("visible", "mustMatch") ?? part.at("visible", "mustBe");
}

export function isMust(field: Field): boolean {
  return mustOf(field) !== undefined;
}

/** What must hold of such a field, which is never shown. Throws UnsupportedError. */
export function readMust(field: Field): Condition {
  const at = choosable(field);
  const values = readValues(mustOf(field) as Part, at, field);
  hide(field.part);
  return isAmong(at, values);
}

/** What must hold so that any other field is shown (ERC-7730 "Field format specification"). Throws UnsupportedError. */
export function readShown(field: Field): Condition[] {
  const visible = field.part.get("visible");
  if (visible === undefined || visible.value === "always" || visible.value === "optional") return [];
  const not = visible.get("ifNotIn");
  if (not === undefined) unsupported("a rule of visibility that is none", visible);
  const at = choosable(field);
  return isNoneOf(at, readValues(not, at, field));
}

/** Where the value of a field is that examples must choose. Throws UnsupportedError. */
function choosable({ part, path, scope }: Field): CallValue {
  const at = locate(path, scope.item, "uint");
  if (at.slot === null) unsupported("a condition on a value that no example can choose", part.get("visible"));
  return at;
}

function readValues(list: Part, at: CallValue, { scope }: Field): Value[] {
  const parts = list.elements() ?? [];
  if (parts.length === 0 || parts.length > valuesMax) unsupported("a list of values that is none, or too long", list);
  return parts.map(
    (part) =>
      readLiteral(readConstant(part, scope), at.type) ?? unsupported("a value of another type than its field", part),
  );
}
