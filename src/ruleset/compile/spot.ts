import type { AbiType, TupleType } from "../../abi/abi-type.ts";
import type { MessageItem } from "../../abi/message.ts";
import type { AbiItem, EventItem, FunctionItem, SignatureReader } from "../../abi/signature.ts";
import type { Reporter, ReportOptions } from "../../documents/reporter.ts";
import { type Address, checksum, readAddress } from "../../kernel/address.ts";
import type { NameLabel } from "../../model/label.ts";
import type { CompiledMember, Getter, ItemGetter } from "../compiled.ts";
import type { AuthorHelp } from "../document/author-help.ts";
import type { RuleDocument } from "../document/rule-document.ts";
import type { CompiledPath, PathType } from "./paths/fixed-paths.ts";
import { compilePath, type Mistyped, PathMistake, type PathScope } from "./paths/path.ts";

/** The names that one rule file defines: contracts by role, members, ABI items, tables. */
export interface FileScope {
  document: RuleDocument;
  reporter: Reporter;
  signatures: SignatureReader;
  /** null: the file has no mistake. */
  help: AuthorHelp | null;
  contracts: Map<string, Address[]>;
  members: Map<string, CompiledMember>;
  abi: Map<string, AbiItem>;
  /** Messages of `abi`: they are signed, and neither called nor emitted. */
  messages: Map<string, MessageItem>;
  /** Addresses by number or address, such as the tokens of a list of reserves, or those of several pools. */
  tables: Map<string, ReadonlyMap<string, Address>>;
  names: NameLabel[];
  /** Keccak-256 of what every rule of the file rests on: part of each rule's version. */
  facts(): string;
  /** The full id of a rule that the file names. */
  idOf(rule: string): string;
}

/** A path that stands in a rule or in an unwrapper: its context has what the path reads. */
export type ReadPath = Omit<CompiledPath, "get"> & { get: Getter & ItemGetter };

/** A place of a rule file. What is written there and means nothing is reported, and gives undefined. */
export class Spot {
  readonly file: FileScope;
  readonly at: readonly (string | number)[];
  readonly scope: PathScope;

  constructor(file: FileScope, at: Spot["at"], scope?: PathScope) {
    this.file = file;
    this.at = at;
    this.scope = scope ?? { ...nothing, contracts: file.contracts, abi: file.abi };
  }

  in(...steps: (string | number)[]): Spot {
    return new Spot(this.file, [...this.at, ...steps], this.scope);
  }

  /** The same place, where other paths may stand. */
  reading(scope: Partial<PathScope>): Spot {
    return new Spot(this.file, this.at, { ...this.scope, ...scope });
  }

  /** What comes of each entry, whether a list is written here or one alone. */
  each<T, R>(written: T | T[] | undefined, compile: (spot: Spot, one: T) => R | readonly R[] | undefined): R[] {
    const list = written === undefined ? [] : Array.isArray(written) ? written : [written];
    return list.flatMap((one, i) => compile(Array.isArray(written) ? this.in(i) : this, one) ?? []);
  }

  report(code: string, message: string, options?: ReportOptions): undefined {
    return this.file.reporter.report(code, this.at, this.file.help?.inFull(message) ?? message, options);
  }

  /** Reports a name that is none of those that may stand here. */
  unknown(code: string, name: string, problem: string, known: Iterable<string>): undefined {
    return this.report(code, `\`${name}\` ${problem}`, { suggest: this.closest({ word: name, known: [...known] }) });
  }

  /** Works out what was meant, once it is told: attempts try much that may not resolve. */
  closest(mistyped: Mistyped | undefined): (() => string | undefined) | undefined {
    return mistyped && (() => this.file.help?.closest(mistyped.word, mistyped.known));
  }

  event(name: string): EventItem | undefined {
    const item = this.#item(name);
    if (item === undefined || item.kind === "event") return item;
    return this.report("RL302", `\`${name}\` is a ${item.kind}, an event was expected`);
  }

  /** A function of that name, or a step of a program. */
  call(name: string): FunctionItem | undefined {
    const item = this.#item(name);
    if (item?.kind !== "event") return item;
    return this.report("RL302", `\`${name}\` is an event, a function was expected`);
  }

  message(name: string): MessageItem | undefined {
    const { messages, abi } = this.file;
    const item = abi.get(name);
    if (item !== undefined) return this.report("RL302", `\`${name}\` is a ${item.kind}, a message was expected`);
    return this.#isStated(name) ? messages.get(name) : this.unknown("RL302", name, absent, messages.keys());
  }

  #isStated(name: string): boolean {
    return Object.hasOwn(this.file.document.abi ?? {}, name);
  }

  #item(name: string): AbiItem | undefined {
    const { abi, messages } = this.file;
    if (messages.has(name)) return this.report("RL302", `\`${name}\` is a message here`);
    // An item that does not parse is reported where it stands.
    return this.#isStated(name) ? abi.get(name) : this.unknown("RL302", name, absent, abi.keys());
  }

  /** The place of an argument of that name, of any kind or of the given one. */
  argument(item: AbiItem, name: string, kind?: AbiType["kind"]): number | undefined {
    const { names, items } = item.inputs;
    const index = names.indexOf(name);
    if (index >= 0 && (kind === undefined || items[index]?.kind === kind)) return index;
    const what = kind === undefined ? "" : ` ${kind}`;
    return this.unknown("RL303", name, `is not${what} among the arguments of \`${item.name}\``, index < 0 ? names : []);
  }

  /** Where an argument of that kind, or of any, stands, or a member of a struct among them: `details.token`. */
  member(item: AbiItem, inside: TupleType, name: string, kind?: AbiType["kind"]) {
    const path: number[] = [];
    let type: AbiType = inside;
    for (const step of name.split(".")) {
      const names: readonly string[] = type.kind === "tuple" ? type.names : [];
      const index = names.indexOf(step);
      if (type.kind !== "tuple" || index < 0)
        return this.unknown("RL303", step, `is not among the arguments of \`${item.name}\``, names);
      path.push(index);
      type = type.items[index] as AbiType;
    }
    if (kind === undefined || type.kind === kind) return { path, type };
    return this.report("RL303", `\`${name}\` is not ${kind} among the arguments of \`${item.name}\``);
  }

  contracts(role: string): Address[] | undefined {
    const { contracts } = this.file;
    return contracts.get(role) ?? this.unknown("RL302", role, "is no contract role of this file", contracts.keys());
  }

  /** An address that is written out; undefined where the text is none, which is no mistake. A wrong EIP-55 checksum is one. */
  address(text: unknown): Address | undefined {
    const address = readAddress(text);
    if (address !== undefined && this.file.reporter.checked !== true && checksum(address) !== text)
      this.report("RL205", `\`${text}\` has a wrong EIP-55 checksum`, { suggest: checksum(address) });
    return address;
  }

  /** A path of one of these types. A missing one is no mistake. */
  path(text: unknown, types: readonly PathType[]): ReadPath | undefined {
    if (typeof text !== "string") return undefined;
    try {
      const path = compilePath(text, this.scope);
      if (types.includes(path.type)) return path as unknown as ReadPath;
      return this.report("RL304", `\`${text}\` is ${path.type}, ${types.join(" or ")} was expected`);
    } catch (error) {
      if (!(error instanceof PathMistake)) throw error;
      return this.report("RL303", error.message, { suggest: this.closest(error.mistyped) });
    }
  }

  /** What reads the path of {@link path}. */
  getter(text: unknown, ...types: PathType[]): ReadPath["get"] | undefined {
    return this.path(text, types)?.get;
  }
}

const absent = "is not in this file's abi";

const nothing: Omit<PathScope, "contracts" | "abi"> = { args: null, input: null, item: null, legs: [], anchor: "none" };
