import type { MessageItem } from "../abi/message.ts";
import type { CompiledRule, Elements, Gate, Getter, HeldCallSource } from "./compiled.ts";

/** A rule about a message that somebody is asked to sign (EIP-712). It never sees a transaction, and is indexed apart. */
export interface MessageRule
  extends Pick<
    CompiledRule,
    "id" | "file" | "version" | "protocol" | "action" | "tier" | "captures" | "does" | "where"
  > {
  message: MessageItem;
  /** The list whose elements are what the rest of the rule reads, such as orders that are signed at once; null: the message itself. */
  parts: { each: Getter; one: string; many: string } | null;
  place: MessagePlace;
  /** Stands also where the domain names no chain. */
  everyChain: boolean;
  /** How well the place is proven, as `specificity.place` of other rules. */
  strength: number;
  /** Stands only where no other rule does. */
  yields: boolean;
  /** Rights that the signature gives to others. */
  allows: readonly SignedRight[];
  /** Assets that leave the signer. */
  gives: readonly SignedAsset[];
  /** Assets that come in return; null where none are meant to. */
  gets: readonly SignedAsset[] | null;
  /** Whoever gets power over the signer's account: delegates, code that it runs. */
  empowers: readonly Getter[];
  /** The call that the message carries; null where it carries none. */
  call: HeldCallSource | null;
}

/**
 * Which messages a rule admits: by the contract that verifies (`of`: by another address that proves it, such as who may take tokens
 * through Permit2), or by what the domain says where no contract verifies.
 */
export type MessagePlace =
  | { kind: "contract"; gate: Gate; of: Getter | null }
  | { kind: "named"; name: string; version: string | null };

/** What one entry of `allows`, `gives` or `gets` reads: once, or for each element of an array. */
interface Repeated {
  each: Elements | null;
  when: ((context: Parameters<Getter>[0]) => boolean) | null;
}

export interface SignedRight extends Repeated {
  token: Getter;
  spender: Getter;
  /** null: all there is. */
  amount: Getter | null;
  /** The largest number of the amount's type, which means all there is. */
  endless: bigint | null;
  /** Unix seconds. */
  until: Getter | null;
  /** The right is over one NFT, by its id, or over all of the collection. */
  id: Getter | "all" | null;
}

export interface SignedAsset extends Repeated {
  token: Getter;
  nft: boolean;
  /** null: any one of the collection. */
  id: Getter | null;
  /** Of several bounds the worse for the signer counts. None: one. */
  amounts: readonly Getter[];
  /** Who gets it; null: the signer, of what comes. */
  to: Getter | null;
}
