import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { ChainCalendar } from "./chain-calendar.ts";
import type { ProxyKind } from "./risk-lookups.ts";

/** A token of labels/, whose symbol and decimals we checked. */
export interface TokenLabel {
  address: Address;
  symbol: string;
  name: string;
  decimals: number;
  /** Well known, so other tokens may imitate its symbol. */
  wellKnown: boolean;
  /** In how many bits the contract stores allowances, where that is less than 256. The largest number of that size means "unlimited". */
  allowanceBits?: number;
  /** The contract reports a spend of an allowance by a Transfer alone. So each of its Approval logs is a grant. */
  silentSpends?: true;
  /** Pool shares of its protocol have the same symbol with a version added, so they are no imitations. */
  versioned?: true;
}

/** A name for an address, from labels/ or from the contracts of a rule file. */
export interface NameLabel {
  address: Address;
  label: string;
  category: string;
}

/** How to recognize one kind of proxy and find the code that runs behind it. Hex is lower case. */
export interface ProxyForm {
  kind: ProxyKind;
  /** The beginning of its code; `{target}` stands for the address whose code runs. */
  code?: string;
  /** The storage slot that holds the target's address. */
  slot?: Hex;
  /** The slot counts only if the proxy's code contains these bytes. */
  contains?: Hex;
  /** The slot counts only if the proxy's code has fewer bytes than this. */
  shorter_than?: number;
  /**
   * A function that gives the target's address. With a slot, it is asked of the address in the slot (a beacon). Without a slot, it is asked
   * of the proxy, with the called selector (a diamond).
   */
  asks?: string;
  /** A function that says whether an account owns the proxy. */
  owner?: string;
}

/** A Chainlink feed for the USD price of a token. */
export interface PriceFeed {
  feed: Address;
  /** Seconds after which a price says nothing. Left out: a day. */
  staleAfter?: number;
}

/** Read-only facts of labels/, built once at start. Addresses are lower case. */
export interface Labels {
  /** Digest of all facts, 64 hex digits. The order of files and keys does not change it. */
  readonly fingerprint: string;
  token(address: string): TokenLabel | undefined;
  name(address: string): NameLabel | undefined;
  /** Decimals of a token without another entry, for when its contract does not answer. */
  decimals(address: string): number | undefined;
  /** Every listed token, in address order. */
  tokens(): readonly TokenLabel[];
  /** Forms of proxies, in the order in which they are tried. */
  readonly proxies: readonly ProxyForm[];
  /** For each character, the one that it looks like (UTS #39, confusables.txt). */
  readonly confusables: Readonly<Record<string, string>>;
  /** The Chainlink feed for the USD price of a token; undefined when there is none. */
  feed(token: string): PriceFeed | undefined;
  /** Addresses of a named set in labels/system.yaml, such as `multicall3`; empty when there is none. */
  system(role: string): readonly Address[];
  /** What holds on the chain since which block. */
  readonly calendar: ChainCalendar;
  /** The name of a chain by its id in a scheme of labels/chains.yaml: `eip155` `10` and `lz_eid` `30111` are both `OP Mainnet`. */
  chain(scheme: string, id: string): string | undefined;
  /** How accounts of the chain with this name are written; undefined: in hex. */
  accountForm(chain: string): "base58" | undefined;
}

/** The label of an address: its name, else a token's symbol; null when labels do not list it. */
export function addressLabel(labels: Pick<Labels, "name" | "token">, address: Address): string | null {
  return labels.name(address)?.label ?? labels.token(address)?.symbol ?? null;
}

/** Whether labels list an address, by a name or as a token. */
export function isLabelled(labels: Pick<Labels, "name" | "token">, address: Address | null | undefined): boolean {
  return address != null && (labels.name(address) !== undefined || labels.token(address) !== undefined);
}
