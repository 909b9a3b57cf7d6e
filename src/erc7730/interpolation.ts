import type { Field } from "./field-list.ts";
import { plainPath } from "./field-path.ts";
import { type Part, Unfit } from "./part.ts";
import { lowerWords, readPlain } from "./plain-text.ts";

/** An intent with values in it, split: words, and the fields whose values stand between them. */
export type Interpolation = readonly (string | Field)[];

/** Values of one sentence. */
const valuesMax = 4;

/** Splits an `interpolatedIntent` (ERC-7730 "Value interpolation"). Throws {@link Unfit}. */
export function splitInterpolation(part: Part, fields: readonly Field[]): Interpolation {
  const text = part.value;
  if (typeof text !== "string" || text.length > 400)
    throw new Unfit("an interpolated intent that is no short text", part);
  const split = text.split(/\{([^{}]*)\}/);
  // What stands in place of values must not make words of its own.
  const words = readPlain(split.map((piece, i) => (i % 2 === 0 ? piece : "it")).join(""), "sentence");
  if (words === undefined || !/^[A-Za-z]/.test(text))
    throw new Unfit("an interpolated intent that is not short, plain, printable ASCII text", part);
  if (split.length > 2 * valuesMax + 1) throw new Unfit(`more than ${valuesMax} values for one sentence`, part);
  return split.map((piece, i) => {
    const joined = piece.replace(/ {2,}/g, " ");
    if (i % 2 === 0) return lowerWords(i === split.length - 1 ? joined.replace(/[.!?:;, ]+$/, "") : joined);
    const path = plainPath(piece);
    const field = fields.find((one) => one.path === path);
    if (field === undefined) throw new Unfit("an interpolated value without a field", part);
    return field;
  });
}
