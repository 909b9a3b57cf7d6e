import { orLeaveOut, type Part, UnsupportedError, unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain } from "../descriptor/plain-text.ts";
import { captureField } from "../fields/capture.ts";
import { type Condition, readVisibility } from "../fields/condition.ts";
import { type Field, hide, readFields } from "../fields/field-list.ts";
import { plainPath } from "../fields/path.ts";
import type { CaptureScope, FieldCapture } from "../fields/value.ts";

/** What a sentence can say of the arguments of a call. */
export interface Details {
  /** What a call must be so that the descriptor is about it. */
  musts: readonly Condition[];
  details: readonly IntentDetail[];
  /** The intent with values in it, where it tells all details: `deposit {field_1} for {field_2}`. */
  sentence: string | undefined;
}

export interface IntentDetail extends FieldCapture {
  /** Words before the value. */
  label: string;
}

/** Fields that one sentence tells with their labels. */
const detailsMax = 2;
/** Fields of one function that must have certain values. */
const mustsMax = 8;

/**
 * What a sentence tells of a format's fields: those of its interpolated intent, else the first ones that the author wants shown.
 * The others are reported. Throws UnsupportedError when a condition on the whole call cannot be read.
 */
export function readDetails(format: Part, scope: CaptureScope): Details {
  const all = readFields(format, scope.root);
  const isMust = ({ part }: Field) => (part.at("visible", "mustMatch") ?? part.at("visible", "mustBe")) !== undefined;
  const musts = all.filter(isMust).flatMap((field, position) => {
    if (position >= mustsMax) unsupported(`more than ${mustsMax} fields that must have certain values`);
    const conditions = readVisibility(field, scope).musts;
    hide(field.part);
    return conditions;
  });
  const fields = all.filter((field) => !isMust(field));
  const text = format.get("interpolatedIntent");
  const told = text && orLeaveOut(text, () => readSentence(text, fields, scope));
  return { musts, ...(told ?? { details: readLabelled(fields, scope), sentence: undefined }) };
}

/** The interpolated intent with the values of its fields. Throws UnsupportedError when one of them cannot be told. */
function readSentence(text: Part, fields: readonly Field[], scope: CaptureScope): Omit<Details, "musts"> {
  const pieces = splitInterpolation(text, fields);
  const told = [...new Set(pieces.filter((piece) => typeof piece !== "string"))];
  let details: IntentDetail[];
  try {
    details = told.map((field) => ({ ...readField(field, scope), label: "" }));
  } catch (error) {
    // The field itself is reported when it is read with its label.
    if (!(error instanceof UnsupportedError)) throw error;
    unsupported(`an interpolated value that cannot be told: ${error.message}`, text);
  }
  for (const { part } of told) part.get("label")?.take();
  text.take();
  for (const field of fields)
    if (!told.includes(field)) field.part.leaveOut("a field that the interpolated intent does not tell");
  const words = pieces.map((piece) => (typeof piece === "string" ? piece : `{field_${told.indexOf(piece) + 1}}`));
  return { details, sentence: words.join("") };
}

/** What the author wants shown goes first; the order within is the author's. */
function readLabelled(fields: readonly Field[], scope: CaptureScope): IntentDetail[] {
  const details: IntentDetail[] = [];
  for (const field of [...fields.filter(({ wanted }) => wanted), ...fields.filter(({ wanted }) => !wanted)])
    orLeaveOut(field.part, () => {
      const made = readField(field, scope);
      const given = field.part.get("label");
      const label = readPlain(given?.take(), "label");
      if (given === undefined) unsupported("a field without a label");
      if (label === undefined) unsupported("a label that is not short, plain, printable ASCII text", given);
      if (details.length >= detailsMax) unsupported(`more than ${detailsMax} fields for one sentence`);
      details.push({ ...made, label: lowerWords(label) });
    });
  return details;
}

function readField(field: Field, scope: CaptureScope): FieldCapture {
  const { shown } = readVisibility(field, scope);
  const made = captureField(field, scope);
  return { ...made, conditions: [...made.conditions, ...shown] };
}

/** An intent with values in it, split: words, and the fields whose values stand between them. */
type Interpolation = readonly (string | Field)[];

/** Values of one sentence. */
const valuesMax = 4;

/** Splits an `interpolatedIntent` (ERC-7730 "Value interpolation"). Throws UnsupportedError. */
function splitInterpolation(part: Part, fields: readonly Field[]): Interpolation {
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
