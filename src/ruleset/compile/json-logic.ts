import jsonLogic from "json-logic-js";
import type { Value } from "../../abi/abi-type.ts";
import type { MatchContext } from "../../model/match.ts";

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

type Operation = (...operands: Operand[]) => unknown;

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
type Evaluation = (context: MatchContext) => unknown;
type Predicate = (context: MatchContext) => boolean;

/**
 * Compiles a prepared condition. The result is the same as that of `jsonLogic.apply`: its truthiness, its operators and those added to its
 * table decide. Only the walk over the condition is done once, here, and not for every transaction. A `var` names one of the `slots` by
 * number; a slot is read only when its value is needed.
 */
export function evaluator(logic: Logic, slots: readonly Slot[]): Predicate {
  const evaluate = compile(logic, slots);
  return isPredicate(logic) ? (evaluate as Predicate) : (context) => evaluate(context) === true;
}

/** Whether a condition consists of comparisons only: then its value is always true or false. */
function isPredicate(logic: Logic): boolean {
  return Object.entries(logic).some(([name, operands]) => {
    return Object.hasOwn(typed, name) || (joins(name) && operands.length > 0 && operands.every(isPredicate));
  });
}

function compile(logic: Logic, slots: readonly Slot[]): Evaluation {
  if (typeof logic !== "object") return () => logic;
  const [[name, operands]] = Object.entries(logic) as [[string, readonly Logic[]]];
  if (name === "var") {
    const read = slots[Number(operands[0])] as Slot;
    return (context) => read(context) ?? null;
  }
  if (joins(name)) {
    const parts = operands.map((operand) => compile(operand, slots));
    return parts.length === 1 ? (parts[0] as Evaluation) : firstOf(parts, name === "or");
  }
  return applied(operationOf(name, operands.length), operands, slots);
}

function joins(name: string): boolean {
  return name === "and" || name === "or";
}

/** Evaluates the parts in order, and gives the first value with the truthiness `sought`, else the last value. */
function firstOf(parts: readonly Evaluation[], sought: boolean): Evaluation {
  return (context) => {
    let value: unknown;
    for (const part of parts) {
      value = part(context);
      if (isTrue(value) === sought) return value;
    }
    return value;
  };
}

/** The library's truthiness. Booleans, which comparisons give, are decided here without asking the library. */
function isTrue(value: unknown): boolean {
  return typeof value === "boolean" ? value : jsonLogic.truthy(value);
}

/**
 * The function of an operator: ours from the typed table, or one that asks the library, since the library does not export its own
 * operators.
 */
function operationOf(name: string, count: number): Operation {
  if (Object.hasOwn(typed, name)) return typed[name] as Operation;
  if (name === "!") return (value) => !isTrue(value);
  const asked = { [name]: Array.from({ length: count }, (_, i) => ({ var: i })) };
  return (...operands) => jsonLogic.apply(asked as never, operands);
}

/**
 * Applies an operator to its operands. Nearly all conditions compare a read value with a constant, so a constant is passed directly,
 * without a call.
 */
function applied(operation: Operation, operands: readonly Logic[], slots: readonly Slot[]): Evaluation {
  const [first, second] = operands.map((operand) => readerOf(operand, slots));
  const right = operands[1];
  const read = first as Slot;
  if (second === undefined) return (context) => operation(read(context));
  if (typeof right !== "object") return (context) => operation(read(context), right as Operand);
  return (context) => operation(read(context), second(context));
}

/** The getter of an operand. A `var` is read directly, since most operands are one. */
function readerOf(operand: Logic, slots: readonly Slot[]): Slot {
  const slot = typeof operand === "object" ? operand.var?.[0] : undefined;
  return slot === undefined ? (compile(operand, slots) as Slot) : (slots[Number(slot)] as Slot);
}
