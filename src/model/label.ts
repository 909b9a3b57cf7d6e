import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { ProxyKind } from "./risk-lookups.ts";

/** A token whose symbol and decimals we checked. */
export interface TokenLabel {
  address: Address;
  symbol: string;
  name: string;
  decimals: number;
  /** Well known, so that others may imitate its symbol. */
  wellKnown: boolean;
  /** Bits in which the contract stores allowances, where that is less than 256: its maximum stands for "unlimited". */
  allowanceBits?: number;
  /** A spend is reported by its Transfer alone, so that every Approval is a grant. */
  silentSpends?: true;
  /** Shares in pools of its protocol carry the symbol with a version. */
  versioned?: true;
}

/** A name for an address. Rules' contracts are names too. */
export interface NameLabel {
  address: Address;
  label: string;
  category: string;
}

/** How one kind of proxy shows whose code runs behind it. Hex is lower case. */
export interface ProxyForm {
  kind: ProxyKind;
  /** How its code begins; `{target}` stands for the address whose code runs. */
  code?: string;
  /** The storage slot that holds this address. */
  slot?: Hex;
  /** The slot counts only where the code has these bytes. */
  contains?: Hex;
  /** The slot counts only where the code has fewer bytes. */
  shorter_than?: number;
  /** Function that tells the address: of what stands in the slot; without a slot, of the proxy, given the called selector. */
  asks?: string;
  /** Function that tells whether an account owns the proxy. */
  owner?: string;
}

/** Read-only lookups; built once at start. Addresses are lower case. */
export interface Labels {
  /** The digest of every fact held here (64 hex digits); independent of file and key order. */
  readonly fingerprint: string;
  token(address: string): TokenLabel | undefined;
  name(address: string): NameLabel | undefined;
  /** Decimals of a token that has no other entry, used when its contract does not answer. */
  decimals(address: string): number | undefined;
  /** Every listed token, in address order. */
  tokens(): readonly TokenLabel[];
  /** How proxies are told, in the order in which they are looked for. */
  readonly proxies: readonly ProxyForm[];
  /** What characters look like: UTS #39, confusables.txt. */
  readonly confusables: Readonly<Record<string, string>>;
  /** The Chainlink feed that tells the USD of one token; undefined when there is none. */
  feed(token: string): Address | undefined;
  /** Addresses of a named set of labels/system.yaml, e.g. `multicall3`; empty when there is none. */
  system(role: string): readonly Address[];
  /** Name of a chain by an id of a scheme of labels/chains.yaml, e.g. `eip155` `10` or `lz_eid` `30111`: `OP Mainnet`. */
  chain(scheme: string, id: string): string | undefined;
  /** How accounts of a chain, by its name, are written; undefined: in hex. */
  accountForm(chain: string): "base58" | undefined;
}

/** What labels call an address: its name, else the symbol of a token; null: they do not list it. */
export function addressLabel(labels: Pick<Labels, "name" | "token">, address: Address): string | null {
  return labels.name(address)?.label ?? labels.token(address)?.symbol ?? null;
}

/** Whether labels list an address, as a token or by a name. */
export function isLabelled(labels: Pick<Labels, "name" | "token">, address: Address | null | undefined): boolean {
  return address != null && (labels.name(address) !== undefined || labels.token(address) !== undefined);
}
