import type { ConstantScope } from "../descriptor/constant.ts";
import { isOfMessages } from "../descriptor/contract.ts";
import { type DescriptorPart, isObject, orLeaveOut, unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain, requirePlain, withBlanks, wordsOfName } from "../descriptor/plain-text.ts";
import { captureField } from "../fields/capture.ts";
import type { CapturedField } from "../fields/captured-field.ts";
import { type Condition, readMust, readShown } from "../fields/condition.ts";
import { type Field, type FieldScope, readFields } from "../fields/field.ts";
import { plainPath } from "../fields/path.ts";
import { type ActText, readAbi, readFunction, readMessageType } from "../function-text.ts";
import { namesAct } from "./act-words.ts";

export interface IntentDetail extends CapturedField {
  /** Before the value. */
  label: string;
  /** When a wallet shows it. */
  shown: readonly Condition[];
}

/** `deposit {field_1} for {field_2}`, and the fields that it leaves out. */
export interface IntentSentence {
  text: string;
  told: readonly IntentDetail[];
  others: readonly IntentDetail[];
}

interface ToldFields {
  /** By weight. */
  details: readonly IntentDetail[];
  sentence?: IntentSentence;
}

/** What a descriptor says a function or message is meant to do. */
export interface Intent extends ActText, ToldFields {
  part: DescriptorPart;
  /** After "to": `deposit into the vault`. A message's title without a verb stays unchanged. */
  words: string;
  /** For the descriptor to apply. */
  musts: readonly Condition[];
}

/** Functions of one descriptor. */
const formatsMax = 256;
/** Fields of one function. */
const detailsMax = 24;
/** Required to have certain values. */
const mustsMax = 8;
/** Values of an intent of labels and values. */
const purposesMax = 8;
/** Values of an interpolated intent. */
const valuesMax = 4;

/** Intents in order, one a selector. `problemOf`: why a selector is not wanted. What cannot be expressed is reported. */
export function readIntents(scope: ConstantScope, problemOf: (selector: string) => string | undefined): Intent[] {
  const formats = scope.root.get("display", "formats");
  if (!isObject(formats?.value)) unsupported("no formats: the descriptor is left out", formats);
  const entries = formats?.entries() ?? [];
  if (entries.length === 0) formats?.leaveOut("no functions");
  const abi = readAbi(scope.root.get("context", "contract", "abi"));
  const read = isOfMessages(scope.root) ? readMessageType : (key: string) => readFunction(key, abi);
  const found = new Map<string, Intent>();
  for (const [position, [key, part]] of entries.entries())
    orLeaveOut(part, () => {
      if (position >= formatsMax) unsupported(`more than ${formatsMax} functions`);
      const named = read(key);
      const { hash } = named.item;
      const problem = found.has(hash) ? "a function that is there twice" : problemOf(hash);
      if (problem !== undefined) unsupported(problem);
      const { words, purpose } = readWords(part, named.item.name);
      const told = readDetails(part, { ...scope, item: named.item });
      const title = isOfMessages(scope.root) && !namesAct(words);
      found.set(hash, {
        ...named,
        part,
        words: title ? words : lowerWords(words),
        ...told,
        details: [...purpose, ...told.details],
      });
    });
  return [...found.values()];
}

/** The author's intent, else the function's name. Labels and values become fields. */
function readWords(part: DescriptorPart, name: string): { words: string; purpose: IntentDetail[] } {
  if (!isObject(part.value)) unsupported("a format that is no object");
  const intent = part.get("intent");
  if (intent !== undefined && !isObject(intent.value)) {
    const text = intent.take();
    const words = requirePlain(typeof text === "string" ? withBlanks(text) : text, "intent");
    return { words, purpose: [] };
  }
  const words = readPlain(wordsOfName(name), "intent") ?? unsupported("a function without an intent");
  const purpose = (intent?.entries() ?? []).slice(0, purposesMax).flatMap(([key, value]): IntentDetail[] => {
    const label = orLeaveOut(value, () => lowerWords(requirePlain(withBlanks(key), "label")));
    const text = orLeaveOut(value, () => requirePlain(value.take(), "constant"));
    return label === undefined || text === undefined
      ? []
      : [{ label, capture: { const: text }, conditions: [], shown: [], each: null }];
  });
  return { words, purpose };
}

/**
 * First what the author wants shown, then by weight. Others are reported. Throws UnsupportedError for an unreadable condition on the whole
 * call.
 */
function readDetails(format: DescriptorPart, scope: FieldScope): ToldFields & Pick<Intent, "musts"> {
  const all = readFields(format, scope);
  const musts = all.flatMap((field) => (field.must === undefined ? [] : readMust(field, field.must)));
  if (musts.length > mustsMax) unsupported(`more than ${mustsMax} fields that must have certain values`);
  const fields = all.filter(({ must }) => must === undefined);
  const read = new Map(
    fields.flatMap((field) => orLeaveOut(field.part, () => [[field, readDetail(field)] as const]) ?? []),
  );
  const weigh = (field: Field): number => (field.wanted ? 0 : 10) + weightOf(read.get(field)?.capture ?? {});
  const ordered = [...read.keys()].sort((a, b) => weigh(a) - weigh(b));
  for (const { part } of ordered.splice(detailsMax)) part.leaveOut(`more than ${detailsMax} fields for one sentence`);
  const detailOf = (field: Field): IntentDetail => read.get(field) as IntentDetail;
  const text = format.get("interpolatedIntent");
  const sentence = text && orLeaveOut(text, () => readSentence(text, fields, { ordered, detailOf }));
  const details = ordered.map(detailOf);
  return { musts, details, ...(sentence === undefined ? {} : { sentence }) };
}

/** Amounts 0, then addresses, other values, bytes; constants last: they are the same for every call. */
function weightOf(capture: IntentDetail["capture"]): number {
  const place = weights.findIndex((types) => types.some((type) => Object.hasOwn(capture, type)));
  return place < 0 ? 2 : place;
}

const weights = [["amount", "nft"], ["address", "token"], [], ["bytes"], ["const"]];

/** Throws UnsupportedError for a value that cannot be stated. */
function readSentence(
  part: DescriptorPart,
  fields: readonly Field[],
  { ordered, detailOf }: { ordered: readonly Field[]; detailOf: (field: Field) => IntentDetail },
): IntentSentence {
  const { told, sentence } = interpolate(part, fields);
  if (told.some((field) => !ordered.includes(field) || detailOf(field).each !== null || detailOf(field).encrypted))
    unsupported("an interpolated value that cannot be told", part);
  part.take();
  const others = ordered.filter((field) => !told.includes(field)).map(detailOf);
  return { text: sentence, told: told.map(detailOf), others };
}

/** ERC-7730 "Value interpolation". Throws UnsupportedError. */
function interpolate(text: DescriptorPart, fields: readonly Field[]): { told: Field[]; sentence: string } {
  const { value } = text;
  if (typeof value !== "string" || value.length > 400)
    unsupported("an interpolated intent that is no short text", text);
  // Words and values alternate.
  const pieces = value.split(/\{([^{}]*)\}/);
  const isValue = (i: number): boolean => i % 2 === 1;
  // Checks the text with a word in place of each value. It must begin with a letter: otherwise the empty text is checked, which is refused.
  const words = pieces.map((piece, i) => (isValue(i) ? "it" : piece)).join("");
  requirePlain(/^[A-Za-z]/.test(value) ? words : "", "sentence", text);
  if (pieces.length > 2 * valuesMax + 1) unsupported(`more than ${valuesMax} values for one sentence`, text);
  const told = new Set<Field>();
  const parts = pieces.map((piece, i) => {
    const joined = piece.replace(/ {2,}/g, " ");
    if (!isValue(i)) return lowerWords(i === pieces.length - 1 ? joined.replace(/[.!?:;, ]+$/, "") : joined);
    const path = plainPath(piece);
    const field = fields.find((one) => one.path === path) ?? unsupported("an interpolated value without a field", text);
    told.add(field);
    return `{field_${[...told].indexOf(field) + 1}}`;
  });
  return { told: [...told], sentence: parts.join("") };
}

function readDetail(field: Field): IntentDetail {
  const shown = readShown(field);
  const [captured, label] = [captureField(field), readLabel(field)];
  return { ...captured, shown, label: captured.encrypted ? `encrypted ${label}` : label };
}

/** The author's, else the last name in the path. Throws UnsupportedError. */
function readLabel({ part, path }: Field): string {
  const given = part.get("label");
  const name = path?.split(".").findLast((segment) => /^@?[A-Za-z_]/.test(segment)) ?? "";
  const own = readPlain(wordsOfName(name).trim(), "label");
  if (given === undefined) return lowerWords(own ?? unsupported("a field without a label"));
  const text = given.take();
  const read = () => requirePlain(typeof text === "string" ? withBlanks(text) : text, "label", given);
  return lowerWords(own === undefined ? read() : (orLeaveOut(given, read) ?? own));
}
