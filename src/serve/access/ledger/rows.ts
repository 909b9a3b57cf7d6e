import type { Row } from "./database.ts";

export type Product = "explain" | "batch" | "pass";

/** `settling`: money may be moving, and the result is not known. */
export type PaymentState = "settling" | "settled" | "failed";

export interface PaymentRow {
  /** `network|asset|payer|nonce` in lower case. It identifies the authorization, whatever its signature. */
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
  /** What is delivered after settling: the body of an explanation, or the terms of a pass; empty for a batch. */
  answer: string;
  openedAt: number;
  closedAt: number | null;
  transaction: string | null;
  reason: string | null;
  /** The newest block that was known when the row was opened; null: the row is older than this column. */
  openedBlock: number | null;
  /** The time at which it was decided for good: the transfer is deep in the chain, or can never happen. */
  confirmedAt: number | null;
  /** How often it was sent, or may have been. 1: only by the process that opened the row. */
  attempts: number;
  /** Counts up while somebody works on it. */
  beat: number;
  /** Our wallets that may have sent it, separated by spaces; `*`: another facilitator was asked. */
  senders: string;
  /** For a pass or a batch: a keyed hash of the client that opened the row; null: the row is older than this column. */
  buyer: string | null;
  /** Of a batch: how many lines it pays for. */
  lines: number | null;
  /** For a pass or a batch that is bound to a secret: the SHA-256 hash of it, in lower case hex. */
  claimKey: string | null;
  /** Unix seconds after which `answer` is dropped, because it tells what somebody pasted; null: it is kept. */
  answerUntil: number | null;
}

/** The state of a payment as callers see it, the same at every replica. docs/charging.md lists the states and transitions. */
export type MachineState = "none" | "settling" | "settled" | "confirmed" | "failed" | "lost";

export function stateOf(row: Pick<PaymentRow, "state" | "confirmedAt"> | undefined): MachineState {
  if (row === undefined) return "none";
  if (row.state === "settled") return row.confirmedAt === null ? "settled" : "confirmed";
  if (row.state === "failed") return row.confirmedAt === null ? "failed" : "lost";
  return "settling";
}

export type NewPayment = Omit<
  PaymentRow,
  "state" | "closedAt" | "transaction" | "reason" | "confirmedAt" | "attempts" | "beat"
>;

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

export type NewPass = Pick<PassRow, "id" | "tokenHash" | "expiresAt" | "callCap">;

/** Converts a row for the rest of the product: names in camel case, amounts as bigint. */
export function readRow<T>({ tx_hash: transaction, amount, ...row }: Row): T {
  const named = Object.entries(row).map(([name, cell]) => [
    name.replace(/_[a-z]/g, (end) => end.slice(1).toUpperCase()),
    cell,
  ]);
  return {
    ...Object.fromEntries(named),
    ...(transaction === undefined ? {} : { transaction }),
    ...(amount === undefined ? {} : { amount: BigInt(amount as number) }),
  } as T;
}
