import jsonLogic from "json-logic-js";
import type { MatchContext } from "../../../model/match.ts";
import type { Value } from "../../abi/abi-type.ts";

/** A condition as json-logic-js takes it, which passes bigints on unchanged. */
export type Logic = boolean | string | bigint | { [operator: string]: readonly (Logic | number)[] };

/** null from `var`, undefined from a path; every comparison with it is false. */
type Operand = Value | null | undefined;

const isThere = (value: Operand): boolean => value !== null && value !== undefined;

/** Of integers. */
const ordered: Record<string, (a: bigint, b: bigint) => boolean> = {
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
};

const comparisons: Record<string, (a: Operand, b: Operand) => boolean> = {
  "==": (a, b) => isThere(a) && a === b,
  "!=": (a, b) => isThere(a) && isThere(b) && a !== b,
  in: (a, list) => Array.isArray(list) && list.includes(a as Value),
  starts: (a, b) => typeof a === "string" && typeof b === "string" && a.startsWith(b),
};
for (const [name, holds] of Object.entries(ordered))
  comparisons[name] = (a, b) => typeof a === "bigint" && typeof b === "bigint" && holds(a, b);

export const comparisonNames: readonly string[] = Object.keys(comparisons);

/** json-logic-js compares loosely (`"" == 0`, `null < 1`), so operators of ours stand in for its own. */
export const exactly = (name: string): string => `exact ${name}`;

// json-logic-js has one table of operators for the whole process. Only the operators above are ever added to it.
for (const [name, operation] of Object.entries(comparisons)) jsonLogic.add_operation(exactly(name), operation);

type Slot = (context: MatchContext) => Value | undefined;

/** Whether `jsonLogic.apply` gives true. `var` numbers a slot, which is read only when needed. */
export function evaluator(logic: Logic, slots: readonly Slot[]): (context: MatchContext) => boolean {
  const reads = slots.map(
    (slot): PropertyDescriptor => ({
      get(this: { context: MatchContext }) {
        return slot(this.context);
      },
    }),
  );
  const data = Object.defineProperties({}, { ...reads } as unknown as PropertyDescriptorMap);
  return (context) => jsonLogic.apply(logic as never, { __proto__: data, context }) === true;
}
