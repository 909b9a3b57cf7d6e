import type { Value } from "../../abi/abi-type.ts";
import { readAddress, zeroAddress } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import type { MatchContext } from "../../model/match.ts";
import { evaluator, type Logic } from "./json-logic.ts";
import type { PathType } from "./paths/fixed-paths.ts";
import { compilePath, type Mistyped, PathMistake, type PathScope } from "./paths/path.ts";

/** A mistake in a condition; `path` leads from the condition's root to the wrong token. */
export interface ConditionProblem {
  code: "RL401" | "RL402" | "RL403" | "RL404" | "RL405";
  path: (string | number)[];
  message: string;
  /** The word that is wrong, and those that may stand there. */
  mistyped?: Mistyped | undefined;
}

export type Predicate = (context: MatchContext) => boolean;
interface Operand {
  type: PathType | "list";
  /** As json-logic-js takes it. */
  logic: Logic;
  /** Known at load time. */
  constant: boolean;
}

/** The operators that compare two values, with the types of the values. */
const comparisons: Readonly<Record<string, readonly [string, string]>> = {
  "==": ["any", "any"],
  "!=": ["any", "any"],
  in: ["any", "list"],
  addr_eq: ["address", "address"],
  addr_in: ["address", "list"],
  bytes_starts: ["bytes", "bytes"],
  ...Object.fromEntries(
    ["uint", "int"].flatMap((type) =>
      ["eq", "gt", "gte", "lt", "lte"].map((name) => [`${type}_${name}`, [type, type]]),
    ),
  ),
};

/** Words that stand for an address. */
const literals: ReadonlyMap<string, string> = new Map([
  ["zero", zeroAddress],
  ["native", "native"],
]);

/** The closed list of operators, for lint messages and documentation. */
export const operatorNames: readonly string[] = ["and", "or", "!", ...Object.keys(comparisons)];

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

/** A path that reads legs or the flow, in its brackets too. */
export const moneyPath = /(?:^|\()(?:legs|flow)\./;
/** One that reads legs. */
export const legPath = /(?:^|\()legs\./;
/** One that tells what kind of transaction it is, and nothing else. */
const kindPath = /^tx\.(?:type|creates)$/;

function misfitText(raw: unknown, type: string, wanted: string, scope: PathScope): string {
  const message = `the operand is ${type}, \`${wanted}\` was expected`;
  if (typeof raw !== "string") return message;
  try {
    compilePath(raw, scope);
    return `\`${raw}\` is plain text here`;
  } catch {
    return message;
  }
}

/** Checks a condition and prepares it; the paths that it reads become slots. */
export class ConditionPreparer {
  /** What `var` reads, by its number. */
  readonly slots: ((context: MatchContext) => Value | undefined)[] = [];
  /** The slots that read what other rules may explain. */
  readonly openSlots: Set<number> = new Set();
  /** The slots that read more than what kind of transaction it is. */
  readonly furtherSlots: Set<number> = new Set();
  readonly #openPath: RegExp;
  readonly #scope: PathScope;
  readonly #problems: ConditionProblem[];

  constructor(scope: PathScope, problems: ConditionProblem[], openPath = moneyPath) {
    this.#openPath = openPath;
    this.#scope = scope;
    this.#problems = problems;
  }

  condition(logic: unknown, path: (string | number)[], depth: number): Logic {
    if (depth > limits.conditionDepthMax) return this.#fail("RL405", path, "the condition nests too deep");
    if (Array.isArray(logic)) return this.#every(logic, path, depth);
    if (logic === null || typeof logic !== "object") {
      return this.#fail("RL404", path, `\`${JSON.stringify(logic)}\` is constant`);
    }
    const keys = Object.keys(logic);
    const name = keys[0] ?? "";
    if (keys.length !== 1) return this.#fail("RL402", path, "no operator");
    const operand = (logic as Record<string, unknown>)[name];
    if (name === "var") return this.#flag(operand, [...path, name]);
    if (!operatorNames.includes(name))
      return this.#fail("RL402", [...path, name], `\`${name}\` is no operator`, { word: name, known: operatorNames });
    const operands = Array.isArray(operand) ? operand : [operand];
    const arity = name === "and" || name === "or" ? operands.length : name === "!" ? 1 : 2;
    if (operands.length !== arity)
      return this.#fail("RL403", [...path, name], `\`${name}\` takes ${arity} operands, ${operands.length} given`);
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
    if (operand === false) return false;
    if (operand.type === "bool") return operand.logic;
    return this.#fail("RL403", path, `\`${String(name)}\` is ${operand.type}, a condition needs a bool`);
  }

  #comparison(name: string, raw: unknown[], path: (string | number)[]): Logic {
    const [first, second] = comparisons[name] as readonly [string, string];
    const left = this.#operand(raw[0], first, [...path, 0]);
    // What is compared with it is of its type: of another one it would never be equal.
    const type = left ? left.type : "any";
    const meant = second === "any" ? type : second;
    const right = second === "list" ? this.#list(raw[1], type, path) : this.#operand(raw[1], meant, [...path, 1]);
    if (!left || !right) return false;
    if (left.constant && right.constant) this.#fail("RL404", path, "the condition is constant");
    return { [exact[name] ?? name]: [left.logic, right.logic] };
  }

  /** The number of a slot, as a `var`. */
  #slot(get: (context: MatchContext) => Value | undefined): Logic {
    return { var: [this.slots.push(get) - 1] };
  }

  #operand(raw: unknown, wanted: string, path: (string | number)[]): Operand | false {
    const operand = this.#read(raw, wanted, path);
    if (operand === false) return false;
    const fits =
      wanted === "any"
        ? operand.type !== "array" && operand.type !== "tuple"
        : wanted === operand.type || (wanted === "int" && operand.type === "uint");
    if (!fits) return this.#fail("RL403", path, misfitText(raw, operand.type, wanted, this.#scope));
    return operand;
  }

  #read(raw: unknown, wanted: string, path: (string | number)[]): Operand | false {
    if (raw !== null && typeof raw === "object" && !Array.isArray(raw)) {
      const keys = Object.keys(raw);
      if (keys.length !== 1 || keys[0] !== "var") return this.#fail("RL403", path, "no value");
      return this.#variable((raw as { var: unknown }).var, [...path, "var"]);
    }
    if (typeof raw === "boolean") return { type: "bool", constant: true, logic: raw };
    const text = Number.isSafeInteger(raw) ? String(raw) : raw;
    if (typeof text !== "string") return this.#fail("RL403", path, "no operand");
    if ((wanted === "uint" || wanted === "int") && /^-?\d+$/.test(text)) {
      const value = BigInt(text);
      return { type: value < 0n ? "int" : "uint", constant: true, logic: value };
    }
    if (wanted === "address") return this.#addressLiteral(text, path);
    if (wanted === "bytes" && /^0x(?:[0-9a-f]{2})*$/i.test(text))
      return { type: "bytes", constant: true, logic: text.toLowerCase() };
    return { type: "string", constant: true, logic: text };
  }

  /** Constants of one type; a role stands for all of its addresses. One may stand alone. */
  #list(raw: unknown, type: string, path: (string | number)[]): Operand {
    const values = [raw].flat().flatMap((item, i): Value[] => {
      const place = Array.isArray(raw) ? [...path, 1, i] : [...path, 1];
      const role = type === "address" ? this.#scope.contracts.get(item as string) : undefined;
      if (role !== undefined) return [...role];
      const operand = this.#operand(item, type, place);
      if (operand && !operand.constant) this.#fail("RL403", place, "no literal");
      return operand ? [operand.logic as Value] : [];
    });
    return { type: "list", constant: true, logic: this.#slot(() => values) };
  }

  #addressLiteral(text: string, path: (string | number)[]): Operand | false {
    const { contracts } = this.#scope;
    const logic = literals.get(text) ?? readAddress(text) ?? contracts.get(text)?.[0];
    if (logic !== undefined) return { type: "address", constant: true, logic };
    const message = `\`${text}\` is no address, role or \`zero\``;
    return this.#fail("RL403", path, message, { word: text, known: [...contracts.keys()] });
  }

  #variable(name: unknown, path: (string | number)[]): Operand | false {
    if (typeof name !== "string") return this.#fail("RL401", path, "`var` takes one path");
    try {
      const { type, get } = compilePath(name, this.#scope);
      if (this.#openPath.test(name)) this.openSlots.add(this.slots.length);
      if (!kindPath.test(name)) this.furtherSlots.add(this.slots.length);
      return { type, constant: false, logic: this.#slot(get) };
    } catch (error) {
      if (!(error instanceof PathMistake)) throw error;
      return this.#fail("RL401", path, error.message, error.mistyped);
    }
  }

  #fail(code: ConditionProblem["code"], path: (string | number)[], message: string, mistyped?: Mistyped): false {
    this.#problems.push({ code, path, message, mistyped });
    return false;
  }
}
