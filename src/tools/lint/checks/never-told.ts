import { type AbiType, typeText } from "../../../rules/abi/abi-type.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { actTypes, attemptTypes, rangeOf, type TypeOf } from "../argument-type.ts";
import { type LintFinding, type PlacedEntry, type Telling, tellingsOf, type UsableFile } from "../rule-view.ts";
import { conditionsClash, conjuncts, plainNames } from "./set/condition-clash.ts";

/** What is known at the place of a capture: the types of arguments, and which conditions cannot hold there. */
interface Place {
  types: TypeOf;
  excludes(condition: unknown): boolean;
}

/** RL507: captures that never have a value, and `enum` values that never occur. The words around them would never be told. */
export function* checkNeverTold(placed: PlacedEntry, { scope }: UsableFile): Generator<LintFinding> {
  const { entry } = placed;
  const names = plainNames(scope);
  const [act, ...attempts] = tellingsOf(placed);
  const placeOf = (types: TypeOf, where: unknown): Place => ({
    types,
    excludes: (condition) => conditionsClash(conjuncts(where), conjuncts(condition), [names, names]),
  });
  yield* checkTelling(act, placeOf(actTypes(entry, scope), entry.where));
  for (const [i, one] of attempts.entries())
    yield* checkTelling(one, placeOf(attemptTypes(entry, i, scope), one.where));
}

function* checkTelling({ captures, at }: Telling, place: Place): Generator<LintFinding> {
  for (const [name, capture] of Object.entries(captures))
    for (const [i, one] of [capture].flat().entries())
      yield* checkCapture(one, [...at, "capture", name, ...(Array.isArray(capture) ? [i] : [])], place);
}

function* checkCapture(
  capture: Record<string, unknown>,
  at: DocumentPath,
  { types, excludes }: Place,
): Generator<LintFinding> {
  if (capture.other === "subject")
    yield ["RL507", [...at, "other"], "`other` tells whoever is not the subject; another path was expected"];
  if (capture.when !== undefined && excludes(capture.when))
    yield [
      "RL507",
      [...at, "when"],
      "`when` of the value never holds where that of the rule does, so that it never comes",
    ];
  if (typeof capture.enum !== "string" || typeof capture.values === "string" || capture.each !== undefined) return;
  const type = types(capture.enum);
  for (const key of Object.keys((capture.values ?? {}) as Record<string, string>)) {
    const path = [...at, "values", key];
    if (type !== undefined && !canBe(type, key))
      yield ["RL507", path, `\`${key}\` is no ${typeText(type)}, so that it never comes`, { key: true }];
    else if (type !== undefined && excludes(conditionOf(type, capture.enum, key)))
      yield ["RL507", path, `\`${key}\` never comes: \`when\` excludes it`, { key: true }];
  }
}

function canBe(type: AbiType, key: string): boolean {
  const range = rangeOf(type);
  if (range !== undefined) return /^-?\d+$/.test(key) && BigInt(key) >= range[0] && BigInt(key) <= range[1];
  return type.kind !== "bool" || key === "true" || key === "false";
}

/** A condition that is true when the argument has this value. */
function conditionOf(type: AbiType, path: string, key: string): unknown {
  if (type.kind === "bool") return key === "true" ? { var: path } : { "!": { var: path } };
  return { "==": [{ var: path }, key] };
}
