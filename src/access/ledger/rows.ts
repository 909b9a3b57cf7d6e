/** What is sold. */
export type Product = "explain" | "pass";

/** `settling`: money may be moving and nobody has seen the outcome. */
export type PaymentState = "settling" | "settled" | "failed";

export interface PaymentRow {
  /** network|asset|payer|nonce, lower case: the authorization, whatever the signature over it looks like. */
  key: string;
  product: Product;
  /** Hash of what was asked for: the same payment answers only the same request. */
  fingerprint: string;
  state: PaymentState;
  payer: string;
  nonce: string;
  payTo: string;
  /** Base units of the token. */
  amount: bigint;
  /** Unix seconds after which the authorization cannot be used any more. */
  validBefore: number;
  /** What is delivered once it is settled: the body for an explanation, the terms for a pass. */
  answer: string;
  openedAt: number;
  closedAt: number | null;
  transaction: string | null;
  /** Why it failed. */
  reason: string | null;
}

export interface PassRow {
  /** The public part of the token. */
  id: string;
  /** SHA-256 of the whole token, hex. */
  tokenHash: string;
  paymentKey: string;
  createdAt: number;
  expiresAt: number;
  callCap: number;
  used: number;
}

export interface PaymentTotal {
  product: Product;
  state: PaymentState;
  payments: number;
  amount: bigint;
}
