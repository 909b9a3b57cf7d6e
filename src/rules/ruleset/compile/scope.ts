import type { Address } from "../../../kernel/address.ts";
import { canonicalJson, compareText } from "../../../kernel/canonical.ts";
import { digestOf } from "../../../kernel/hash.ts";
import type { Reporter } from "../../documents/reporter.ts";
import type { ContractEntry, RuleDocument } from "../document/rule-document.ts";
import type { MessageCompiler } from "./messages/message-compiler.ts";
import { type FileScope, Spot } from "./spot.ts";

/** The caller adds the members afterwards: they refer to contracts and ABI items. */
export function openScope(
  document: RuleDocument,
  reporter: Reporter,
  { messages, signatures, help }: Pick<FileScope, "signatures" | "help"> & { messages: MessageCompiler | null },
): FileScope {
  const stated: unknown[] = [sortContracts(document.contracts), document.members, document.abi, document.steps];
  if (document.tables !== undefined) stated.push(document.tables);
  let facts: string | undefined;
  const scope: FileScope = {
    document,
    reporter,
    signatures,
    help,
    facts() {
      facts ??= digestOf(canonicalJson(stated));
      return facts;
    },
    contracts: new Map(),
    members: new Map(),
    abi: new Map(),
    messages: new Map(),
    tables: new Map(),
    names: [],
    idOf: (rule) => (rule.includes("/") ? rule : `${document.protocol}/${rule}`),
  };
  for (const [role, entries] of Object.entries(document.contracts ?? {})) {
    const addresses: Address[] = [];
    entries.forEach((entry, i) => {
      const address = new Spot(scope, ["contracts", role, i, "address"]).address(entry.address);
      if (address === undefined) return;
      addresses.push(address);
      scope.names.push({ address, label: entry.label, category: document.protocol });
    });
    scope.contracts.set(role, addresses);
  }
  for (const [name, rows] of Object.entries(document.tables ?? {})) {
    const known = Object.entries(rows).flatMap(([stated, text]): [string, Address][] => {
      const row = new Spot(scope, ["tables", name, stated]);
      const address = row.address(text);
      const key = stated.startsWith("0x") ? row.address(stated) : stated;
      return address === undefined || key === undefined ? [] : [[key, address]];
    });
    scope.tables.set(name, new Map(known));
  }
  readItems(scope, messages);
  return scope;
}

/** Signatures of `abi`, and of errors in `causes`. */
function readItems(scope: FileScope, messages: MessageCompiler | null): void {
  const { document, reporter, signatures, help } = scope;
  const causes = Object.keys(document.causes ?? {}).filter((error) => error.startsWith("error "));
  for (const [name, signature] of [
    ...Object.entries(document.abi ?? {}),
    ...causes.map((error) => [error, error] as const),
  ]) {
    try {
      if (signature.startsWith("message ")) {
        if (messages !== null) scope.messages.set(name, messages.parse(signature));
        continue;
      }
      scope.abi.set(name, signatures.read(signature));
      if (reporter.checked !== true && signatures.mistakeIn(signature) !== undefined) throw new Error("a mistake");
    } catch (error) {
      const { message = "", ...options } = help?.aboutSignature(error, signatures.mistakeIn(signature)) ?? {};
      const key = name === signature;
      reporter.report("RL301", [key ? "causes" : "abi", name], message, { ...options, key });
    }
  }
}

/** Sorts by address: the order in a file has no meaning. */
export function sortContracts(contracts: RuleDocument["contracts"]): RuleDocument["contracts"] {
  const byAddress = (entries: readonly ContractEntry[]) =>
    [...entries].sort((a, b) => compareText(a.address, b.address));
  return contracts && Object.fromEntries(Object.entries(contracts).map(([role, list]) => [role, byAddress(list)]));
}

export function listOf<T>(value: T | T[] | undefined): T[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
