import jsonLogic from "json-logic-js";
import type { Value } from "../../abi/abi-type.ts";
import type { MatchContext } from "../../model/match.ts";

/** A condition as json-logic-js takes it. Integers are bigints, which it hands on as they are. */
export type Logic = boolean | string | bigint | readonly Logic[] | { [operator: string]: readonly (Logic | number)[] };

/** What `var` gives for a missing value is null: every comparison with it is false. */
type Operand = Value | null;

const integers: Record<string, (a: bigint, b: bigint) => boolean> = {
  eq: (a, b) => a === b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

const same = (a: Operand, b: Operand): boolean => a !== null && a === b;

// The one table of operators of json-logic-js is shared by everything in the process; nothing but these is ever put into it.
jsonLogic.add_operation("same", same);
jsonLogic.add_operation("differs", (a: Operand, b: Operand) => a !== null && b !== null && a !== b);
jsonLogic.add_operation("addr_eq", same);
jsonLogic.add_operation("addr_in", (a: Operand, list: Operand) => Array.isArray(list) && list.includes(a as Value));
jsonLogic.add_operation(
  "bytes_starts",
  (a: Operand, b: Operand) => typeof a === "string" && typeof b === "string" && a.startsWith(b),
);
for (const [name, holds] of Object.entries(integers))
  for (const type of ["uint", "int"])
    jsonLogic.add_operation(
      `${type}_${name}`,
      (a: Operand, b: Operand) => typeof a === "bigint" && typeof b === "bigint" && holds(a, b),
    );

/** Evaluates a prepared condition by json-logic-js. `slots` read what its `var`s name by number, only when they are asked for. */
export function evaluator(
  logic: Logic,
  slots: readonly ((context: MatchContext) => Value | undefined)[],
): (context: MatchContext) => boolean {
  class Data {
    readonly context: MatchContext;
    constructor(context: MatchContext) {
      this.context = context;
    }
  }
  for (const [i, read] of slots.entries())
    Object.defineProperty(Data.prototype, i, {
      get(this: Data) {
        return read(this.context);
      },
    });
  return (context) => jsonLogic.apply(logic as never, new Data(context)) === true;
}
