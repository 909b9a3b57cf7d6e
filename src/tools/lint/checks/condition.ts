import { canonicalJson } from "../../../kernel/canonical.ts";
import { typeText } from "../../../rules/abi/abi-type.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { fixedPaths } from "../../../rules/ruleset/compile/paths/fixed-paths.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import { attemptsOf } from "../../../rules/ruleset/document/attempt-entry.ts";
import { actTypes, attemptTypes, rangeOf, type TypeOf } from "../argument-type.ts";
import type { LintFinding, PlacedEntry, UsableFile } from "../rule-view.ts";
import { type ConditionNames, conditionsClash, conjuncts, limitOf, pathOf, plainNames } from "./set/condition-clash.ts";

/** RL404: conditions of one `when` that contradict each other, so that the rule never fits. */
export function* checkContradictions({ entry, at }: PlacedEntry, { scope }: UsableFile): Generator<LintFinding> {
  const names = plainNames(scope);
  const clash = (one: readonly unknown[], other: readonly unknown[]) => conditionsClash(one, other, [names, names]);
  const parts = listOf(entry.where).map(conjuncts);
  for (const [i, own] of parts.entries()) {
    const inner = own.some((one, j) => clash([one], own.slice(0, j)));
    if (!inner && !clash(own, parts.slice(0, i).flat())) continue;
    const path = [...at, "where", ...(Array.isArray(entry.where) ? [i] : [])];
    yield ["RL404", path, "the condition contradicts another one, so that the rule never fits"];
  }
}

/** RL404: comparisons that are true for every value of an argument, or for none, and conditions that are written twice. */
export function* checkIdleConditions({ entry, at }: PlacedEntry, { scope }: UsableFile): Generator<LintFinding> {
  const names = plainNames(scope);
  yield* idleIn(entry.where, [...at, "where"], { names, types: actTypes(entry, scope) });
  for (const [i, { attempt, path }] of attemptsOf(entry).entries())
    yield* idleIn(attempt.where, [...at, ...path, "where"], { names, types: attemptTypes(entry, i, scope) });
}

interface Known {
  names: ConditionNames;
  types: TypeOf;
}

/** A condition and every condition inside it. */
function* idleIn(part: unknown, path: DocumentPath, known: Known): Generator<LintFinding> {
  const problem = part === undefined ? undefined : problemOf(part, known.types, known.names);
  if (problem !== undefined) yield ["RL404", path, problem];
  if (Array.isArray(part)) for (const [i, one] of part.entries()) yield* idleIn(one, [...path, i], known);
  else if (part !== null && typeof part === "object")
    for (const name of ["and", "or", "!"])
      if (Object.hasOwn(part, name)) yield* idleIn((part as Record<string, unknown>)[name], [...path, name], known);
}

/** Why a condition has no effect; undefined where it has one. */
function problemOf(part: unknown, types: TypeOf, names: ConditionNames): string | undefined {
  if (Array.isArray(part)) return twice(part);
  const [[operator, operands] = ["", null]] = Object.entries(part ?? {});
  const sides = listOf(operands);
  if (operator === "and" || operator === "or" || operator === "!") return undefined;
  const paths = sides.map(pathOf);
  if (paths[0] !== undefined && paths[0] === paths[1]) return `\`${paths[0]}\` is compared with itself`;
  const several = operator === "==" && !paths.some(isText(types)) ? severalOf(sides, names) : undefined;
  return several ?? outOfRange(part, types, names);
}

/** Words on the other side of text are no roles. */
function isText(types: TypeOf): (path: string | undefined) => boolean {
  return (path) =>
    path !== undefined &&
    (types(path)?.kind === "string" || (Object.hasOwn(fixedPaths, path) && fixedPaths[path]?.type === "string"));
}

function twice(parts: readonly unknown[]): string | undefined {
  const texts = parts.map((part) => canonicalJson(part));
  return new Set(texts).size < texts.length ? "a condition stands twice in one list; once was expected" : undefined;
}

function severalOf(sides: readonly unknown[], names: ConditionNames): string | undefined {
  const role = sides.find((side): side is string => typeof side === "string" && (names.role(side)?.length ?? 0) > 1);
  return role && `\`${role}\` has several addresses, of which \`==\` takes the first; \`in\` was expected`;
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
