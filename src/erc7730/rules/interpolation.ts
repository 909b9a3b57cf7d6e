import { type Part, unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain } from "../descriptor/plain-text.ts";
import type { Field } from "../fields/field-list.ts";
import { plainPath } from "../fields/path.ts";

/** An intent with values in it, split: words, and the fields whose values stand between them. */
export type Interpolation = readonly (string | Field)[];

/** Values of one sentence. */
const valuesMax = 4;

/** Splits an `interpolatedIntent` (ERC-7730 "Value interpolation"). Throws UnsupportedError. */
export function splitInterpolation(part: Part, fields: readonly Field[]): Interpolation {
  const text = part.value;
  if (typeof text !== "string" || text.length > 400) unsupported("an interpolated intent that is no short text", part);
  const split = text.split(/\{([^{}]*)\}/);
  // What stands in place of values must not make words of its own.
  const words = readPlain(split.map((piece, i) => (i % 2 === 0 ? piece : "it")).join(""), "sentence");
  if (words === undefined || !/^[A-Za-z]/.test(text))
    unsupported("an interpolated intent that is not short, plain, printable ASCII text", part);
  if (split.length > 2 * valuesMax + 1) unsupported(`more than ${valuesMax} values for one sentence`, part);
  return split.map((piece, i) => {
    const joined = piece.replace(/ {2,}/g, " ");
    if (i % 2 === 0) return lowerWords(i === split.length - 1 ? joined.replace(/[.!?:;, ]+$/, "") : joined);
    const path = plainPath(piece);
    const field = fields.find((one) => one.path === path);
    if (field === undefined) unsupported("an interpolated value without a field", part);
    return field;
  });
}
