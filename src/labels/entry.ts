import type { DocumentPath, SourceDocument } from "../documents/source-document.ts";
import type { ProxyForm } from "../model/label.ts";

// Entries of label files as written, after the schema accepted them. Field names are those of the YAML.

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
  /** Names of chains by their id in this scheme. */
  names: Record<string, string>;
}

/** The form in which some chains write accounts. */
export interface AccountsEntry extends Sourced {
  form: "base58";
  /** Names of chains, as in `schemes`. */
  chains: string[];
}

/** Tokens for which only the decimals are listed. */
export interface DecimalsEntry extends Sourced {
  decimals: number;
  tokens: string[];
}

/** An entry with its place in a file. */
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
  /** Fields as in ProxyForm. */
  proxies: Located<ProxyForm & Sourced>[];
  /** Chainlink feeds for the USD price of a token. */
  feeds: Located<{ token: string; feed: string; stale_after?: number } & Sourced>[];
  /** The `sources` of each file, and the ids that its entries use. Entries with mistakes count as well. */
  sources: Located<{ defined: Readonly<Record<string, unknown>>; used: ReadonlySet<unknown> }>[];
}
