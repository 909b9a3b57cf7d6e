import type { Value } from "../../abi/abi-type.ts";
import { suggest } from "../../documents/suggest.ts";
import type { Address } from "../../kernel/address.ts";
import { readAddress } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import type { MatchContext } from "../../model/match.ts";
import { PathError } from "../path-error.ts";
import { evaluator, type Logic } from "./json-logic.ts";
import { type CompiledPath, compilePath, type PathScope, type PathType } from "./path.ts";

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
  /** As json-logic-js takes it. */
  logic: Logic;
  /** Known at load time. */
  constant: boolean;
}

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
  ...Object.fromEntries(["uint", "int"].flatMap((t) => ["eq", "gt", "gte", "lt", "lte"].map((c) => [`${t}_${c}`, 2]))),
};

/** The closed list of operators, for lint messages and documentation. */
export const operatorNames: readonly string[] = Object.keys(operatorArity);

/** Operators that json-logic-js has, but compares loosely: `"" == 0`. */
const exact: Record<string, string> = { "==": "same", "!=": "differs" };

/**
 * Checks a JSON Logic condition and prepares it for json-logic-js: paths resolved, integers and addresses read. Missing values make
 * a comparison false. Problems are collected; the returned predicate is only meaningful when there are none.
 */
export function compileCondition(logic: unknown, scope: PathScope, problems: ConditionProblem[]): Predicate {
  const preparer = new ConditionPreparer(scope, problems);
  const prepared = preparer.condition(logic, [], 0);
  return problems.length > 0 ? () => false : evaluator(prepared, preparer.slots);
}

class ConditionPreparer {
  /** What `var` reads, by its number. */
  readonly slots: ((context: MatchContext) => Value | undefined)[] = [];
  readonly #scope: PathScope;
  readonly #problems: ConditionProblem[];

  constructor(scope: PathScope, problems: ConditionProblem[]) {
    this.#scope = scope;
    this.#problems = problems;
  }

  condition(logic: unknown, path: (string | number)[], depth: number): Logic {
    if (depth > limits.conditionDepthMax) return this.#wrong("RL405", path, "the condition nests too deep");
    if (Array.isArray(logic)) return this.#every(logic, path, depth);
    if (logic === null || typeof logic !== "object") {
      const message = `\`${JSON.stringify(logic)}\` is constant: a condition must depend on the transaction`;
      return this.#wrong("RL404", path, message);
    }
    const keys = Object.keys(logic);
    const name = keys[0] ?? "";
    if (keys.length !== 1) return this.#wrong("RL402", path, "a condition has exactly one operator");
    const operand = (logic as Record<string, unknown>)[name];
    if (name === "var") return this.#flag(operand, [...path, name]);
    const arity = Object.hasOwn(operatorArity, name) ? operatorArity[name] : undefined;
    if (arity === undefined)
      return this.#wrong("RL402", [...path, name], `\`${name}\` is no operator`, suggest(name, operatorNames));
    const operands = Array.isArray(operand) ? operand : [operand];
    if (arity !== null && operands.length !== arity)
      return this.#wrong("RL403", [...path, name], `\`${name}\` takes ${arity} operands, ${operands.length} given`);
    if (name === "and") return this.#every(operands, [...path, name], depth);
    if (name === "or") return { or: operands.map((part, i) => this.condition(part, [...path, name, i], depth + 1)) };
    if (name === "!") {
      const at = Array.isArray(operand) ? [...path, name, 0] : [...path, name];
      return { "!": [this.condition(operands[0], at, depth + 1)] };
    }
    return this.#comparison(name, operands, [...path, name]);
  }

  #every(parts: unknown[], path: (string | number)[], depth: number): Logic {
    const prepared = parts.map((part, i) => this.condition(part, [...path, i], depth + 1));
    return prepared.length === 0 ? true : { and: prepared };
  }

  #flag(name: unknown, path: (string | number)[]): Logic {
    const operand = this.#variable(name, path);
    if (operand !== undefined && operand.type !== "bool")
      this.#fail("RL403", path, `\`${String(name)}\` is ${operand.type}, a condition needs a bool`);
    return operand?.logic ?? false;
  }

  #comparison(name: string, raw: unknown[], path: (string | number)[]): Logic {
    const wanted = wantedType(name);
    const [left, right] = raw.map((item, i) => this.#operand(item, wanted[i] ?? "any", [...path, i]));
    if (left === undefined || right === undefined) return false;
    if (left.constant && right.constant) this.#fail("RL404", path, "the condition is constant");
    return { [exact[name] ?? name]: [left.logic, right.logic] };
  }

  /** The number of a slot, as a `var`. */
  #slot(get: (context: MatchContext) => Value | undefined): Logic {
    return { var: [this.slots.push(get) - 1] };
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
      return { type: "bool", constant: true, logic: flag };
    }
    if (typeof raw === "number" && Number.isSafeInteger(raw)) raw = String(raw);
    if (typeof raw !== "string")
      return this.#fail("RL403", path, "an operand is a string, an integer, a bool or a `var`");
    const text: string = raw;
    if ((wanted === "uint" || wanted === "int") && /^-?\d+$/.test(text)) {
      const value = BigInt(text);
      return { type: value < 0n ? "int" : "uint", constant: true, logic: value };
    }
    if (wanted === "address") return this.#addressLiteral(text, path);
    if (wanted === "bytes" && /^0x[0-9a-f]*$/.test(text)) return { type: "bytes", constant: true, logic: text };
    return { type: "string", constant: true, logic: text };
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
    return { type: "list", constant: true, logic: this.#slot(() => values) };
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
    return { type: "address", constant: true, logic: known };
  }

  #variable(name: unknown, path: (string | number)[]): Operand | undefined {
    if (typeof name !== "string") return this.#fail("RL401", path, "`var` takes one path");
    try {
      const compiled: CompiledPath = compilePath(name, this.#scope);
      return { type: compiled.type, constant: false, logic: this.#slot(compiled.get) };
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      return this.#fail("RL401", path, error.message, error.suggestion);
    }
  }

  #wrong(code: ConditionProblem["code"], path: (string | number)[], message: string, suggestion?: string): false {
    return this.#fail(code, path, message, suggestion) ?? false;
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
