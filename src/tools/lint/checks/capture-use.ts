import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { captureTypes } from "../../../rules/ruleset/compile/capture.ts";
import { parseTemplate, placeholdersOf } from "../../../rules/ruleset/compile/template.ts";
import { type LintFinding, type PlacedEntry, type Telling, tellingsOf } from "../rule-view.ts";

/** Fields that belong to one type of capture only. */
const owners: Record<string, string> = {
  of: "amount, at_least or at_most",
  cap: "amount",
  capped: "amount",
  decimals: "quantity",
  unit: "quantity",
  precision: "time",
  sender: "address",
  one: "integer",
  many: "integer",
  scheme: "chain",
  values: "enum",
  scale: "percent",
  id: "nft",
  pieces: "nft",
  at: "count",
  where: "count",
  with: "phrase",
};

/** Fields that a type of capture must have. A missing `of` of an amount is found by the compiler (RL305). */
const needs: Record<string, string> = { nft: "id", enum: "values", phrase: "with" };

const partners: Record<string, string> = { cap: "capped", capped: "cap", one: "many", many: "one" };

/** RL313: captures without a type or with two types, and captures with fields of another type. RL502: captures that no sentence prints. */
export function* checkCaptures(placed: PlacedEntry): Generator<LintFinding> {
  const [act, ...attempts] = tellingsOf(placed);
  yield* checkTelling(act, [act, ...attempts]);
  for (const attempt of attempts) yield* checkTelling(attempt, [attempt.does === undefined ? act : attempt]);
}

function* checkTelling({ captures, at }: Telling, printers: readonly Telling[]): Generator<LintFinding> {
  const parts = printers.flatMap(({ does }) => (does === undefined ? [] : placeholdersOf(parseTemplate(does))));
  const printed = new Set(parts.map((part) => part.capture));
  for (const [name, capture] of Object.entries(captures)) {
    const place = [...at, "capture", name];
    if (!Array.isArray(capture)) yield* checkFields(capture, place);
    else for (const [i, item] of capture.entries()) yield* checkFields(item, [...place, i]);
    if (!printed.has(name)) yield ["RL502", place, `\`${name}\` is a value that no sentence prints`, { key: true }];
  }
}

function* checkFields(capture: Record<string, unknown>, at: DocumentPath): Generator<LintFinding> {
  const has = (field: string) => Object.hasOwn(capture, field);
  const atField = (field: string, message: string): LintFinding => ["RL313", [...at, field], message, { key: true }];
  const [type, second] = captureTypes.filter(has);
  if (type === undefined) {
    yield ["RL313", at, `the value has no type; one of ${captureTypes.join(", ")} was expected`];
    return;
  }
  if (second !== undefined)
    yield atField(second, `the value is \`${type}\` and \`${second}\` at once; one type was expected`);
  const needed = needs[type];
  if (needed !== undefined && !has(needed))
    yield ["RL313", at, `the value is \`${type}\` without \`${needed}\`, which says what to show`];
  for (const [field, other] of Object.entries(partners))
    if (has(field) && !has(other)) yield atField(field, `\`${field}\` says nothing without \`${other}\``);
  for (const [field, owner] of Object.entries(owners))
    if (has(field) && !owner.split(/, | or /).includes(type) && second === undefined)
      yield atField(field, `\`${field}\` belongs to \`${owner}\`; the value is \`${type}\``);
}
