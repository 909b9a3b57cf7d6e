import { type Address, checksum, readAddress } from "../../../kernel/address.ts";
import type { NameLabel } from "../../../model/label.ts";
import type { AbiType, TupleType } from "../../abi/abi-type.ts";
import type { MessageItem } from "../../abi/message.ts";
import type { AbiItem, EventItem, FunctionItem, SignatureReader } from "../../abi/signature.ts";
import type { Reporter, ReportOptions } from "../../documents/reporter.ts";
import type { CompiledMember, Getter } from "../compiled.ts";
import type { ItemGetter } from "../compiled-unwrapper.ts";
import type { AuthorHelp } from "../document/author-help.ts";
import type { Say } from "../document/mistakes.ts";
import type { RuleDocument } from "../document/rule-document.ts";
import type { CompiledPath, PathType } from "./paths/fixed-paths.ts";
import { compilePath, type Mistyped, PathMistake, type PathScope } from "./paths/path.ts";

/** What one rule file defines. */
export interface FileScope {
  document: RuleDocument;
  reporter: Reporter;
  signatures: SignatureReader;
  /** null: the file is known to have no mistake. */
  help: AuthorHelp | null;
  contracts: Map<string, Address[]>;
  members: Map<string, CompiledMember>;
  abi: Map<string, AbiItem>;
  /** Apart from `items`: signed, not called or emitted. */
  messages: Map<string, MessageItem>;
  /** Rows map a number or an address to an address, such as the token of a reserve. */
  tables: Map<string, ReadonlyMap<string, Address>>;
  names: NameLabel[];
  /** Keccak-256 of what every rule of the file rests on; a part of each version. */
  facts(): string;
  idOf(rule: string): string;
}

/** Takes either context: it has what the path reads. */
export type ReadPath = Omit<CompiledPath, "get"> & { get: Getter & ItemGetter };

/** A place of a rule file. Its methods report a mistake and give undefined. */
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

  /** With another scope for paths. */
  reading(scope: Partial<PathScope>): Spot {
    return new Spot(this.file, this.at, { ...this.scope, ...scope });
  }

  /** A single entry needs no list. Undefined results are left out. */
  each<T, R>(written: T | T[] | undefined, compile: (spot: Spot, one: T) => R | readonly R[] | undefined): R[] {
    const list = written === undefined ? [] : Array.isArray(written) ? written : [written];
    return list.flatMap((one, i) => compile(Array.isArray(written) ? this.in(i) : this, one) ?? []);
  }

  report(code: string, message: Say, options?: ReportOptions): undefined {
    return this.file.reporter.report(code, this.at, this.file.help?.say(message) ?? code, options);
  }

  /** `known` gives the suggestion. */
  unknown(code: string, name: string, problem: Say, known: Iterable<string>): undefined {
    return this.report(code, (say) => `\`${name}\` ${problem(say)}`, {
      suggest: this.closest({ word: name, known: [...known] }),
    });
  }

  /** Runs only if the mistake is reported: attempts try many names that may not resolve. */
  closest(mistyped: Mistyped | undefined): (() => string | undefined) | undefined {
    return mistyped && (() => this.file.help?.closest(mistyped.word, mistyped.known));
  }

  event(name: string): EventItem | undefined {
    const item = this.#item(name);
    if (item === undefined || item.kind === "event") return item;
    return this.report("RL302", (say) => say.wrongItem(name, item.kind, "an event"));
  }

  call(name: string): FunctionItem | undefined {
    const item = this.#item(name);
    if (item?.kind !== "event") return item;
    return this.report("RL302", (say) => say.wrongItem(name, item.kind, "a function"));
  }

  message(name: string): MessageItem | undefined {
    const { messages, abi } = this.file;
    const item = abi.get(name);
    if (item !== undefined) return this.report("RL302", (say) => say.wrongItem(name, item.kind, "a message"));
    return this.#isStated(name) ? messages.get(name) : this.unknown("RL302", name, absent, messages.keys());
  }

  #isStated(name: string): boolean {
    return Object.hasOwn(this.file.document.abi ?? {}, name);
  }

  #item(name: string): AbiItem | undefined {
    const { abi, messages } = this.file;
    if (messages.has(name)) return this.report("RL302", (say) => say.signedOnly(name));
    // An item that does not parse is reported only once, at its place in `abi`.
    return this.#isStated(name) ? abi.get(name) : this.unknown("RL302", name, absent, abi.keys());
  }

  /** `kind`, if given, must fit. */
  argument(item: AbiItem, name: string, kind?: AbiType["kind"]): number | undefined {
    const { names, items } = item.inputs;
    const index = names.indexOf(name);
    if (index >= 0 && (kind === undefined || items[index]?.kind === kind)) return index;
    return this.unknown("RL303", name, (say) => say.wrongArgument(item.name, kind), index < 0 ? names : []);
  }

  /** `kind`, if given, must fit. */
  member(item: AbiItem, inside: TupleType, name: string, kind?: AbiType["kind"]) {
    const path: number[] = [];
    let type: AbiType = inside;
    for (const step of name.split(".")) {
      const names: readonly string[] = type.kind === "tuple" ? type.names : [];
      const index = names.indexOf(step);
      if (type.kind !== "tuple" || index < 0)
        return this.unknown("RL303", step, (say) => say.wrongArgument(item.name), names);
      path.push(index);
      type = type.items[index] as AbiType;
    }
    if (kind === undefined || type.kind === kind) return { path, type };
    return this.unknown("RL303", name, (say) => say.wrongArgument(item.name, kind), []);
  }

  contracts(role: string): Address[] | undefined {
    const { contracts } = this.file;
    return contracts.get(role) ?? this.unknown("RL302", role, (say) => say.noContractRole(), contracts.keys());
  }

  /** Undefined, without a report, for other text. A wrong EIP-55 checksum is reported. */
  address(text: unknown): Address | undefined {
    const address = readAddress(text);
    if (address !== undefined && this.file.reporter.checked !== true && checksum(address) !== text)
      this.report("RL205", (say) => say.badChecksum(text), { suggest: checksum(address) });
    return address;
  }

  /** Undefined without a report where there is no path. */
  path(text: unknown, types: readonly PathType[]): ReadPath | undefined {
    if (typeof text !== "string") return undefined;
    try {
      const path = compilePath(text, this.scope);
      if (types.includes(path.type)) return path as unknown as ReadPath;
      return this.report("RL304", (say) => say.wrongType(text, path.type, types));
    } catch (error) {
      if (!(error instanceof PathMistake)) throw error;
      return this.report("RL303", error.message, { suggest: this.closest(error.mistyped) });
    }
  }

  /** Of {@link path}. */
  getter(text: unknown, ...types: PathType[]): ReadPath["get"] | undefined {
    return this.path(text, types)?.get;
  }
}

const absent: Say = (say) => say.notInAbi();

const nothing: Omit<PathScope, "contracts" | "abi"> = { args: null, input: null, item: null, legs: [], anchor: "none" };
