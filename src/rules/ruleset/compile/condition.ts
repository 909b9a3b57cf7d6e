import { readAddress, zeroAddress } from "../../../kernel/address.ts";
import { limits } from "../../../kernel/limits.ts";
import type { MatchContext } from "../../../model/match.ts";
import type { Value } from "../../abi/abi-type.ts";
import type { Say } from "../document/mistakes.ts";
import { comparisonNames, evaluator, exactly, type Logic } from "./json-logic.ts";
import type { PathType } from "./paths/fixed-paths.ts";
import { compilePath, type Mistyped, PathMistake, type PathScope } from "./paths/path.ts";

/** `path`: from the root of the condition to the wrong token. */
export interface ConditionProblem {
  code: "RL401" | "RL402" | "RL403" | "RL404" | "RL405";
  path: (string | number)[];
  message: Say;
  /** With the words that are allowed there. */
  mistyped?: Mistyped | undefined;
}

export type Predicate = (context: MatchContext) => boolean;
interface Operand {
  type: PathType | "list";
  /** For json-logic-js. */
  logic: Logic;
  /** Known when the rules are loaded. */
  constant: boolean;
}

const literals: ReadonlyMap<string, string> = new Map([
  ["zero", zeroAddress],
  ["native", "native"],
]);

/** Operators that an author may write. */
export const operatorNames: readonly string[] = ["and", "or", "!", ...comparisonNames];

/** What both sides of a comparison must be; of others, of one type. */
const wantedBy: Readonly<Record<string, string>> = {
  starts: "bytes",
  ...Object.fromEntries([">", ">=", "<", "<="].map((name) => [name, "number"])),
};
const isNumber = (type: string) => type === "uint" || type === "int";

/**
 * Prepares a JSON Logic condition for json-logic-js: paths resolved, integers and addresses parsed. A comparison with a missing value is
 * false; with a problem the predicate is.
 */
export function compileCondition(logic: unknown, scope: PathScope, problems: ConditionProblem[]): Predicate {
  const preparer = new ConditionPreparer(scope, problems);
  const prepared = preparer.condition(logic, [], 0);
  return problems.length > 0 ? () => false : evaluator(prepared, preparer.slots);
}

/** Matches inside brackets too. */
export const moneyPath = /(?:^|\()(?:legs|flow)\./;
/** Matches inside brackets too. */
export const legPath = /(?:^|\()legs\./;
/** Paths that only ask which kind of transaction it is. */
const kindPath = /^tx\.(?:type|creates)$/;

function isLiteral(raw: unknown): boolean {
  return raw === null || typeof raw !== "object" || Array.isArray(raw);
}

function misfitText(raw: unknown, type: string, wanted: string, scope: PathScope): Say {
  const message: Say = (say) => say.misfit(type, wanted);
  if (typeof raw !== "string") return message;
  try {
    compilePath(raw, scope);
    return (say) => say.plainText(raw);
  } catch {
    return message;
  }
}

/** Each path becomes a slot: a numbered getter. */
export class ConditionPreparer {
  /** By the number that `var` has. */
  readonly slots: ((context: MatchContext) => Value | undefined)[] = [];
  /** Of paths that match `openPath`: they depend on what other rules explain. */
  readonly openSlots: Set<number> = new Set();
  /** Of paths that read more than the kind of the transaction. */
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
    if (depth > limits.conditionDepthMax) return this.#fail("RL405", path, (say) => say.tooDeep());
    if (Array.isArray(logic)) return this.#every(logic, path, depth);
    if (logic === null || typeof logic !== "object") return this.#fail("RL404", path, (say) => say.noCondition(logic));
    const keys = Object.keys(logic);
    const name = keys[0] ?? "";
    if (keys.length !== 1) return this.#fail("RL402", path, (say) => say.oneOperator());
    const operand = (logic as Record<string, unknown>)[name];
    if (name === "var") return this.#flag(operand, [...path, name]);
    if (!operatorNames.includes(name))
      return this.#fail("RL402", [...path, name], (say) => say.noOperator(name), { word: name, known: operatorNames });
    const operands = Array.isArray(operand) ? operand : [operand];
    const arity = name === "and" || name === "or" ? operands.length : name === "!" ? 1 : 2;
    if (operands.length !== arity)
      return this.#fail("RL403", [...path, name], (say) => say.operands(name, arity, operands.length));
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
    return this.#fail("RL403", path, (say) => say.noFlag(name, operand.type));
  }

  #comparison(name: string, raw: unknown[], path: (string | number)[]): Logic {
    // A literal is read as the type of the path on the other side.
    const [one, other] = name !== "in" && isLiteral(raw[0]) && !isLiteral(raw[1]) ? [1, 0] : [0, 1];
    const first = this.#operand(raw[one], wantedBy[name] ?? "any", [...path, one]);
    const type = !first ? (wantedBy[name] ?? "any") : isNumber(first.type) ? "number" : first.type;
    const second = name === "in" ? this.#list(raw[1], type, path) : this.#operand(raw[other], type, [...path, other]);
    if (!first || !second) return false;
    if (first.constant && second.constant) this.#fail("RL404", path, (say) => say.constant());
    const sides = one === 0 ? [first.logic, second.logic] : [second.logic, first.logic];
    return { [exactly(name)]: sides };
  }

  /** Gives the `var` that reads it. */
  #slot(get: (context: MatchContext) => Value | undefined): Logic {
    return { var: [this.slots.push(get) - 1] };
  }

  #operand(raw: unknown, wanted: string, path: (string | number)[]): Operand | false {
    const operand = this.#read(raw, wanted, path);
    if (operand === false) return false;
    const fits =
      wanted === "any"
        ? operand.type !== "array" && operand.type !== "tuple"
        : wanted === operand.type || (wanted === "number" && isNumber(operand.type));
    if (!fits) return this.#fail("RL403", path, misfitText(raw, operand.type, wanted, this.#scope));
    return operand;
  }

  #read(raw: unknown, wanted: string, path: (string | number)[]): Operand | false {
    if (raw !== null && typeof raw === "object" && !Array.isArray(raw)) {
      const keys = Object.keys(raw);
      if (keys.length !== 1 || keys[0] !== "var") return this.#fail("RL403", path, (say) => say.noOperand());
      return this.#variable((raw as { var: unknown }).var, [...path, "var"]);
    }
    if (typeof raw === "boolean") return { type: "bool", constant: true, logic: raw };
    const text = Number.isSafeInteger(raw) ? String(raw) : raw;
    if (typeof text !== "string") return this.#fail("RL403", path, (say) => say.noLiteral());
    if (wanted === "number" && /^-?\d+$/.test(text)) {
      const value = BigInt(text);
      return { type: value < 0n ? "int" : "uint", constant: true, logic: value };
    }
    if (wanted === "address") return this.#addressLiteral(text, path);
    if (wanted === "bytes" && /^0x(?:[0-9a-f]{2})*$/i.test(text))
      return { type: "bytes", constant: true, logic: text.toLowerCase() };
    return { type: "string", constant: true, logic: text };
  }

  /** Constants of one type. A role means all its addresses; one value needs no brackets. */
  #list(raw: unknown, type: string, path: (string | number)[]): Operand {
    const values = [raw].flat().flatMap((item, i): Value[] => {
      const place = Array.isArray(raw) ? [...path, 1, i] : [...path, 1];
      const role = type === "address" ? this.#scope.contracts.get(item as string) : undefined;
      if (role !== undefined) return [...role];
      const operand = this.#operand(item, type, place);
      if (operand && !operand.constant) this.#fail("RL403", place, (say) => say.noListItem());
      return operand ? [operand.logic as Value] : [];
    });
    return { type: "list", constant: true, logic: this.#slot(() => values) };
  }

  #addressLiteral(text: string, path: (string | number)[]): Operand | false {
    const { contracts } = this.#scope;
    const logic = literals.get(text) ?? readAddress(text) ?? contracts.get(text)?.[0];
    if (logic !== undefined) return { type: "address", constant: true, logic };
    return this.#fail("RL403", path, (say) => say.noAddress(text), { word: text, known: [...contracts.keys()] });
  }

  #variable(name: unknown, path: (string | number)[]): Operand | false {
    if (typeof name !== "string") return this.#fail("RL401", path, (say) => say.onePath());
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

  #fail(code: ConditionProblem["code"], path: (string | number)[], message: Say, mistyped?: Mistyped): false {
    this.#problems.push({ code, path, message, mistyped });
    return false;
  }
}
