/**
 * What a picture of a transaction needs beside its explanation. Addresses are in their EIP-55 form, as in the explanation; amounts are
 * decimal text, exact, and raw integers where `raw` says so.
 */
export interface PictureFacts {
  /** The account whose act is told. */
  subject: string;
  /** Who signed the transaction, and the contract that it called; null: it created one. */
  sender: string;
  target: string | null;
  /** One for each entry of `assets_moved`, in its order. */
  legs: LegFacts[];
  /** Movements that found no room in `assets_moved`. */
  cut: number;
  /** Net changes of the subject over all movements, gas paid in tokens included. */
  changes: ChangeFacts[];
  /** Rights over tokens that stand when the transaction has ended, those that count most first. */
  grants: GrantFacts[];
  /** Names of accounts, beyond those of `counterparties`. */
  labels: Record<string, string>;
  /** Calls that reverted; the transaction's own where all of it did. */
  failures: FailureFacts[];
  /** The logs that actions rest on and those that nobody explains, by their position in the receipt. */
  logs: LogFacts[];
}

/** What the explanation does not say of a movement. */
export interface LegFacts {
  /** Its number among the movements of the evidence. */
  movement: number;
  /** Gas of an account-abstraction wrapper. */
  fee: boolean;
  /** The token's decimals are unknown. */
  raw: boolean;
  /** No log and no trace shows it: it follows from what else happened. */
  inferred: boolean;
}

/** How a token is named: `untrusted` says that anybody could have chosen the text. */
export interface TokenText {
  token: string;
  untrusted: boolean;
  /** null: native ether. */
  token_address: string | null;
}

/** What an account has more (positive) or less of. */
export interface ChangeFacts extends TokenText {
  token_id?: string;
  /** With its sign. */
  delta: string;
  raw: boolean;
}

export interface GrantFacts extends TokenText {
  owner: string;
  spender: string;
  /** `amount`: so much of a token. `nft`: one NFT. `operator`: all NFTs of a collection. */
  kind: "amount" | "nft" | "operator";
  /** null where it is no amount. */
  amount: string | null;
  raw: boolean;
  unlimited: boolean;
  /** The protocol that keeps the allowance, where that is not the token itself. */
  through: string | null;
  /** ISO 8601 date at which it ends; null where nothing ends it soon. */
  until: string | null;
  /** It may as well be what a spend left of an older allowance. */
  uncertain: boolean;
}

export interface FailureFacts {
  from: string;
  to: string | null;
  /** First four bytes of its calldata; null where there are none. */
  selector: string | null;
  /** In words; null when it is not known. */
  reason: string | null;
  /** Anybody could have chosen the reason. */
  untrusted: boolean;
}

export interface LogFacts {
  log: number;
  address: string;
  topic0: string | null;
}
