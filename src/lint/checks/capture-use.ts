import type { Reporter } from "../../documents/reporter.ts";
import { captureTypes } from "../../ruleset/compile/capture.ts";
import { parseTemplate, placeholdersOf } from "../../ruleset/compile/template.ts";
import { attemptsOf } from "../../ruleset/document/attempt-entry.ts";
import type { RuleEntry } from "../../ruleset/document/rule-document.ts";
import type { UsableFile } from "../rule-view.ts";

/** Fields that belong to one type of capture only. */
const owners: Record<string, string> = {
  of: "amount, at_least or at_most",
  cap: "amount",
  capped: "amount",
  decimals: "quantity",
  unit: "quantity",
  one: "integer",
  many: "integer",
  scheme: "chain",
  values: "enum",
  scale: "percent",
  id: "nft",
  at: "count",
  where: "count",
};

/** Fields that a type of capture cannot do without; `of` of an amount is the compiler's RL305. */
const needs: Record<string, string> = { nft: "id", enum: "values", quantity: "unit" };

/** Fields that go together. */
const pairs = [
  ["cap", "capped"],
  ["capped", "cap"],
  ["one", "many"],
  ["many", "one"],
] as const;

/** RL313 and RL502: captures with no type or two, with fields of another type, or that no sentence prints. */
export function checkCaptures(file: UsableFile, reporter: Reporter): void {
  (file.document.rules ?? []).forEach((entry, position) => {
    const printed = (texts: readonly string[]) =>
      new Set(texts.flatMap((text) => placeholdersOf(parseTemplate(text)).map((part) => part.capture)));
    const check = (captures: RuleEntry["capture"], texts: readonly string[], at: (string | number)[]): void => {
      const told = printed(texts);
      for (const [name, capture] of Object.entries(captures ?? {})) {
        const place = [...at, "capture", name];
        if (!Array.isArray(capture)) checkFields(capture, place, reporter);
        else for (const [i, item] of capture.entries()) checkFields(item, [...place, i], reporter);
        if (!told.has(name))
          reporter.report("RL502", [...at, "capture", name], `\`${name}\` is captured, but no sentence prints it`, {
            key: true,
          });
      }
    };
    const attempts = attemptsOf(entry);
    const own = attempts.flatMap(({ attempt }) => attempt.does ?? []);
    check(entry.capture, [entry.does, ...own], ["rules", position]);
    for (const { attempt, path } of attempts)
      check(attempt.capture, [attempt.does ?? entry.does], ["rules", position, ...path]);
  });
}

function checkFields(capture: Record<string, unknown>, at: (string | number)[], reporter: Reporter): void {
  const [type, second] = captureTypes.filter((name) => Object.hasOwn(capture, name));
  if (type === undefined) {
    reporter.report("RL313", at, `the capture has no type; one of ${captureTypes.join(", ")} was expected`);
    return;
  }
  if (second !== undefined)
    reporter.report(
      "RL313",
      [...at, second],
      `the capture is \`${type}\` and \`${second}\` at once; one type was expected`,
      { key: true },
    );
  const needed = needs[type];
  if (needed !== undefined && !Object.hasOwn(capture, needed))
    reporter.report("RL313", at, `the capture is \`${type}\` without \`${needed}\`, which says what to show`);
  for (const [field, other] of pairs)
    if (Object.hasOwn(capture, field) && !Object.hasOwn(capture, other))
      reporter.report("RL313", [...at, field], `\`${field}\` says nothing without \`${other}\``, { key: true });
  for (const [field, owner] of Object.entries(owners))
    if (Object.hasOwn(capture, field) && !owner.split(/, | or /).includes(type) && second === undefined)
      reporter.report("RL313", [...at, field], `\`${field}\` belongs to \`${owner}\`; the capture is \`${type}\``, {
        key: true,
      });
}
