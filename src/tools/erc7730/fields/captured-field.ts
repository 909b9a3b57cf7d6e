import { unsupported } from "../descriptor/part.ts";
import type { Condition } from "./condition.ts";

export type Capture = Readonly<Record<string, unknown>>;

/** A capture with what it needs. */
export interface CapturedField {
  capture: Capture;
  /** For a sentence that needs the field. */
  conditions: readonly Condition[];
  /** Array of `item`; null: one value. */
  each: string | null;
  /** Used unless all these conditions hold. */
  otherwise?: { capture: Capture; unless: readonly Condition[] };
  /** What is shown is neither the real amount nor address. */
  encrypted?: true;
  carries?: Readonly<Record<string, string>>;
}

/** Throws UnsupportedError for elements of several arrays. */
export function told(capture: Capture, ...conditions: readonly Condition[]): CapturedField {
  const [array, ...others] = new Set(conditions.flatMap(({ at }) => at.each ?? []));
  if (others.length === 0) return { capture, conditions, each: array ?? null };
  return unsupported("values of several arrays");
}

/** One value, such as `{ address: path }`. */
export function toldAs(key: string, condition: Condition): CapturedField {
  return told({ [key]: condition.at.path }, condition);
}

/** The plain number unless these conditions hold. */
export function orNumber(field: CapturedField, number: string, unless: readonly Condition[]): CapturedField {
  const asked = unless.filter(({ where }) => where !== undefined);
  return asked.length === 0 ? field : { ...field, otherwise: { capture: { integer: number }, unless: asked } };
}
