import type { Condition } from "./condition.ts";
import { captureField } from "./field-capture.ts";
import { type Field, readFields } from "./field-list.ts";
import type { CaptureScope, FieldCapture } from "./field-value.ts";
import { hide } from "./hidden-field.ts";
import { type Interpolation, splitInterpolation } from "./interpolation.ts";
import { type Part, refuseFor, Unfit } from "./part.ts";
import { lowerWords, readPlain } from "./plain-text.ts";
import { readVisibility } from "./visibility.ts";

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
 * Everything else is listed. Throws {@link Unfit} when a condition on the whole call cannot be read.
 */
export function readDetails(format: Part, scope: CaptureScope): Details {
  const musts: Condition[] = [];
  const fields = readFields(format, scope.root).filter((field) => {
    const must = field.part.at("visible", "mustMatch") ?? field.part.at("visible", "mustBe");
    if (must === undefined) return true;
    if (musts.length >= mustsMax) throw new Unfit(`more than ${mustsMax} fields that must have certain values`);
    musts.push(...readVisibility(field, scope).musts);
    hide(field.part);
    return false;
  });
  const text = format.get("interpolatedIntent");
  if (text !== undefined) {
    try {
      const told = readSentence(splitInterpolation(text, fields), scope, text);
      text.take();
      for (const { part } of fields.filter((field) => !told.fields.includes(field)))
        part.refuse("a field that the interpolated intent does not tell");
      return { musts, details: told.details, sentence: told.sentence };
    } catch (error) {
      refuseFor(text, error);
    }
  }
  return { musts, details: readLabelled(fields, scope), sentence: undefined };
}

function readSentence(
  pieces: Interpolation,
  scope: CaptureScope,
  text: Part,
): { details: IntentDetail[]; sentence: string; fields: Field[] } {
  const fields = [...new Set(pieces.filter((piece) => typeof piece !== "string"))];
  let details: IntentDetail[];
  try {
    details = fields.map((field) => ({ ...readField(field, scope), label: "" }));
  } catch (error) {
    // The field is listed once more where its own turn comes.
    if (error instanceof Unfit) throw new Unfit(`an interpolated value that cannot be told: ${error.message}`, text);
    throw error;
  }
  for (const { part } of fields) part.get("label")?.take();
  const sentence = pieces
    .map((piece) => (typeof piece === "string" ? piece : `{field_${fields.indexOf(piece) + 1}}`))
    .join("");
  return { details, sentence, fields };
}

function readLabelled(fields: readonly Field[], scope: CaptureScope): IntentDetail[] {
  const details: IntentDetail[] = [];
  // What the author wants shown goes first; the order within is the author's.
  for (const field of [...fields.filter(({ wanted }) => wanted), ...fields.filter(({ wanted }) => !wanted)]) {
    try {
      const made = readField(field, scope);
      const given = field.part.get("label");
      const label = readPlain(given?.take(), "label");
      if (given === undefined) throw new Unfit("a field without a label");
      if (label === undefined) throw new Unfit("a label that is not short, plain, printable ASCII text", given);
      if (details.length >= detailsMax) throw new Unfit(`more than ${detailsMax} fields for one sentence`);
      details.push({ ...made, label: lowerWords(label) });
    } catch (error) {
      refuseFor(field.part, error);
    }
  }
  return details;
}

function readField(field: Field, scope: CaptureScope): Omit<IntentDetail, "label"> {
  const { shown } = readVisibility(field, scope);
  const made = captureField(field, scope);
  return { ...made, conditions: [...made.conditions, ...shown] };
}
