import { canonicalJson } from "../../../kernel/canonical.ts";
import { typeText } from "../../../rules/abi/abi-type.ts";
import type { Reporter } from "../../../rules/documents/reporter.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import { attemptsOf } from "../../../rules/ruleset/document/attempt-entry.ts";
import { actTypes, attemptTypes, rangeOf, type TypeOf } from "../argument-type.ts";
import { entriesOf, type UsableFile } from "../rule-view.ts";
import { type ConditionNames, limitOf, pathOf, plainNames } from "./set/condition-clash.ts";

/** RL404: comparisons that are true for every value of an argument, or for none, and conditions that are written twice. */
export function checkIdleConditions({ scope, ...file }: UsableFile, reporter: Reporter): void {
  const names = plainNames(scope);
  for (const { entry, at } of entriesOf({ scope, ...file })) {
    const look = (where: unknown, place: DocumentPath, types: TypeOf) =>
      walk(where, place, (part, path) => {
        const problem = problemOf(part, types, names);
        if (problem !== undefined) reporter.report("RL404", path, problem);
      });
    look(entry.where, [...at, "where"], actTypes(entry, scope));
    attemptsOf(entry).forEach(({ attempt, path }, i) => {
      look(attempt.where, [...at, ...path, "where"], attemptTypes(entry, i, scope));
    });
  }
}

/** Calls `see` for a condition and for every condition inside it. */
function walk(part: unknown, path: DocumentPath, see: (part: unknown, path: DocumentPath) => void): void {
  if (part === undefined) return;
  see(part, path);
  if (Array.isArray(part)) for (const [i, one] of part.entries()) walk(one, [...path, i], see);
  else if (part !== null && typeof part === "object")
    for (const name of ["and", "or", "!"])
      if (Object.hasOwn(part, name)) walk((part as Record<string, unknown>)[name], [...path, name], see);
}

/** Why a condition has no effect; undefined where it has one. */
function problemOf(part: unknown, types: TypeOf, names: ConditionNames): string | undefined {
  if (Array.isArray(part)) return twice(part);
  const [[operator, operands] = ["", null]] = Object.entries(part ?? {});
  const sides = listOf(operands);
  if (operator === "and" || operator === "or" || operator === "!") return undefined;
  const paths = sides.map(pathOf);
  if (paths[0] !== undefined && paths[0] === paths[1]) return `\`${paths[0]}\` is compared with itself`;
  if (operator === "addr_eq") return severalOf(sides, names);
  return outOfRange(part, types, names);
}

function twice(parts: readonly unknown[]): string | undefined {
  const texts = parts.map((part) => canonicalJson(part));
  return new Set(texts).size < texts.length ? "a condition stands twice in one list; once was expected" : undefined;
}

function severalOf(sides: readonly unknown[], names: ConditionNames): string | undefined {
  const role = sides.find((side): side is string => typeof side === "string" && (names.role(side)?.length ?? 0) > 1);
  return role && `\`${role}\` has several addresses, of which \`addr_eq\` takes the first; \`addr_in\` was expected`;
}

function outOfRange(part: unknown, types: TypeOf, names: ConditionNames): string | undefined {
  const limit = limitOf(part, names);
  const type = limit && types(limit.key);
  if (limit === undefined || type === undefined) return undefined;
  const all = `holds for every ${typeText(type)}`;
  const none = `holds for no ${typeText(type)}`;
  const told = (text: string) => `the condition on \`${limit.key}\` ${text}, so that it says nothing`;
  const range = rangeOf(type);
  if (range === undefined) return undefined;
  const [least, most] = range;
  if (limit.texts !== null) {
    const numbers = [...limit.texts].filter((text) => /^-?\d+$/.test(text)).map(BigInt);
    return numbers.some((value) => value >= least && value <= most) ? undefined : told(none);
  }
  const [low, high] = [limit.low ?? least, limit.high ?? most];
  if (low > high || low > most || high < least) return told(none);
  return low <= least && high >= most ? told(all) : undefined;
}
