/** What is sold. */
export type Product = "explain" | "pass";

/** `settling`: money may be moving, and the result is not known. */
export type PaymentState = "settling" | "settled" | "failed";

export interface PaymentRow {
  /** network|asset|payer|nonce in lower case. It names the authorization, whatever signature comes with it. */
  key: string;
  product: Product;
  /** Hash of the request that this payment pays for. */
  fingerprint: string;
  state: PaymentState;
  payer: string;
  nonce: string;
  payTo: string;
  /** Base units of the token. */
  amount: bigint;
  /** Unix seconds after which the authorization cannot be used any more. */
  validBefore: number;
  /** What is delivered after settling: the body of an explanation, or the terms of a pass. */
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
