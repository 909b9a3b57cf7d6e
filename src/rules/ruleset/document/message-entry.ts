/** Fields of a rule that is anchored on a message. It also has `at`, `where`, `capture` and `does`, like other rules. */
export interface MessageEntry {
  /** A message of `abi`, matched by its EIP-712 type hash. */
  sign: string;
  /** The path of the address that must pass `at`, if it is not the verifying contract. */
  place?: string;
  /** Instead of `at`: the domain of messages that no contract verifies. */
  domain?: { name: string; version?: string };
  /** The rule also stands where the domain names no chain: the verifier takes the signature on every chain. */
  every_chain?: true;
  allows?: SignedRightEntry | SignedRightEntry[];
  gives?: SignedAssetEntry | SignedAssetEntry[];
  gets?: SignedAssetEntry | SignedAssetEntry[];
  /**
   * A list of messages, which another rule of the file is about: that rule says what each of them gives. `one` and `many` are the nouns for
   * counting them.
   */
  parts?: { each: string; rule: string; one: string; many: string };
  empowers?: string | string[];
  carries?: CarriedEntry;
}

/** A call that a message or another call holds. */
export interface CarriedEntry {
  /** Only in rules about calls: the path of an array. The other paths may then start at `item`. */
  each?: string;
  from: string;
  to: string;
  value?: string;
  data: string;
}

export interface RepeatedEntry {
  /** The path of an array, or paths of parallel arrays. The other paths may then start at `item`. */
  each?: string | { zip: Record<string, string> };
  /** JSON Logic. */
  when?: unknown;
}

/** A right that a signature gives. Without `amount` it is over everything that the owner has. */
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
  /** Of several amounts the worst for the signer counts: the largest of what is given, the least of what comes. */
  amount?: string | string[];
  to?: string;
}

/** Whether an entry of `rules:` is about a message. */
export function isMessageEntry<T extends object>(entry: T): entry is T & MessageEntry {
  return "sign" in entry && entry.sign !== undefined;
}
