import { createHash } from "node:crypto";
import { type AbiItem, type EventItem, type FunctionItem, parseSignature } from "../../abi/signature.ts";
import type { Reporter } from "../../documents/reporter.ts";
import { suggest } from "../../documents/suggest.ts";
import { type Address, checksum, readAddress } from "../../kernel/address.ts";
import { canonicalJson } from "../../kernel/canonical.ts";
import type { NameLabel } from "../../model/label.ts";
import type { CompiledMember, Gate } from "../compiled.ts";
import type { RuleDocument } from "../document/rule-document.ts";

/** The names that one rule file defines: contracts by role, members, ABI items, tables. */
export interface FileScope {
  document: RuleDocument;
  reporter: Reporter;
  contracts: Map<string, Address[]>;
  members: Map<string, CompiledMember>;
  abi: Map<string, AbiItem>;
  /** Addresses by number or address, such as the tokens of a list of reserves, or those of several pools. */
  tables: Map<string, ReadonlyMap<string, Address>>;
  names: NameLabel[];
  /** SHA-256 of what every rule of the file rests on: part of each rule's version. */
  facts(): string;
  /** The full id of a rule that the file names. */
  idOf(rule: string): string;
}

/** Resolves the contracts and ABI items of a file. Members are added by the caller, since they refer to both. */
export function openScope(document: RuleDocument, reporter: Reporter): FileScope {
  const stated: unknown[] = [sortContracts(document.contracts), document.members, document.abi, document.steps];
  if (document.tables !== undefined) stated.push(document.tables);
  let facts: string | undefined;
  const scope: FileScope = {
    document,
    reporter,
    facts() {
      facts ??= createHash("sha256").update(canonicalJson(stated)).digest("hex");
      return facts;
    },
    contracts: new Map(),
    members: new Map(),
    abi: new Map(),
    tables: new Map(),
    names: [],
    idOf: (rule) => (rule.includes("/") ? rule : `${document.protocol}/${rule}`),
  };
  for (const [role, entries] of Object.entries(document.contracts ?? {})) {
    const addresses: Address[] = [];
    entries.forEach((entry, i) => {
      const address = writtenAddress(reporter, entry.address, ["contracts", role, i, "address"]);
      if (address === undefined) return;
      addresses.push(address);
      scope.names.push({ address, label: entry.label, category: document.protocol });
    });
    scope.contracts.set(role, addresses);
  }
  for (const [name, rows] of Object.entries(document.tables ?? {})) {
    const known = Object.entries(rows).flatMap(([stated, text]): [string, Address][] => {
      const address = writtenAddress(reporter, text, ["tables", name, stated]);
      const key = stated.startsWith("0x") ? writtenAddress(reporter, stated, ["tables", name, stated]) : stated;
      return address === undefined || key === undefined ? [] : [[key, address]];
    });
    scope.tables.set(name, new Map(known));
  }
  for (const [name, signature] of Object.entries(document.abi ?? {})) {
    try {
      scope.abi.set(name, parseSignature(signature));
    } catch (error) {
      const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
      reporter.report("RL301", ["abi", name], `the signature does not parse: ${message}`);
    }
  }
  return scope;
}

/** Contracts of each role by address: a file holds them in maps, whose order means nothing. */
export function sortContracts(contracts: RuleDocument["contracts"]): RuleDocument["contracts"] {
  const byAddress = (entries: readonly { address: string; label: string; source: string }[]) =>
    [...entries].sort((a, b) => (a.address < b.address ? -1 : 1));
  return contracts && Object.fromEntries(Object.entries(contracts).map(([role, list]) => [role, byAddress(list)]));
}

/** An address as an author wrote it; undefined when the text is none. Reports a wrong EIP-55 checksum. */
export function writtenAddress(reporter: Reporter, text: string, at: (string | number)[]): Address | undefined {
  const address = readAddress(text);
  if (address !== undefined && reporter.checked !== true && checksum(address) !== text)
    reporter.report("RL205", at, `\`${text}\` has a wrong EIP-55 checksum`, { suggest: checksum(address) });
  return address;
}

/** The event of that name; reports when it is missing or is a function. */
export function eventNamed(scope: FileScope, name: string, path: (string | number)[]): EventItem | undefined {
  const item = itemNamed(scope, name, path);
  if (item === undefined) return undefined;
  if (item.kind !== "event")
    return scope.reporter.report("RL302", path, `\`${name}\` is a ${item.kind}, an event was expected`);
  return item;
}

/** The function of that name; reports when it is missing or is an event. */
export function functionNamed(scope: FileScope, name: string, path: (string | number)[]): FunctionItem | undefined {
  const item = itemNamed(scope, name, path);
  if (item === undefined) return undefined;
  if (item.kind === "event")
    return scope.reporter.report("RL302", path, `\`${name}\` is an event, a function was expected`);
  return item;
}

function itemNamed(scope: FileScope, name: string, path: (string | number)[]): AbiItem | undefined {
  const item = scope.abi.get(name);
  if (item === undefined && !Object.hasOwn(scope.document.abi ?? {}, name))
    scope.reporter.report("RL302", path, `\`${name}\` is not in this file's abi`, {
      suggest: suggest(name, [...scope.abi.keys()]),
    });
  return item;
}

/** `a` or `[a, b]` as a list. */
export function listOf<T>(value: T | T[] | undefined): T[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** What `count.<Event>` may name, and whose logs are counted. */
export function countScope(scope: FileScope, gate: Gate) {
  return {
    event: (name: string) => {
      const item = scope.abi.get(name);
      return item?.kind === "event" ? item : undefined;
    },
    names: [...scope.abi.keys()],
    gate,
  };
}
