import { unsupported } from "../descriptor/part.ts";
import type { Condition } from "./condition.ts";

export type Capture = Readonly<Record<string, unknown>>;

/** The capture of the rule language for one field, and every value of the call that it reads. */
export interface CapturedField {
  capture: Capture;
  /** What must hold so that the field can be told in a sentence that needs it. */
  conditions: readonly Condition[];
  /** The array whose every element the capture reads through `item`; null for a value that is there once. */
  each: string | null;
  /** How the value is told unless all of these hold; the capture tells it then only. */
  otherwise?: { capture: Capture; unless: readonly Condition[] };
  /** The value is encrypted: what is told is no amount and no address. */
  encrypted?: true;
  /** The call that a message carries. */
  carries?: Readonly<Record<string, string>>;
}

/** Throws UnsupportedError for values of several arrays. */
export function told(capture: Capture, ...conditions: readonly Condition[]): CapturedField {
  const [array, ...others] = new Set(conditions.flatMap(({ at }) => at.each ?? []));
  if (others.length === 0) return { capture, conditions, each: array ?? null };
  return unsupported("values of several arrays");
}

/** One value that has a capture of its own. */
export function toldAs(key: string, condition: Condition): CapturedField {
  return told({ [key]: condition.at.path }, condition);
}

/** A value that may be missing or wrong is told as the number that it goes with, unless it is there. */
export function orNumber(field: CapturedField, number: string, unless: readonly Condition[]): CapturedField {
  const asked = unless.filter(({ where }) => where !== undefined);
  return asked.length === 0 ? field : { ...field, otherwise: { capture: { integer: number }, unless: asked } };
}
