import type { Row } from "./database.ts";

export type Product = "explain" | "batch" | "pass";

/** `settling`: money may be moving; the result is unknown. */
export type PaymentState = "settling" | "settled" | "failed";

export interface PaymentRow {
  /** `network|asset|payer|nonce`, lower case: the authorization, whatever its signature. */
  key: string;
  product: Product;
  /** Hash of the request. */
  fingerprint: string;
  state: PaymentState;
  payer: string;
  nonce: string;
  payTo: string;
  /** Base units. */
  amount: bigint;
  /** Unix seconds: the authorization's end. */
  validBefore: number;
  /** Body of an explanation, terms of a pass, empty for a batch. */
  answer: string;
  openedAt: number;
  closedAt: number | null;
  transaction: string | null;
  reason: string | null;
  /** Newest known at the opening; null: older row. */
  openedBlock: number | null;
  /** Final: deep in the chain, or impossible. */
  confirmedAt: number | null;
  /** How often sent, or perhaps. 1: only by who opened the row. */
  attempts: number;
  /** Signs of life. */
  beat: number;
  /** Our wallets that may have sent it, by blanks; `*`: another facilitator was asked. */
  senders: string;
  /** Pass, batch: keyed hash of the client; null: older row. */
  buyer: string | null;
  /** Of a batch. */
  lines: number | null;
  /** Pass, batch bound to a secret: its SHA-256, lower case hex. */
  claimKey: string | null;
  /** Unix seconds until `answer`, pasted by somebody, is dropped; null: kept. */
  answerUntil: number | null;
}

/** As callers see it, equal at every replica (docs/charging.md). */
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
  /** Public part of the token. */
  id: string;
  /** SHA-256 of the token, hex. */
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

/** Camel case; amounts as bigint. */
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
