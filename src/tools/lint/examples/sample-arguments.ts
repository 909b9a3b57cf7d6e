import { readAddress } from "../../../kernel/address.ts";
import type { AbiType } from "../../../rules/abi/abi-type.ts";
import type { FunctionItem } from "../../../rules/abi/signature.ts";
import { conditionOf } from "../../../rules/ruleset/compile/compile-attempts.ts";
import type { AttemptEntry, RuleEntry } from "../../../rules/ruleset/document/rule-document.ts";
import { conjuncts } from "../checks/set/condition-clash.ts";
import { type GivenNames, plainValue } from "./given-names.ts";

/** Used in the order in which captures ask. */
const tokens = ["USDC", "WETH", "cbETH", "DAI"];
const amount = "1000000000000000000";
/** Hex digits of 32 bytes. */
const word = "12ab".repeat(16);

/** Values by path (`args.order.amount`); captures say where tokens and amounts are needed. */
export class SampleArguments {
  readonly #type: FunctionItem["inputs"];
  readonly #names: GivenNames;
  readonly #wanted: Map<string, unknown> = new Map();
  readonly #where: unknown;
  #value = 0n;

  constructor(entry: RuleEntry, attempt: AttemptEntry, call: FunctionItem, names: GivenNames) {
    this.#type = call.inputs;
    this.#names = names;
    this.#where = conditionOf(entry, attempt);
    for (const capture of Object.values({ ...entry.capture, ...attempt.capture }))
      for (const item of Array.isArray(capture) ? capture : [capture]) this.#want(item);
    if (attempt.acts_for !== undefined) this.#wanted.set(attempt.acts_for, "alice");
  }

  /** False: a condition is too complex. */
  meetsConditions(): boolean {
    return conjuncts(this.#where).every((part) => this.#meet(part));
  }

  /** As in `given`. */
  value(): { value?: string } {
    return this.#value === 0n ? {} : { value: this.#value.toString() };
  }

  /** As in `given`. */
  arguments(): unknown {
    return this.#build(this.#type, "args");
  }

  #want(capture: Record<string, unknown>): void {
    for (const [field, path] of Object.entries(capture)) {
      if (path === "call.value") this.#value ||= BigInt(amount);
      if (typeof path !== "string" || !/^(?:args|input)\./.test(path)) continue;
      const key = path.replace(/^input\./, "args.").replace(/\(([^)]*)\)/g, (_, index: string) => {
        this.#wanted.set(index, "0");
        return "0";
      });
      if (this.#wanted.has(key) || this.#wantWhole(key)) continue;
      const value = this.#sampleOf(field, key, capture);
      if (value !== undefined) this.#wanted.set(key, value);
    }
  }

  /** For a view (an address in a word, the length of a list), sets the value itself; true if it did. */
  #wantWhole(key: string): boolean {
    const word = key.endsWith(".addressAt.0") ? key.slice(0, -".addressAt.0".length) : "";
    if (this.#typeAt(word)?.kind === "fixed") {
      this.#wanted.set(word, `${this.#names.address("carol")}${"00".repeat(12)}`);
      return true;
    }
    if (!key.endsWith(".length") || this.#typeAt(key.slice(0, -7))?.kind !== "array") return false;
    this.#wanted.set(key, "2");
    return true;
  }

  /** undefined: the simplest value is enough. */
  #sampleOf(field: string, key: string, { values }: Record<string, unknown>): unknown {
    const type = this.#typeAt(key);
    if (field === "of" || field === "token" || field === "nft") {
      const used = [...this.#wanted.values()].filter((value) => tokens.includes(String(value))).length;
      return tokens[used % tokens.length];
    }
    if (field === "hash") return hashOf(type);
    if (field === "enum") return type && firstChoice(type, values);
    if (type?.kind === "address" || key.endsWith(".address")) return "carol";
    if (field === "other" && type !== undefined) return this.#account(type);
    if (type?.kind === "string") return "sample";
    if (type?.kind !== "uint" && type?.kind !== "int") return undefined;
    return /^(?:amount|at_)/.test(field) && type.bits >= 64 ? amount : "10";
  }

  /** Text or fixed bytes; in 32 bytes after 12 zeros. */
  #account(type: AbiType): string {
    const address = this.#names.address("carol") ?? "";
    return type.kind === "fixed" ? `0x${"00".repeat(type.size - 20)}${address.slice(2)}` : address;
  }

  #meet(part: unknown): boolean {
    const [operator = "", operand] = Object.entries((part ?? {}) as Record<string, unknown>)[0] ?? [];
    if (operator === "var") return this.#set(String(operand), true);
    const [left, right] = [operand].flat();
    if (operator === "!") {
      const [inner = "", compared] = Object.entries((left ?? {}) as Record<string, unknown>)[0] ?? [];
      if (inner === "var") return this.#set(String(compared), false);
      // A negated comparison is met already, because the sample values differ from the constant.
      return (inner === "==" && !this.#isSigned([compared].flat()[0])) || inner === "in" || inner === "starts";
    }
    const path = (left as { var?: string } | undefined)?.var;
    if (path === undefined || typeof right !== "string" || this.#isSigned(left)) return false;
    if (operator === ">") return this.#wanted.has(path) || this.#set(path, (BigInt(right) + 1n).toString());
    if (operator === "<") return true;
    return (operator === "==" || operator === "in") && this.#set(path, right);
  }

  /** Of such a number the simplest value decides nothing: its sign is what rules ask for. */
  #isSigned(side: unknown): boolean {
    const path = (side as { var?: string } | undefined)?.var;
    return path !== undefined && this.#typeAt(path)?.kind === "int";
  }

  #set(path: string, value: unknown): boolean {
    if (path === "call.value") this.#value = BigInt(String(value));
    else this.#wanted.set(path, value);
    return path === "call.value" || path.startsWith("args.");
  }

  #typeAt(path: string): AbiType | undefined {
    let type: AbiType | undefined = this.#type;
    for (const part of path.split(".").slice(1)) {
      if (type?.kind === "tuple") type = type.items[type.names.indexOf(part)];
      else if (type?.kind === "array") type = type.item;
      else return undefined;
    }
    return type;
  }

  /** undefined: nothing below was set, so the simplest value. */
  #build(type: AbiType, path: string): unknown {
    if (this.#wanted.has(path)) return this.#wanted.get(path);
    const below = [...this.#wanted.keys()].filter((key) => key.startsWith(`${path}.`));
    if (below.length === 0) return undefined;
    if (type.kind === "tuple") {
      const fields = type.names.map((name, i) => [name, this.#build(type.items[i] as AbiType, `${path}.${name}`)]);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    if (type.kind === "array") return this.#list(type, path, below);
    if (type.kind === "bytes") return this.#packed(path);
    return readAddress(this.#names.address(this.#wanted.get(`${path}.address`)));
  }

  #list(type: AbiType & { kind: "array" }, path: string, below: readonly string[]): unknown[] {
    const indexes = below.map((key) => Number(key.slice(path.length + 1).split(".")[0])).filter(Number.isInteger);
    const last = indexes.some((index) => index < 0);
    const counted = Number(this.#wanted.get(`${path}.length`) ?? 0);
    const length = type.length ?? Math.max(counted, ...indexes.map((index) => index + 1), last ? 2 : 1);
    return Array.from({ length }, (_, i) => {
      const own = this.#build(type.item, `${path}.${i}`);
      const fromEnd = this.#build(type.item, `${path}.${i - length}`);
      return own ?? fromEnd ?? plainValue(type.item, 0);
    });
  }

  #packed(path: string): unknown {
    const first = this.#wanted.get(`${path}.addressAt.0`) ?? tokens[2];
    const last = this.#wanted.get(`${path}.addressAt.-20`) ?? tokens[3];
    return [first, "0x000064", last];
  }
}

function firstChoice({ kind }: AbiType, values: unknown): string | boolean | undefined {
  const first = Object.keys((values ?? {}) as Record<string, string>)[0];
  return kind === "bool" && first !== undefined ? first === "true" : first;
}

function hashOf(type: AbiType | undefined): string {
  return `0x${type?.kind === "fixed" ? word.slice(0, type.size * 2) : word}`;
}
