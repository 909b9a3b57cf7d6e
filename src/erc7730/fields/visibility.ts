import type { Value } from "../../abi/abi-type.ts";
import { type ConstantScope, isOwnPath, resolve } from "../descriptor/constant.ts";
import { isObject } from "../descriptor/json.ts";
import { type Part, unsupported } from "../descriptor/part.ts";
import { type Condition, isAmong, isNoneOf, readLiteral } from "./condition.ts";
import type { Field } from "./field-list.ts";
import { type CallValue, locate } from "./path.ts";
import type { CaptureScope } from "./value.ts";

/** What the rule `visible` of a field asks for. */
export interface Visibility {
  /** Never shown; the call must be so, or the descriptor is not about it (`mustMatch`, `mustBe` in version 2). */
  musts: Condition[];
  /** Shown only when this holds (`ifNotIn`). */
  shown: Condition[];
}

const valuesMax = 32;

/** Reads `visible` (ERC-7730 "Field format specification"). Throws UnsupportedError. */
export function readVisibility({ part, path }: Field, scope: CaptureScope): Visibility {
  const visible = part.get("visible");
  if (visible === undefined || visible.value === "always" || visible.value === "optional")
    return { musts: [], shown: [] };
  if (!isObject(visible.value)) unsupported("a rule of visibility that is none", visible);
  const must = visible.get("mustMatch") ?? visible.get("mustBe");
  const not = visible.get("ifNotIn");
  if (must === undefined && not === undefined) unsupported("a rule of visibility that is none", visible);
  const at = locate(path, scope.item, "uint");
  if (at.slot === null) unsupported("a condition on a value that no example can choose", visible);
  return {
    musts: must === undefined ? [] : [isAmong(at, readValues(must, at, scope))],
    shown: not === undefined ? [] : isNoneOf(at, readValues(not, at, scope)),
  };
}

function readValues(list: Part, at: CallValue, scope: ConstantScope): Value[] {
  const parts = list.entries().map(([, part]) => part);
  if (!Array.isArray(list.value) || parts.length === 0 || parts.length > valuesMax)
    unsupported("a list of values that is none, or too long", list);
  return parts.map((part) => {
    const raw = part.take();
    const value = readLiteral(isOwnPath(raw) ? resolve(raw, part, scope) : raw, at.type);
    if (value === undefined) unsupported("a value of another type than its field", part);
    return value;
  });
}
