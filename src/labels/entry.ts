import type { DocumentPath, SourceDocument } from "../documents/source-document.ts";
import type { ProxyForm } from "../model/label.ts";

// The entries of label files as they are written, after the schema has accepted them. Field names are those of the YAML.

/** `source`: ids of the file's `sources`. */
interface Sourced {
  source: string | string[];
}

export interface TokenEntry extends Sourced {
  address: string;
  symbol: string;
  name: string;
  decimals: number;
  well_known: boolean;
  allowance_bits?: number;
  silent_spends?: true;
  versioned?: true;
}

export interface RoleEntry extends Sourced {
  role: string;
  addresses: string[];
}

export interface SchemeEntry extends Sourced {
  scheme: string;
  extends?: string;
  /** Id of a chain in this scheme to its name. */
  names: Record<string, string>;
}

/** How accounts are written on some chains. */
export interface AccountsEntry extends Sourced {
  form: "base58";
  /** Names of chains, as the schemes tell them. */
  chains: string[];
}

/** Tokens of which only the number of decimals is vouched for. */
export interface DecimalsEntry extends Sourced {
  decimals: number;
  tokens: string[];
}

/** An entry with the place where it is written. */
export interface Located<T> {
  document: SourceDocument;
  path: DocumentPath;
  value: T;
}

export interface LabelEntries {
  tokens: Located<TokenEntry>[];
  names: Located<{ address: string; label: string; category: string } & Sourced>[];
  roles: Located<RoleEntry>[];
  schemes: Located<SchemeEntry>[];
  accounts: Located<AccountsEntry>[];
  decimals: Located<DecimalsEntry>[];
  /** Fields as in the facts. */
  proxies: Located<ProxyForm & Sourced>[];
  /** The Chainlink feed that tells what a token is worth. */
  feeds: Located<{ token: string; feed: string } & Sourced>[];
  /** The `sources` of each file, and which of them its entries name, those with mistakes included. */
  sources: Located<{ defined: Readonly<Record<string, unknown>>; used: ReadonlySet<unknown> }>[];
}
