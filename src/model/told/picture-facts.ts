/**
 * What a picture of a transaction needs beside its explanation. Addresses are in EIP-55 form, as in the explanation. Amounts are exact
 * decimal text; where `raw` is true, they are in base units.
 */
export interface PictureFacts {
  /** The account whose act is told. */
  subject: string;
  /** The account that sent the transaction, and the contract that it called; `target` is null where it created one. */
  sender: string;
  target: string | null;
  /** One for each entry of `assets_moved`, in its order. */
  legs: LegFacts[];
  /** How many movements had no room in `assets_moved`. */
  cut: number;
  /** Net changes of the subject over all movements. Gas paid in tokens is included. */
  changes: ChangeFacts[];
  /** Rights over tokens that stand at the end of the transaction, the most important first. */
  grants: GrantFacts[];
  /** Names of accounts, beyond those of `counterparties`. */
  labels: Record<string, string>;
  /** Calls that reverted; the transaction's own call where all of it reverted. */
  failures: FailureFacts[];
  /** Logs that actions claimed and logs that no action explains, by their position in the receipt. */
  logs: LogFacts[];
}

/** Facts about a movement that the explanation does not have. */
export interface LegFacts {
  /** Its number in the evidence. */
  movement: number;
  /** Gas of an account-abstraction wrapper. */
  fee: boolean;
  /** The token's decimals are unknown. */
  raw: boolean;
  /** No log and no trace shows this movement; it was concluded from other facts. */
  inferred: boolean;
}

/** The name of a token. `untrusted`: anybody could have chosen the text. */
export interface TokenText {
  token: string;
  untrusted: boolean;
  /** null: ether. */
  token_address: string | null;
}

/** How much more (positive) or less (negative) of an asset an account has. */
export interface ChangeFacts extends TokenText {
  token_id?: string;
  /** With its sign. */
  delta: string;
  raw: boolean;
}

export interface GrantFacts extends TokenText {
  owner: string;
  spender: string;
  /** `amount`: over an amount of a token. `nft`: over one NFT. `operator`: over all NFTs of a collection. */
  kind: "amount" | "nft" | "operator";
  /** null where `kind` is not `amount`. */
  amount: string | null;
  raw: boolean;
  unlimited: boolean;
  /** The protocol that keeps the allowance; null: the token itself. */
  through: string | null;
  /** ISO 8601 date at which it ends; null where it does not end soon. */
  until: string | null;
  /** It may also be what is left of an older allowance after a spend. */
  uncertain: boolean;
}

export interface FailureFacts {
  from: string;
  to: string | null;
  /** The first four bytes of its calldata; null when it has fewer. */
  selector: string | null;
  /** Why it reverted, in words; null when it is not known. */
  reason: string | null;
  /** Anybody could have chosen the reason. */
  untrusted: boolean;
}

export interface LogFacts {
  log: number;
  address: string;
  topic0: string | null;
}
