import { unsupported } from "../descriptor/part.ts";
import type { Condition } from "./condition.ts";

export type Capture = Readonly<Record<string, unknown>>;

/** The capture of the rule language for one field, and what it needs. */
export interface CapturedField {
  capture: Capture;
  /** Conditions under which the field can be told in a sentence that needs it. */
  conditions: readonly Condition[];
  /** The array over whose elements the capture goes (through `item`); null for a single value. */
  each: string | null;
  /** Another capture for the value. It is used unless all these conditions hold; `capture` is used only if they do. */
  otherwise?: { capture: Capture; unless: readonly Condition[] };
  /** Set for an encrypted value: what is shown is neither the amount nor the address that it stands for. */
  encrypted?: true;
  /** The call that a message carries. */
  carries?: Readonly<Record<string, string>>;
}

/** A captured field with its conditions. Throws UnsupportedError when these read elements of several arrays. */
export function told(capture: Capture, ...conditions: readonly Condition[]): CapturedField {
  const [array, ...others] = new Set(conditions.flatMap(({ at }) => at.each ?? []));
  if (others.length === 0) return { capture, conditions, each: array ?? null };
  return unsupported("values of several arrays");
}

/** A field with a capture of one value, such as `{ address: path }`. */
export function toldAs(key: string, condition: Condition): CapturedField {
  return told({ [key]: condition.at.path }, condition);
}

/** The field, told as the plain number at `number` unless these conditions hold. */
export function orNumber(field: CapturedField, number: string, unless: readonly Condition[]): CapturedField {
  const asked = unless.filter(({ where }) => where !== undefined);
  return asked.length === 0 ? field : { ...field, otherwise: { capture: { integer: number }, unless: asked } };
}
