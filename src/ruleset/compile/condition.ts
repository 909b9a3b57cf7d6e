import type { Value } from "../../abi/abi-type.ts";
import type { Address } from "../../kernel/address.ts";
import { readAddress } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import type { MatchContext } from "../../model/match.ts";
import { suggest } from "../document/suggest.ts";
import { type CompiledPath, compilePath, PathError, type PathScope, type PathType } from "./path.ts";

/** A mistake in a condition; `path` leads from the condition's root to the wrong token. */
export interface ConditionProblem {
  code: "RL401" | "RL402" | "RL403" | "RL404" | "RL405";
  path: (string | number)[];
  message: string;
  suggestion?: string | undefined;
}

type Predicate = (context: MatchContext) => boolean;
interface Operand {
  type: PathType | "list";
  get: (context: MatchContext) => Value | undefined;
  /** Known at load time. */
  constant: boolean;
}

/** Comparisons on integers of any size; JSON Logic's own `<` compares decimal strings as text and loses precision. */
const comparisons: Record<string, (a: bigint, b: bigint) => boolean> = {
  eq: (a, b) => a === b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

const operatorArity: Record<string, number | null> = {
  and: null,
  or: null,
  "!": 1,
  "==": 2,
  "!=": 2,
  in: 2,
  addr_eq: 2,
  addr_in: 2,
  bytes_starts: 2,
  ...Object.fromEntries(["uint", "int"].flatMap((t) => Object.keys(comparisons).map((c) => [`${t}_${c}`, 2]))),
};

/** The closed list of operators, for lint messages and documentation. */
export const operatorNames: readonly string[] = Object.keys(operatorArity);

/**
 * Compiles a JSON Logic condition to a closure. Missing values make a comparison false.
 * Problems are collected; the returned predicate is only meaningful when there are none.
 */
export function compileCondition(logic: unknown, scope: PathScope, problems: ConditionProblem[]): Predicate {
  return new ConditionCompiler(scope, problems).predicate(logic, [], 0);
}

class ConditionCompiler {
  readonly #scope: PathScope;
  readonly #problems: ConditionProblem[];

  constructor(scope: PathScope, problems: ConditionProblem[]) {
    this.#scope = scope;
    this.#problems = problems;
  }

  predicate(logic: unknown, path: (string | number)[], depth: number): Predicate {
    const never: Predicate = () => false;
    if (depth > limits.conditionDepthMax) return this.#fail("RL405", path, "the condition nests too deep") ?? never;
    if (Array.isArray(logic)) return this.#every(logic, path, depth);
    if (logic === null || typeof logic !== "object")
      return (
        this.#fail(
          "RL404",
          path,
          `\`${JSON.stringify(logic)}\` is constant: a condition must depend on the transaction`,
        ) ?? never
      );
    const keys = Object.keys(logic);
    const name = keys[0] ?? "";
    if (keys.length !== 1) return this.#fail("RL402", path, "a condition has exactly one operator") ?? never;
    const operand = (logic as Record<string, unknown>)[name];
    if (name === "var") return this.#truthy(operand, [...path, name]);
    const arity = Object.hasOwn(operatorArity, name) ? operatorArity[name] : undefined;
    if (arity === undefined)
      return this.#fail("RL402", [...path, name], `\`${name}\` is no operator`, suggest(name, operatorNames)) ?? never;
    const operands = Array.isArray(operand) ? operand : [operand];
    if (arity !== null && operands.length !== arity)
      return (
        this.#fail("RL403", [...path, name], `\`${name}\` takes ${arity} operands, ${operands.length} given`) ?? never
      );
    if (name === "and") return this.#every(operands, [...path, name], depth);
    if (name === "or") {
      const parts = operands.map((part, i) => this.predicate(part, [...path, name, i], depth + 1));
      return (context) => parts.some((part) => part(context));
    }
    if (name === "!") {
      const at = Array.isArray(operand) ? [...path, name, 0] : [...path, name];
      const part = this.predicate(operands[0], at, depth + 1);
      return (context) => !part(context);
    }
    return this.#comparison(name, operands, [...path, name]);
  }

  #every(parts: unknown[], path: (string | number)[], depth: number): Predicate {
    const compiled = parts.map((part, i) => this.predicate(part, [...path, i], depth + 1));
    return (context) => compiled.every((part) => part(context));
  }

  #truthy(name: unknown, path: (string | number)[]): Predicate {
    const operand = this.#variable(name, path);
    if (operand !== undefined && operand.type !== "bool")
      this.#fail("RL403", path, `\`${String(name)}\` is ${operand.type}, a condition needs a bool`);
    return (context) => operand?.get(context) === true;
  }

  #comparison(name: string, raw: unknown[], path: (string | number)[]): Predicate {
    const wanted = wantedType(name);
    const operands = raw.map((item, i) => this.#operand(item, wanted[i] ?? "any", [...path, i]));
    const [left, right] = operands;
    if (left === undefined || right === undefined) return () => false;
    if (left.constant && right.constant) this.#fail("RL404", path, "the condition is constant");
    const number = /^u?int_(\w+)$/.exec(name);
    if (number !== null) {
      const compare = comparisons[number[1] ?? ""] as (a: bigint, b: bigint) => boolean;
      return (context) => {
        const a = left.get(context);
        const b = right.get(context);
        return typeof a === "bigint" && typeof b === "bigint" && compare(a, b);
      };
    }
    if (name === "in" || name === "addr_in")
      return (context) => {
        const item = left.get(context);
        return item !== undefined && ((right.get(context) as Value[] | undefined)?.includes(item) ?? false);
      };
    if (name === "bytes_starts")
      return (context) => String(left.get(context) ?? "").startsWith(String(right.get(context) ?? "none"));
    const wantEqual = name !== "!=";
    return (context) => {
      const a = left.get(context);
      const b = right.get(context);
      return a !== undefined && b !== undefined && (a === b) === wantEqual;
    };
  }

  #operand(raw: unknown, wanted: string, path: (string | number)[]): Operand | undefined {
    const operand = this.#read(raw, wanted, path);
    if (operand === undefined) return undefined;
    const fits =
      wanted === "any"
        ? operand.type !== "array" && operand.type !== "tuple"
        : wanted === operand.type || (wanted === "int" && operand.type === "uint");
    if (!fits) return this.#fail("RL403", path, `the operand is ${operand.type}, \`${wanted}\` was expected`);
    return operand;
  }

  #read(raw: unknown, wanted: string, path: (string | number)[]): Operand | undefined {
    if (raw !== null && typeof raw === "object" && !Array.isArray(raw)) {
      const keys = Object.keys(raw);
      if (keys.length !== 1 || keys[0] !== "var")
        return this.#fail("RL403", path, "an operand is a literal or a `var`");
      return this.#variable((raw as { var: unknown }).var, [...path, "var"]);
    }
    if (Array.isArray(raw)) return this.#list(raw, path);
    if (wanted === "list") return this.#list([raw], path);
    if (typeof raw === "boolean") {
      const flag: boolean = raw;
      return { type: "bool", constant: true, get: () => flag };
    }
    if (typeof raw === "number" && Number.isSafeInteger(raw)) raw = String(raw);
    if (typeof raw !== "string")
      return this.#fail("RL403", path, "an operand is a string, an integer, a bool or a `var`");
    const text: string = raw;
    if ((wanted === "uint" || wanted === "int") && /^-?\d+$/.test(text)) {
      const value = BigInt(text);
      return { type: value < 0n ? "int" : "uint", constant: true, get: () => value };
    }
    if (wanted === "address") return this.#addressLiteral(text, path);
    if (wanted === "bytes" && /^0x[0-9a-f]*$/.test(text)) return { type: "bytes", constant: true, get: () => text };
    return { type: "string", constant: true, get: () => text };
  }

  #list(raw: unknown[], path: (string | number)[]): Operand {
    const values = raw.flatMap((item, i): Value[] => {
      if (typeof item === "string" && (readAddress(item) !== undefined || this.#scope.contracts.has(item)))
        return this.#addressesOf(item);
      if (typeof item === "string" || typeof item === "boolean") return [item];
      if (typeof item === "number" && Number.isSafeInteger(item)) return [BigInt(item)];
      this.#fail("RL403", [...path, i], "a list holds strings, bools or integers");
      return [];
    });
    return { type: "list", constant: true, get: () => values };
  }

  #addressesOf(item: string): Value[] {
    const role = this.#scope.contracts.get(item);
    return role === undefined ? [item.toLowerCase()] : [...role];
  }

  #addressLiteral(text: string, path: (string | number)[]): Operand | undefined {
    const literals: Record<string, string> = { zero: `0x${"0".repeat(40)}`, native: "native" };
    const known = literals[text] ?? readAddress(text) ?? (this.#scope.contracts.get(text)?.[0] as Address | undefined);
    if (known === undefined)
      return this.#fail(
        "RL403",
        path,
        `\`${text}\` is no address, role or \`zero\``,
        suggest(text, [...this.#scope.contracts.keys()]),
      );
    return { type: "address", constant: true, get: () => known };
  }

  #variable(name: unknown, path: (string | number)[]): Operand | undefined {
    if (typeof name !== "string") return this.#fail("RL401", path, "`var` takes one path");
    try {
      const compiled: CompiledPath = compilePath(name, this.#scope);
      return { type: compiled.type, constant: false, get: compiled.get as Operand["get"] };
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      return this.#fail("RL401", path, error.message, error.suggestion);
    }
  }

  #fail(code: ConditionProblem["code"], path: (string | number)[], message: string, suggestion?: string): undefined {
    this.#problems.push({ code, path, message, suggestion });
    return undefined;
  }
}

function wantedType(name: string): string[] {
  if (name.startsWith("uint_")) return ["uint", "uint"];
  if (name.startsWith("int_")) return ["int", "int"];
  if (name === "addr_eq") return ["address", "address"];
  if (name === "addr_in") return ["address", "list"];
  if (name === "bytes_starts") return ["bytes", "bytes"];
  if (name === "in") return ["any", "list"];
  return ["any", "any"];
}
