import type { MatchContext } from "../../../model/match.ts";
import type { CompiledRule } from "../compiled.ts";
import { ConditionPreparer, type ConditionProblem, legPath, moneyPath, type Predicate } from "./condition.ts";
import { evaluator, type Logic } from "./json-logic.ts";
import type { Spot } from "./spot.ts";

/** Holds where `premise` and `rest` do. */
export interface Where {
  /** Independent of what other rules explain. */
  premise: Predicate;
  rest: Predicate;
  /** Conjuncts of `premise` that read `tx` alone. */
  kind: CompiledRule["kind"];
}

/**
 * Missing: always holds; with a mistake: never. `refits`: a rule with `flow` may be matched again on what other actions leave, so
 * conditions on the flow belong to `rest`.
 */
export function compileWhere(spot: Spot, where: unknown, refits: boolean): Where {
  if (where === undefined) return { premise: always, rest: always, kind: always };
  const problems: ConditionProblem[] = [];
  const preparer = new ConditionPreparer(spot.scope, problems, refits ? moneyPath : legPath);
  const prepared = preparer.condition(where, [], 0);
  for (const { code, path, message, mistyped } of problems)
    spot.in(...path).report(code, message, { suggest: spot.closest(mistyped), key: code === "RL402" });
  if (problems.length > 0) return { premise: never, rest: never, kind: never };
  const { slots, openSlots, furtherSlots } = preparer;
  const conjuncts = typeof prepared === "object" && "and" in prepared ? (prepared.and as readonly Logic[]) : [prepared];
  const part = (chosen: readonly Logic[]) => (chosen.length === 0 ? always : evaluator({ and: chosen }, slots));
  return {
    premise: part(conjuncts.filter((one) => !readsAny(one, openSlots))),
    rest: part(conjuncts.filter((one) => readsAny(one, openSlots))),
    kind: part(conjuncts.filter((one) => !readsAny(one, furtherSlots))) as CompiledRule["kind"],
  };
}

export function compileWhole<C = MatchContext>(spot: Spot, when: unknown): (context: C) => boolean {
  const { premise, rest } = compileWhere(spot, when, true);
  const both = rest === always ? premise : (context: MatchContext) => premise(context) && rest(context);
  return both as unknown as (context: C) => boolean;
}

const always = () => true;
const never = () => false;

function readsAny(logic: Logic | number, slots: ReadonlySet<number>): boolean {
  if (typeof logic !== "object") return false;
  return Object.entries(logic).some(([name, operands]) =>
    name === "var" ? slots.has(operands[0] as number) : operands.some((operand) => readsAny(operand, slots)),
  );
}
