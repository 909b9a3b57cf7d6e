import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
import type { LedgerDatabase, Row, Write } from "./database.ts";
import type { PassRow, PaymentRow, PaymentState, PaymentTotal, Product } from "./rows.ts";
import * as sql from "./statements.ts";

/**
 * Free calls, passes and payments. Every method is atomic, also between processes, and rejects with ServiceError
 * `ledger_unavailable` when the database fails. Times are Unix seconds.
 */
export interface Ledger {
  readonly database: LedgerDatabase["name"];
  /** Takes one of the client's `cap` free calls of the day. Returns how many are used now; null: none was left. */
  takeFree(client: string, day: number, cap: number): MaybePromise<number | null>;
  giveBackFree(client: string, day: number): MaybePromise<number>;
  readFree(client: string, day: number): MaybePromise<number>;
  dropFreeBefore(day: number): MaybePromise<void>;

  findPass(id: string): MaybePromise<PassRow | undefined>;
  findPassOf(paymentKey: string): MaybePromise<PassRow | undefined>;
  /** Takes one call of the pass. Returns how many are left now; null: there was none. */
  takePassCall(id: string, now: number): MaybePromise<number | null>;
  giveBackPassCall(id: string): MaybePromise<number>;

  findPayment(key: string): MaybePromise<PaymentRow | undefined>;
  /** Writes the `settling` row, which must be on disk before money moves. false: there is a row with this key already. */
  openPayment(payment: NewPayment): MaybePromise<boolean>;
  /** Closes a payment as settled and activates its pass, both or neither. false: it was closed before. */
  settlePayment(
    key: string,
    settled: { transaction: string; now: number; pass: NewPass | null },
  ): MaybePromise<boolean>;
  failPayment(key: string, failed: { reason: string; now: number }): MaybePromise<void>;
  /** Payments that are not closed, and failed ones whose authorization could still be used. */
  listOpenPayments(range: { openedBefore: number; now: number }): MaybePromise<PaymentRow[]>;

  listPayments(limit: number): MaybePromise<PaymentRow[]>;
  listPasses(limit: number): MaybePromise<PassRow[]>;
  countPayments(): MaybePromise<PaymentTotal[]>;
  ping(): MaybePromise<void>;
  close(): MaybePromise<void>;
}

export type NewPayment = Omit<PaymentRow, "state" | "closedAt" | "transaction" | "reason">;
export type NewPass = Pick<PassRow, "id" | "tokenHash" | "expiresAt" | "callCap">;

/** The ledger over one of the two databases. */
export function createLedger(database: LedgerDatabase): Ledger {
  const number = (row: MaybePromise<Row | undefined>, name: string) =>
    andThen(row, (found) => Number(found?.[name] ?? 0));
  const numberOrNull = (row: MaybePromise<Row | undefined>, name: string) =>
    andThen(row, (found) => (found === undefined ? null : Number(found[name])));
  const done = (result: MaybePromise<unknown>) => andThen(result, () => undefined);
  return {
    database: database.name,
    takeFree: (client, day, cap) =>
      cap <= 0 ? null : numberOrNull(database.first(sql.takeFree, client, day, cap), "used"),
    giveBackFree: (client, day) => number(database.first(sql.giveBackFree, client, day), "used"),
    readFree: (client, day) => number(database.first(sql.readFree, client, day), "used"),
    dropFreeBefore: (day) => done(database.first(sql.dropFree, day)),
    findPass: (id) => andThen(database.first(sql.findPass, id), toPass),
    findPassOf: (key) => andThen(database.first(sql.findPassOf, key), toPass),
    takePassCall: (id, now) => numberOrNull(database.first(sql.takePassCall, id, now), "remaining"),
    giveBackPassCall: (id) => number(database.first(sql.giveBackPassCall, id), "remaining"),
    findPayment: (key) => andThen(database.first(sql.findPayment, key), toPayment),
    openPayment: (payment) => andThen(database.first(sql.openPayment, ...cellsOf(payment)), (row) => row !== undefined),
    settlePayment: (key, settled) =>
      andThen(database.inOneTransaction(settleSteps(key, settled)), (changed) => changed > 0),
    failPayment: (key, { reason, now }) => done(database.first(sql.failPayment, reason, now, key)),
    listOpenPayments: ({ openedBefore, now }) =>
      andThen(database.all(sql.listOpen, openedBefore, now), (rows) => rows.map(readPayment)),
    listPayments: (limit) => andThen(database.all(sql.listPayments, limit), (rows) => rows.map(readPayment)),
    listPasses: (limit) => andThen(database.all(sql.listPasses, limit), (rows) => rows.map(readPass)),
    countPayments: () => andThen(database.all(sql.countPayments), (rows) => rows.map(readTotal)),
    ping: () => done(database.first(sql.ping)),
    close: () => database.close(),
  };
}

function settleSteps(
  key: string,
  { transaction, now, pass }: { transaction: string; now: number; pass: NewPass | null },
): Write[] {
  const settle: Write = { statement: sql.settlePayment, values: [transaction, now, key] };
  if (pass === null) return [settle];
  const values = [pass.id, pass.tokenHash, now, pass.expiresAt, pass.callCap, key];
  return [settle, { statement: sql.activatePass, values }];
}

/** In the order of the statement. */
function cellsOf(payment: NewPayment) {
  const { key, product, fingerprint, payer, nonce, payTo, amount, validBefore, answer, openedAt } = payment;
  return [key, product, fingerprint, payer, nonce, payTo, Number(amount), validBefore, answer, openedAt];
}

function toPayment(row: Row | undefined): PaymentRow | undefined {
  return row === undefined ? undefined : readPayment(row);
}

function toPass(row: Row | undefined): PassRow | undefined {
  return row === undefined ? undefined : readPass(row);
}

function readPayment(row: Row): PaymentRow {
  return {
    key: String(row.key),
    product: row.product as Product,
    fingerprint: String(row.fingerprint),
    state: row.state as PaymentState,
    payer: String(row.payer),
    nonce: String(row.nonce),
    payTo: String(row.pay_to),
    amount: BigInt(Number(row.amount)),
    validBefore: Number(row.valid_before),
    answer: String(row.answer),
    openedAt: Number(row.opened_at),
    closedAt: row.closed_at === null ? null : Number(row.closed_at),
    transaction: row.tx_hash === null ? null : String(row.tx_hash),
    reason: row.reason === null ? null : String(row.reason),
  };
}

function readPass(row: Row): PassRow {
  return {
    id: String(row.id),
    tokenHash: String(row.token_hash),
    paymentKey: String(row.payment_key),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    callCap: Number(row.call_cap),
    used: Number(row.used),
  };
}

function readTotal(row: Row): PaymentTotal {
  return {
    product: row.product as Product,
    state: row.state as PaymentState,
    payments: Number(row.payments),
    amount: BigInt(Number(row.amount)),
  };
}
