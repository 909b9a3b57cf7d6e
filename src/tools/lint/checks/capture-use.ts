import type { Reporter } from "../../../rules/documents/reporter.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { captureTypes } from "../../../rules/ruleset/compile/capture.ts";
import { parseTemplate, placeholdersOf } from "../../../rules/ruleset/compile/template.ts";
import { entriesOf, type Telling, tellingsOf, type UsableFile } from "../rule-view.ts";

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
export function checkCaptures(file: UsableFile, reporter: Reporter): void {
  for (const placed of entriesOf(file)) {
    const [act, ...attempts] = tellingsOf(placed);
    checkTelling(act, [act, ...attempts], reporter);
    for (const attempt of attempts) checkTelling(attempt, [attempt.does === undefined ? act : attempt], reporter);
  }
}

function checkTelling({ captures, at }: Telling, printers: readonly Telling[], reporter: Reporter): void {
  const parts = printers.flatMap(({ does }) => (does === undefined ? [] : placeholdersOf(parseTemplate(does))));
  const printed = new Set(parts.map((part) => part.capture));
  for (const [name, capture] of Object.entries(captures)) {
    const place = [...at, "capture", name];
    if (!Array.isArray(capture)) checkFields(capture, place, reporter);
    else for (const [i, item] of capture.entries()) checkFields(item, [...place, i], reporter);
    if (!printed.has(name))
      reporter.report("RL502", place, `\`${name}\` is captured, but no sentence prints it`, { key: true });
  }
}

function checkFields(capture: Record<string, unknown>, at: DocumentPath, reporter: Reporter): undefined {
  const has = (field: string) => Object.hasOwn(capture, field);
  const refuse = (message: string) => reporter.report("RL313", at, message);
  const refuseField = (field: string, message: string) =>
    reporter.report("RL313", [...at, field], message, { key: true });
  const [type, second] = captureTypes.filter(has);
  if (type === undefined) return refuse(`the capture has no type; one of ${captureTypes.join(", ")} was expected`);
  if (second !== undefined)
    refuseField(second, `the capture is \`${type}\` and \`${second}\` at once; one type was expected`);
  const needed = needs[type];
  if (needed !== undefined && !has(needed))
    refuse(`the capture is \`${type}\` without \`${needed}\`, which says what to show`);
  for (const [field, other] of Object.entries(partners))
    if (has(field) && !has(other)) refuseField(field, `\`${field}\` says nothing without \`${other}\``);
  for (const [field, owner] of Object.entries(owners))
    if (has(field) && !owner.split(/, | or /).includes(type) && second === undefined)
      refuseField(field, `\`${field}\` belongs to \`${owner}\`; the capture is \`${type}\``);
}
