import type { ProxyForm } from "../../model/label.ts";
import type { ReportOptions } from "../documents/reporter.ts";
import type { DocumentPath, SourceDocument } from "../documents/source-document.ts";
import type { LabelCode } from "./code.ts";

// Entries of label files as written, after the schema accepted them. Field names are those of the YAML.

/** Ids of the file's `sources`. */
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
  /** By id in this scheme. */
  names: Record<string, string>;
}

/** Some chains write accounts in another form. */
export interface AccountsEntry extends Sourced {
  form: "base58";
  /** As in `schemes`. */
  chains: string[];
}

export interface DecimalsEntry extends Sourced {
  decimals: number;
  tokens: string[];
}

/** Moments are texts in UTC, such as `2026-11-05T18:00:00Z`. */
export interface UpgradeEntry extends Sourced {
  name: string;
  activates: string;
}

export interface BlockTimeEntry extends Sourced {
  from_block: number;
  at: string;
  ms: number;
}

export interface DepositEntry extends Sourced {
  name: string;
  from: string;
  to: string;
  selectors: string[];
  since?: string;
}

export interface PrecompileEntry extends Sourced {
  address: string;
  name: string;
  since?: string;
}

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
  /** As in ProxyForm. */
  proxies: Located<ProxyForm & Sourced>[];
  /** Chainlink, USD. */
  feeds: Located<{ token: string; feed: string; stale_after?: number } & Sourced>[];
  upgrades: Located<UpgradeEntry>[];
  block_times: Located<BlockTimeEntry>[];
  gas_caps: Located<{ since: string; gas: number } & Sourced>[];
  deposits: Located<DepositEntry>[];
  predeploys: Located<{ form: string } & Sourced>[];
  precompiles: Located<PrecompileEntry>[];
  /** Of each file, and the ids that its entries use, also those with mistakes. */
  sources: Located<{ defined: Readonly<Record<string, unknown>>; used: ReadonlySet<unknown> }>[];
}

export type Report = (
  entry: Located<unknown>,
  within: DocumentPath,
  code: LabelCode,
  message: string,
  options?: ReportOptions,
) => void;
