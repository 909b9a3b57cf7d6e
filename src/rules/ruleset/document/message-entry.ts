/** Fields of a rule with `sign`, beside `at`, `where`, `capture` and `does`. */
export interface MessageEntry {
  /** Matched by EIP-712 type hash. */
  sign: string;
  /** Must pass `at`; left out: the verifying contract. */
  place?: string;
  /** Instead of `at`, where no contract verifies. */
  domain?: { name: string; version?: string };
  /** Also where the domain names no chain: the signature counts on every chain. */
  every_chain?: true;
  allows?: SignedRightEntry | SignedRightEntry[];
  gives?: SignedAssetEntry | SignedAssetEntry[];
  gets?: SignedAssetEntry | SignedAssetEntry[];
  /** Messages in a list, each by another rule of the file. `one` and `many`: nouns for the count. */
  parts?: { each: string; rule: string; one: string; many: string };
  empowers?: string | string[];
  carries?: CarriedEntry;
}

/** A call inside a message or another call. */
export interface CarriedEntry {
  /** Rules about calls: the path of an array; other paths may start at `item`. */
  each?: string;
  from: string;
  to: string;
  value?: string;
  data: string;
}

export interface RepeatedEntry {
  /** The path of an array, or of parallel arrays; other paths may start at `item`. */
  each?: string | { zip: Record<string, string> };
  /** JSON Logic. */
  when?: unknown;
}

/** Without `amount`: over everything the owner has. */
export interface SignedRightEntry extends RepeatedEntry {
  token: string;
  spender: string;
  amount?: string;
  until?: string;
  /** Of one NFT, or `all`. */
  id?: string;
}

/** `token` with `amount`, or `nft`. */
export interface SignedAssetEntry extends RepeatedEntry {
  token?: string;
  nft?: string;
  id?: string;
  /** Of several the worst for the signer: the largest given, the least received. */
  amount?: string | string[];
  to?: string;
}

export function isMessageEntry<T extends object>(entry: T): entry is T & MessageEntry {
  return "sign" in entry && entry.sign !== undefined;
}
