import jsonLogic from "json-logic-js";
import type { MatchContext } from "../../../model/match.ts";
import type { Value } from "../../abi/abi-type.ts";

/** A condition in the form that json-logic-js takes. Integers are bigints, which it passes on unchanged. */
export type Logic = boolean | string | bigint | { [operator: string]: readonly (Logic | number)[] };

/** A missing value is null when `var` reads it, and undefined when a path reads it. Every comparison with it is false. */
type Operand = Value | null | undefined;

const integers: Record<string, (a: bigint, b: bigint) => boolean> = {
  eq: (a, b) => a === b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

const isThere = (value: Operand): boolean => value !== null && value !== undefined;
const same = (a: Operand, b: Operand): boolean => isThere(a) && a === b;

const typed: Record<string, (a: Operand, b: Operand) => boolean> = {
  same,
  differs: (a, b) => isThere(a) && isThere(b) && a !== b,
  addr_eq: same,
  addr_in: (a, list) => Array.isArray(list) && list.includes(a as Value),
  bytes_starts: (a, b) => typeof a === "string" && typeof b === "string" && a.startsWith(b),
};
for (const [name, holds] of Object.entries(integers))
  for (const type of ["uint", "int"])
    typed[`${type}_${name}`] = (a, b) => typeof a === "bigint" && typeof b === "bigint" && holds(a, b);

// json-logic-js has one table of operators for the whole process. Only the operators above are ever added to it.
for (const [name, operation] of Object.entries(typed)) jsonLogic.add_operation(name, operation);

type Slot = (context: MatchContext) => Value | undefined;

/**
 * The predicate of a prepared condition: whether `jsonLogic.apply` gives true. A `var` names one of the `slots` by number; a slot is read
 * only when its value is needed.
 */
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
