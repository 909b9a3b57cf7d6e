import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { ChainCalendar } from "./chain-calendar.ts";
import type { ProxyKind } from "./risk-lookups.ts";

/** Symbol and decimals are checked. */
export interface TokenLabel {
  address: Address;
  symbol: string;
  name: string;
  decimals: number;
  /** Others may imitate its symbol. */
  wellKnown: boolean;
  /** Width of stored allowances below 256 bits; the largest such number is "unlimited". */
  allowanceBits?: number;
  /** A spend of an allowance is a Transfer alone, so each Approval is a grant. */
  silentSpends?: true;
  /** Pool shares have the symbol with a version added: no imitations. */
  versioned?: true;
}

/** A name from labels/ or from the contracts of a rule file. */
export interface NameLabel {
  address: Address;
  label: string;
  category: string;
}

/** How a kind of proxy is recognized, and its code found. Lower-case hex. */
export interface ProxyForm {
  kind: ProxyKind;
  /** How its code begins; `{target}` is the address whose code runs. */
  code?: string;
  /** Storage slot of the target. */
  slot?: Hex;
  /** The slot counts only if the code contains these bytes. */
  contains?: Hex;
  /** The slot counts only below so many bytes of code. */
  shorter_than?: number;
  /**
   * A function that gives the target: of the address in the slot (beacon), or without a slot of the proxy, with the called selector
   * (diamond).
   */
  asks?: string;
  /** A function: whether an account owns the proxy. */
  owner?: string;
}

/** A Chainlink feed, in USD. */
export interface PriceFeed {
  feed: Address;
  /** Seconds; left out: a day. */
  staleAfter?: number;
}

/** Facts of labels/, built once. Lower-case addresses. */
export interface Labels {
  /** 64 hex digits, independent of the order of files and keys. */
  readonly fingerprint: string;
  token(address: string): TokenLabel | undefined;
  name(address: string): NameLabel | undefined;
  /** For a token without another entry whose contract does not answer. */
  decimals(address: string): number | undefined;
  /** In address order. */
  tokens(): readonly TokenLabel[];
  /** In the order in which they are tried. */
  readonly proxies: readonly ProxyForm[];
  /** The look of each character (UTS #39, confusables.txt). */
  readonly confusables: Readonly<Record<string, string>>;
  feed(token: string): PriceFeed | undefined;
  /** Of a set in labels/system.yaml, such as `multicall3`. */
  system(role: string): readonly Address[];
  readonly calendar: ChainCalendar;
  /** By a scheme of labels/chains.yaml: `eip155` `10` and `lz_eid` `30111` are both `OP Mainnet`. */
  chain(scheme: string, id: string): string | undefined;
  /** Whether another address with a label has the same short form. Labels that a tool made itself need not know. */
  looksLabelled?(address: Address): boolean;
  /** How accounts of the chain are written; undefined: in hex. */
  accountForm(chain: string): "base58" | undefined;
}

/** Its name, else a token's symbol. */
export function addressLabel(labels: Pick<Labels, "name" | "token">, address: Address): string | null {
  return labels.name(address)?.label ?? labels.token(address)?.symbol ?? null;
}

export function isLabelled(labels: Pick<Labels, "name" | "token">, address: Address | null | undefined): boolean {
  return address != null && (labels.name(address) !== undefined || labels.token(address) !== undefined);
}
