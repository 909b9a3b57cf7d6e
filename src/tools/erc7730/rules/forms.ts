import { canonicalJson } from "../../../kernel/canonical.ts";
import type { Capture } from "../fields/captured-field.ts";
import type { Condition } from "../fields/condition.ts";
import { type ExampleCall, findCall } from "./example-call.ts";
import type { Intent, IntentDetail } from "./intent.ts";

/** Words of a sentence, and an example. */
export interface Form {
  /** After "to". */
  words: string;
  /** `{field_1}`. */
  inside: readonly IntentDetail[];
  /** After the words, with labels. */
  behind: readonly IntentDetail[];
  call: ExampleCall;
}

/** The interpolated one, and the plain one with fields after the words; either may be missing. */
export function formsOf({ item, musts, part, words, details, sentence }: Intent, bare: ExampleCall): Form[] {
  const plain = { words, inside: [], behind: details, call: findCall(item, { must: musts, full: true }) ?? bare };
  if (sentence === undefined) return [plain];
  const needed = sentence.told.flatMap(conditionsOf);
  const call = findCall(item, { must: [...musts, ...needed], full: true });
  if (call === undefined) {
    part.note("fields whose conditions no example meets");
    return [plain];
  }
  const form = { words: sentence.text, inside: sentence.told, behind: sentence.others, call };
  if (needed.every(({ where }) => where === undefined)) return [form];
  const missed = findCall(item, { must: musts, not: needed });
  return missed === undefined ? [form] : [form, { ...plain, call: missed }];
}

function conditionsOf({ conditions, shown }: IntentDetail): Condition[] {
  return [...conditions, ...shown];
}

/** Drops fields for the call's ether: the sentence has it as what the subject gave. */
export function withoutEther(intent: Intent): Intent {
  return keepDetails(intent, ({ capture }) => !Object.values(capture).includes("call.value"));
}

/** Drops amount fields, for calls that moved something: the sentence has what really moved. */
export function besideMovements(intent: Intent): Intent {
  const { sentence, ...others } = intent;
  return keepDetails(others, ({ capture }) => !Object.hasOwn(capture, "amount"));
}

function keepDetails(intent: Intent, isKept: (detail: IntentDetail) => boolean): Intent {
  const { sentence, ...others } = intent;
  const kept = { ...others, details: intent.details.filter(isKept) };
  if (sentence === undefined || !sentence.told.every(isKept)) return kept;
  return { ...kept, sentence: { ...sentence, others: sentence.others.filter(isKept) } };
}

/** `deposit into the vault[, with {fields}]` */
export function formWords({ words, behind }: Form): string {
  return `${words}${behind.length === 0 ? "" : "[, with {fields}]"}`;
}

/** YAML of conditions and values. */
export function fieldLines({ musts }: Intent, { inside, behind }: Form, pad: string): string[] {
  const conditions = [...musts, ...inside.flatMap(conditionsOf)];
  const where = new Set(conditions.flatMap((one) => (one.where === undefined ? [] : [canonicalJson(one.where)])));
  const told = behind.flatMap(fieldCaptures);
  return [
    ...(where.size === 0 ? [] : [`${pad}when:`, ...[...where].map((one) => `${pad}  - ${one}`)]),
    ...(inside.length + behind.length === 0 ? [] : [`${pad}values:`]),
    ...inside.map(({ capture }, i) => `${pad}  field_${i + 1}: ${JSON.stringify(capture)}`),
    ...(told.length === 1 ? [`${pad}  fields: ${told[0]}`] : []),
    ...(told.length > 1 ? [`${pad}  fields:`, ...told.map((one) => `${pad}    - ${one}`)] : []),
  ];
}

/** YAML; the first of several fields. */
export function carriesLines({ details }: Intent, pad: string): string[] {
  const carries = details.find((detail) => detail.carries !== undefined)?.carries;
  return carries === undefined ? [] : [`${pad}carries: ${JSON.stringify(carries)}`];
}

/** Of a rule about a call. */
export function alsoLines(intent: Intent): string[] {
  const lines = carriesLines(intent, "      ");
  return lines.length === 0 ? [] : ["    also:", ...lines];
}

/** What the carried call would do. */
export function carriedClause({ details }: Intent): string {
  return details.some((detail) => detail.carries !== undefined) ? "[, so as to {call}]" : "";
}

/** Two where another capture replaces one without a value. */
function fieldCaptures({ label, capture, each, shown, otherwise }: IntentDetail): string[] {
  const line = (told: Capture, conditions: readonly unknown[]): string => {
    const when = conditions.length === 0 ? {} : { when: allOf(conditions) };
    return JSON.stringify({ label, ...(each === null ? {} : { each }), ...when, ...told });
  };
  const asked = wheresOf(shown);
  if (otherwise === undefined) return [line(capture, asked)];
  const unless = wheresOf(otherwise.unless);
  return [line(capture, [...asked, ...unless]), line(otherwise.capture, [...asked, { "!": allOf(unless) }])];
}

function wheresOf(conditions: readonly Condition[]): unknown[] {
  return conditions.flatMap(({ where }) => (where === undefined ? [] : [where]));
}

function allOf(conditions: readonly unknown[]): unknown {
  return conditions.length === 1 ? conditions[0] : { and: conditions };
}
