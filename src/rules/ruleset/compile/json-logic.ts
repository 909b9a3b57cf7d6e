import jsonLogic from "json-logic-js";
import type { MatchContext } from "../../../model/match.ts";
import type { Value } from "../../abi/abi-type.ts";

/** A condition as json-logic-js takes it, which passes bigints on unchanged. */
export type Logic = boolean | string | bigint | { [operator: string]: readonly (Logic | number)[] };

/** null from `var`, undefined from a path; every comparison with it is false. */
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
