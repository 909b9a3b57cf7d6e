import type { MessageItem } from "../abi/message.ts";
import type { CompiledRule, Elements, Gate, Getter, HeldCallSource } from "./compiled.ts";

/** A rule about a message to be signed (EIP-712). It never sees a transaction and has its own index. */
export interface MessageRule
  extends Pick<
    CompiledRule,
    "id" | "file" | "version" | "protocol" | "action" | "tier" | "captures" | "does" | "where"
  > {
  message: MessageItem;
  /** Messages in a list, such as orders signed at once: rights and assets of each element; null: of the message. */
  parts: { each: Getter; one: string; many: string } | null;
  place: MessagePlace;
  /** Also where the domain names no chain. */
  everyChain: boolean;
  /** 0 to 3, as `specificity.place`. */
  strength: number;
  /** Only where no other rule fits. */
  yields: boolean;
  allows: readonly SignedRight[];
  /** Leave the signer. */
  gives: readonly SignedAsset[];
  /** Come in return; null without `gets`. */
  gets: readonly SignedAsset[] | null;
  /** Power over the account: delegates, or code that it will run. */
  empowers: readonly Getter[];
  call: HeldCallSource | null;
}

/** The verifying contract, or the domain. `of`: another address that must pass the gate, such as who may spend tokens through Permit2. */
export type MessagePlace =
  | { kind: "contract"; gate: Gate; of: Getter | null }
  | { kind: "named"; name: string; version: string | null };

/** Once, or for each element of an array. */
interface Repeated {
  each: Elements | null;
  when: ((context: Parameters<Getter>[0]) => boolean) | null;
}

export interface SignedRight extends Repeated {
  token: Getter;
  spender: Getter;
  /** null: everything. */
  amount: Getter | null;
  /** The largest number of the type: "unlimited"; null for uint256. */
  endless: bigint | null;
  /** Unix seconds. */
  until: Getter | null;
  /** One NFT, or `all`. */
  id: Getter | "all" | null;
}

export interface SignedAsset extends Repeated {
  token: Getter;
  nft: boolean;
  /** null: any of the collection. */
  id: Getter | null;
  /** Of several bounds the worst for the signer. Empty: one piece. */
  amounts: readonly Getter[];
  /** null: not said. What comes then is the signer's. */
  to: Getter | null;
}
