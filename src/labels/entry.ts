import type { DocumentPath, SourceDocument } from "../documents/source-document.ts";
import type { ProxyForm } from "../model/label.ts";

/** The entries of label files as they are written, after the schema has accepted them. Field names are those of the YAML. */
export interface TokenEntry {
  address: string;
  symbol: string;
  name: string;
  decimals: number;
  well_known: boolean;
  allowance_bits?: number;
  silent_spends?: true;
  versioned?: true;
  source: string | string[];
}

export interface NameEntry {
  address: string;
  label: string;
  category: string;
  source: string | string[];
}

export interface RoleEntry {
  role: string;
  addresses: string[];
  source: string | string[];
}

export interface SchemeEntry {
  scheme: string;
  extends?: string;
  /** Id of a chain in this scheme to its name. */
  names: Record<string, string>;
  source: string | string[];
}

/** How accounts are written on some chains. */
export interface AccountsEntry {
  form: "base58";
  /** Names of chains, as the schemes tell them. */
  chains: string[];
  source: string | string[];
}

/** Tokens of which only the number of decimals is vouched for. */
export interface DecimalsEntry {
  decimals: number;
  tokens: string[];
  source: string | string[];
}

/** Fields as in the facts. */
export interface ProxyEntry extends ProxyForm {
  source: string | string[];
}

/** The Chainlink feed that tells what a token is worth. */
export interface FeedEntry {
  token: string;
  feed: string;
  source: string | string[];
}

/** An entry with the place where it is written. */
export interface Located<T> {
  document: SourceDocument;
  path: DocumentPath;
  value: T;
}

export interface LabelEntries {
  tokens: Located<TokenEntry>[];
  names: Located<NameEntry>[];
  roles: Located<RoleEntry>[];
  schemes: Located<SchemeEntry>[];
  accounts: Located<AccountsEntry>[];
  decimals: Located<DecimalsEntry>[];
  proxies: Located<ProxyEntry>[];
  feeds: Located<FeedEntry>[];
  /** The `sources` of each file, and which of them its entries name, those with mistakes included. */
  sources: Located<{ defined: Readonly<Record<string, unknown>>; used: ReadonlySet<unknown> }>[];
}
