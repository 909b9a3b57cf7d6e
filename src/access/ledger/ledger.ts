import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
import type { Engine, Row, Step } from "./engine.ts";
import type { PassRow, PaymentRow, PaymentState, PaymentTotal, Product } from "./rows.ts";
import * as sql from "./statements.ts";

/**
 * What was taken, bought and paid. Every method is atomic, between processes too, and rejects with ServiceError
 * `ledger_unavailable` when the store fails. Times are Unix seconds.
 */
export interface Ledger {
  readonly engine: Engine["name"];
  /** Takes one of `cap` free calls of this client's day: how many are used then, or null when none was left. */
  takeFree(client: string, day: number, cap: number): MaybePromise<number | null>;
  giveBackFree(client: string, day: number): MaybePromise<number>;
  readFree(client: string, day: number): MaybePromise<number>;
  dropFreeBefore(day: number): MaybePromise<void>;

  findPass(id: string): MaybePromise<PassRow | undefined>;
  findPassOf(paymentKey: string): MaybePromise<PassRow | undefined>;
  /** Takes one call: how many remain then, or null when the pass has none to give. */
  takePassCall(id: string, now: number): MaybePromise<number | null>;
  giveBackPassCall(id: string): MaybePromise<number>;

  findPayment(key: string): MaybePromise<PaymentRow | undefined>;
  /** Writes the `settling` row that must be on disk before money moves; false when the key is taken. */
  openPayment(payment: NewPayment): MaybePromise<boolean>;
  /** Closes a payment as settled and activates the pass that it bought, both or neither; false when it was closed before. */
  settlePayment(
    key: string,
    settled: { transaction: string; now: number; pass: NewPass | null },
  ): MaybePromise<boolean>;
  failPayment(key: string, failed: { reason: string; now: number }): MaybePromise<void>;
  /** Payments whose outcome is not known, and failed ones whose authorization could still be used. */
  listOpenPayments(range: { openedBefore: number; now: number }): MaybePromise<PaymentRow[]>;

  listPayments(limit: number): MaybePromise<PaymentRow[]>;
  listPasses(limit: number): MaybePromise<PassRow[]>;
  countPayments(): MaybePromise<PaymentTotal[]>;
  ping(): MaybePromise<void>;
  close(): MaybePromise<void>;
}

export type NewPayment = Omit<PaymentRow, "state" | "closedAt" | "transaction" | "reason">;
export type NewPass = Pick<PassRow, "id" | "tokenHash" | "expiresAt" | "callCap">;

/** The ledger over either engine. */
export function createLedger(engine: Engine): Ledger {
  const number = (row: MaybePromise<Row | undefined>, name: string) =>
    andThen(row, (found) => Number(found?.[name] ?? 0));
  const numberOrNull = (row: MaybePromise<Row | undefined>, name: string) =>
    andThen(row, (found) => (found === undefined ? null : Number(found[name])));
  const done = (result: MaybePromise<unknown>) => andThen(result, () => undefined);
  return {
    engine: engine.name,
    takeFree: (client, day, cap) =>
      cap <= 0 ? null : numberOrNull(engine.first(sql.takeFree, client, day, cap), "used"),
    giveBackFree: (client, day) => number(engine.first(sql.giveBackFree, client, day), "used"),
    readFree: (client, day) => number(engine.first(sql.readFree, client, day), "used"),
    dropFreeBefore: (day) => done(engine.first(sql.dropFree, day)),
    findPass: (id) => andThen(engine.first(sql.findPass, id), toPass),
    findPassOf: (key) => andThen(engine.first(sql.findPassOf, key), toPass),
    takePassCall: (id, now) => numberOrNull(engine.first(sql.takePassCall, id, now), "remaining"),
    giveBackPassCall: (id) => number(engine.first(sql.giveBackPassCall, id), "remaining"),
    findPayment: (key) => andThen(engine.first(sql.findPayment, key), toPayment),
    openPayment: (payment) => andThen(engine.first(sql.openPayment, ...cellsOf(payment)), (row) => row !== undefined),
    settlePayment: (key, settled) => andThen(engine.together(settleSteps(key, settled)), (changed) => changed > 0),
    failPayment: (key, { reason, now }) => done(engine.first(sql.failPayment, reason, now, key)),
    listOpenPayments: ({ openedBefore, now }) =>
      andThen(engine.all(sql.listOpen, openedBefore, now), (rows) => rows.map(readPayment)),
    listPayments: (limit) => andThen(engine.all(sql.listPayments, limit), (rows) => rows.map(readPayment)),
    listPasses: (limit) => andThen(engine.all(sql.listPasses, limit), (rows) => rows.map(readPass)),
    countPayments: () => andThen(engine.all(sql.countPayments), (rows) => rows.map(readTotal)),
    ping: () => done(engine.first(sql.ping)),
    close: () => engine.close(),
  };
}

function settleSteps(
  key: string,
  { transaction, now, pass }: { transaction: string; now: number; pass: NewPass | null },
): Step[] {
  const settle: Step = { statement: sql.settlePayment, values: [transaction, now, key] };
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
