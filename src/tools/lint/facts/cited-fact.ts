import { type Address, readAddress } from "../../../kernel/address.ts";
import { listSources } from "../../../rules/documents/citation.ts";
import type { RoleEntry, TokenEntry } from "../../../rules/labels/entry.ts";
import { type LabelFile, openLabelFile } from "../../../rules/labels/load.ts";
import type { LoadedRuleset } from "../../../rules/ruleset/compile-documents.ts";
import type { RuleDocument } from "../../../rules/ruleset/document/rule-document.ts";
import type { LintSources } from "../sources.ts";

export interface CitedFact {
  file: string;
  /** `list`: names of chains, or forms of proxies. `abi`: signatures of a rule file. */
  kind: "contract" | "token" | "name" | "role" | "decimals" | "list" | "abi";
  /** Or the kind of label. */
  role: string;
  /** null: not about an address. */
  address: Address | null;
  label: string;
  sources: readonly string[];
  /** Of the token's contract. */
  symbol?: string;
  decimals?: number;
  /** Must be in the cited file. */
  words?: readonly string[];
  /** For the items of its `abi`. */
  document?: RuleDocument;
}

/** Addresses and signatures of the files that were asked for, in order. */
export function listFacts(loaded: LoadedRuleset, { labels, wanted }: LintSources): CitedFact[] {
  const contracts = loaded.files
    .filter(({ source }) => wanted.has(source.file))
    .flatMap(({ source, written, document }) => [
      ...contractsOf(source.file, document),
      ...abiOf(source.file, written?.abi_source, document),
    ]);
  const labelled = labels.filter(({ path }) => wanted.has(path)).flatMap(labelsOf);
  return [...contracts, ...labelled];
}

function contractsOf(file: string, document: RuleDocument | undefined): CitedFact[] {
  return Object.entries(document?.contracts ?? {}).flatMap(([role, entries]) =>
    entries.flatMap(({ address: text, label, source }): CitedFact[] => {
      const address = readAddress(text);
      return address === undefined || document === undefined
        ? []
        : [{ file, kind: "contract", role, address, label, sources: source, document }];
    }),
  );
}

function abiOf(file: string, source: unknown, document: RuleDocument | undefined): CitedFact[] {
  const sources = listSources(source);
  if (sources.length === 0) return [];
  const words = Object.values(document?.abi ?? {}).flatMap(
    (text) => /^(?:event|function) +(\w+)/.exec(text)?.[1] ?? [],
  );
  return [{ file, kind: "abi", role: "abi", address: null, label: "signatures", sources, words: [...new Set(words)] }];
}

/** Parts with addresses, or lists with sources. */
interface LabelContent {
  sources?: Record<string, unknown>;
  tokens?: TokenEntry[];
  names?: { address: string; label: string; category: string; source: unknown }[];
  roles?: RoleEntry[];
  decimals?: Record<string, DecimalsGroup | DecimalsGroup[]>;
  schemes?: Record<string, { source: unknown }>;
  proxies?: { kind: string; source: unknown }[];
}

interface DecimalsGroup {
  tokens: string[];
  source: unknown;
}

function labelsOf(label: LabelFile): CitedFact[] {
  const file = label.path;
  const value = (openLabelFile(label).value ?? {}) as LabelContent;
  const { sources = {}, tokens = [], names = [], roles = [], decimals = {}, schemes = {}, proxies = [] } = value;
  const cited = (ids: unknown) => listSources(ids).flatMap((id) => listSources(sources[id]));
  const fact = (address: string, ids: unknown, said: Pick<CitedFact, "kind" | "label"> & Partial<CitedFact>) => {
    const known = readAddress(address);
    return known === undefined ? [] : [{ file, role: said.kind, address: known, sources: cited(ids), ...said }];
  };
  const list = (label: string, ids: unknown): CitedFact => {
    return { file, kind: "list", role: "list", address: null, label, sources: cited(ids) };
  };
  return [
    ...tokens.flatMap(({ address, symbol, decimals: places, source }) =>
      fact(address, source, { kind: "token", label: symbol, symbol, decimals: places }),
    ),
    ...names.flatMap(({ address, label, category, source }) =>
      fact(address, source, { kind: "name", label, role: category }),
    ),
    ...roles.flatMap(({ role, addresses, source }) =>
      addresses.flatMap((address) => fact(address, source, { kind: "role", label: role })),
    ),
    ...Object.entries(decimals).flatMap(([places, groups]) =>
      [groups]
        .flat()
        .flatMap(({ tokens: listed, source }) =>
          listed.flatMap((address) =>
            fact(address, source, { kind: "decimals", label: `${places} decimals`, decimals: Number(places) }),
          ),
        ),
    ),
    ...Object.entries(schemes).map(([scheme, { source }]) => list(scheme, source)),
    ...proxies.map(({ kind, source }) => list(kind, source)),
  ];
}
