/** What a picture needs beside the explanation. EIP-55 addresses; exact decimal text, in base units where `raw`. */
export interface PictureFacts {
  subject: string;
  /** `target`: null where it created a contract. */
  sender: string;
  target: string | null;
  /** By entry of `assets_moved`. */
  legs: LegFacts[];
  /** Movements without room in `assets_moved`. */
  cut: number;
  /** Of the subject, net; gas paid in tokens included. */
  changes: ChangeFacts[];
  /** At the end, the most important first. */
  grants: GrantFacts[];
  /** Beyond those of `counterparties`. */
  labels: Record<string, string>;
  /** Calls that reverted; the transaction's own where all of it did. */
  failures: FailureFacts[];
  /** Claimed by actions, or unexplained; by position in the receipt. */
  logs: LogFacts[];
}

export interface LegFacts {
  /** In the evidence. */
  movement: number;
  /** Gas of an account-abstraction wrapper. */
  fee: boolean;
  /** Decimals unknown. */
  raw: boolean;
  /** Concluded; no log and no trace shows it. */
  inferred: boolean;
}

/** `untrusted`: anybody could have chosen the text. */
export interface TokenText {
  token: string;
  untrusted: boolean;
  /** null: ether. */
  token_address: string | null;
}

export interface ChangeFacts extends TokenText {
  token_id?: string;
  /** Signed. */
  delta: string;
  raw: boolean;
}

export interface GrantFacts extends TokenText {
  owner: string;
  spender: string;
  /** Over an amount of a token, one NFT, or all of a collection. */
  kind: "amount" | "nft" | "operator";
  /** Only of `amount`. */
  amount: string | null;
  raw: boolean;
  unlimited: boolean;
  /** The protocol that keeps the allowance; null: the token. */
  through: string | null;
  /** ISO 8601 date; null: no end soon. */
  until: string | null;
  /** Perhaps what a spend left of an older allowance. */
  uncertain: boolean;
}

export interface FailureFacts {
  from: string;
  to: string | null;
  /** null for fewer than four bytes. */
  selector: string | null;
  /** null: not known. */
  reason: string | null;
  /** Anybody could have chosen the reason. */
  untrusted: boolean;
}

export interface LogFacts {
  log: number;
  address: string;
  topic0: string | null;
}
