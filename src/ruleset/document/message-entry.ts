/** What a rule says that is anchored on a message: beside it stand `at`, `where`, `capture` and `does`, as in other rules. */
export interface MessageEntry {
  /** A message of `abi`, matched by its EIP-712 type hash. */
  sign: string;
  /** The path of the address that `at` admits, where that is not the verifyingContract. */
  place?: string;
  /** Instead of `at`: a domain that no contract verifies. */
  domain?: { name: string; version?: string };
  /** Whoever checks takes a signature whose domain names no chain. */
  every_chain?: true;
  allows?: SignedRightEntry | SignedRightEntry[];
  gives?: SignedAssetEntry | SignedAssetEntry[];
  gets?: SignedAssetEntry | SignedAssetEntry[];
  /** A list of messages that another rule of the file is about: it says what each gives. `one` and `many` are words for them. */
  parts?: { each: string; rule: string; one: string; many: string };
  empowers?: string | string[];
  carries?: CarriedEntry;
}

/** A call that a message or another call holds. */
export interface CarriedEntry {
  /** Of a call: an array; the other paths may then start at `item`. */
  each?: string;
  from: string;
  to: string;
  value?: string;
  data: string;
}

export interface RepeatedEntry {
  /** An array, or parallel ones; the other paths then start at `item`. */
  each?: string | { zip: Record<string, string> };
  /** JSON Logic. */
  when?: unknown;
}

/** A right that a signature gives. Without `amount` over all there is. */
export interface SignedRightEntry extends RepeatedEntry {
  token: string;
  spender: string;
  amount?: string;
  until?: string;
  /** The path of the id of one NFT, or `all`: every one of the collection. */
  id?: string;
}

/** An asset of an order or a payment: `token` with `amount`, or `nft`. */
export interface SignedAssetEntry extends RepeatedEntry {
  token?: string;
  nft?: string;
  id?: string;
  /** Of several the worse for the signer counts: the largest of what is given, the least of what comes. */
  amount?: string | string[];
  to?: string;
}

export function isMessageEntry<T extends object>(entry: T): entry is T & MessageEntry {
  return "sign" in entry && entry.sign !== undefined;
}
