import type { MessageItem } from "../abi/message.ts";
import type { CompiledRule, Elements, Gate, Getter, HeldCallSource } from "./compiled.ts";

/** A rule about a message that somebody is asked to sign (EIP-712). It never sees a transaction and has an index of its own. */
export interface MessageRule
  extends Pick<
    CompiledRule,
    "id" | "file" | "version" | "protocol" | "action" | "tier" | "captures" | "does" | "where"
  > {
  message: MessageItem;
  /**
   * A list of messages, such as orders that are signed at once: rights and assets are read from each element. null: they are read from the
   * message itself.
   */
  parts: { each: Getter; one: string; many: string } | null;
  place: MessagePlace;
  /** The rule also stands where the domain names no chain. */
  everyChain: boolean;
  /** How well the place is proven, 0 to 3, as in `specificity.place` of other rules. */
  strength: number;
  /** The rule stands only where no other rule does. */
  yields: boolean;
  /** Rights that the signature gives to others. */
  allows: readonly SignedRight[];
  /** Assets that leave the signer. */
  gives: readonly SignedAsset[];
  /** Assets that come in return; null where the rule has no `gets`. */
  gets: readonly SignedAsset[] | null;
  /** Addresses that get power over the signer's account: delegates, or code that the account will run. */
  empowers: readonly Getter[];
  /** The call that the message carries; null where it carries none. */
  call: HeldCallSource | null;
}

/**
 * Which messages a rule admits: by the contract that verifies them, or by their domain where no contract verifies. `of` reads another
 * address that must pass the gate instead, such as who may take tokens through Permit2.
 */
export type MessagePlace =
  | { kind: "contract"; gate: Gate; of: Getter | null }
  | { kind: "named"; name: string; version: string | null };

/** An entry of `allows`, `gives` or `gets`: it is read once, or for each element of an array. */
interface Repeated {
  each: Elements | null;
  when: ((context: Parameters<Getter>[0]) => boolean) | null;
}

export interface SignedRight extends Repeated {
  token: Getter;
  spender: Getter;
  /** null: everything that the owner has. */
  amount: Getter | null;
  /** The largest number of the amount's type, which means "unlimited"; null for uint256. */
  endless: bigint | null;
  /** When the right ends, in Unix seconds. */
  until: Getter | null;
  /** The id of the one NFT that the right is over, or `all` for the whole collection. */
  id: Getter | "all" | null;
}

export interface SignedAsset extends Repeated {
  token: Getter;
  nft: boolean;
  /** null: any NFT of the collection. */
  id: Getter | null;
  /** The amount. Of several bounds the worst for the signer counts. Empty: one piece. */
  amounts: readonly Getter[];
  /** Who gets the asset; null where the message does not say. An asset that comes then counts as the signer's. */
  to: Getter | null;
}
