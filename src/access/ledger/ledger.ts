import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
import type { LedgerSettings } from "../../settings/payment-settings.ts";
import { type Cell, type LedgerDatabase, type Row, statement, type Write } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

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

/**
 * Free calls, passes and payments. Every method is atomic, also between processes, and rejects with ServiceError
 * `ledger_unavailable` when the database fails. Times are Unix seconds.
 */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

export type NewPayment = Omit<PaymentRow, "state" | "closedAt" | "transaction" | "reason">;
export type NewPass = Pick<PassRow, "id" | "tokenHash" | "expiresAt" | "callCap">;

/** Opens the ledger and brings its tables up to date. Rejects with ServiceError `ledger_unavailable`. */
export async function openLedger(place: LedgerSettings) {
  const database: LedgerDatabase =
    "databaseUrl" in place ? await openPostgres(place.databaseUrl) : openSqlite(place.dataDir);
  const first = (name: string, ...values: Cell[]) => database.first(statement(name), ...values);
  const one = <T>(name: string, key: string): MaybePromise<T | undefined> =>
    andThen(first(name, key), (row) => row && readRow<T>(row));
  const all = <T>(name: string, ...values: Cell[]): MaybePromise<T[]> =>
    andThen(database.all(statement(name), ...values), (rows) => rows.map(readRow<T>));
  const number = (row: MaybePromise<Row | undefined>, name: string) =>
    andThen(row, (found) => Number(found?.[name] ?? 0));
  const numberOrNull = (row: MaybePromise<Row | undefined>, name: string) =>
    andThen(row, (found) => (found === undefined ? null : Number(found[name])));
  const done = (result: MaybePromise<unknown>): MaybePromise<void> => andThen(result, () => undefined);
  return {
    database: database.name,
    /** Takes one of the client's `cap` free calls of the day. Returns how many are used now; null: none was left. */
    takeFree: (client: string, day: number, cap: number): MaybePromise<number | null> =>
      cap <= 0 ? null : numberOrNull(first("takeFree", client, day, cap), "used"),
    giveBackFree: (client: string, day: number) => number(first("giveBackFree", client, day), "used"),
    readFree: (client: string, day: number) => number(first("readFree", client, day), "used"),
    dropFreeBefore: (day: number) => done(first("dropFree", day)),

    findPass: (id: string) => one<PassRow>("findPass", id),
    findPassOf: (paymentKey: string) => one<PassRow>("findPassOf", paymentKey),
    /** Takes one call of the pass. Returns how many are left now; null: there was none. */
    takePassCall: (id: string, now: number) => numberOrNull(first("takePassCall", id, now), "remaining"),
    giveBackPassCall: (id: string) => number(first("giveBackPassCall", id), "remaining"),

    findPayment: (key: string) => one<PaymentRow>("findPayment", key),
    /** Writes the `settling` row, which must be on disk before money moves. false: there is a row with this key already. */
    openPayment: (payment: NewPayment) =>
      andThen(first("openPayment", ...cellsOf(payment)), (row) => row !== undefined),
    /** Closes a payment as settled and activates its pass, both or neither. false: it was closed before. */
    settlePayment: (key: string, settled: Settled) =>
      andThen(database.inOneTransaction(settleSteps(key, settled)), (changed) => changed > 0),
    failPayment: (key: string, { reason, now }: { reason: string; now: number }) =>
      done(first("failPayment", reason, now, key)),
    /** Payments that are not closed, and failed ones whose authorization could still be used. */
    listOpenPayments: ({ openedBefore, now }: { openedBefore: number; now: number }) =>
      all<PaymentRow>("listOpen", openedBefore, now),

    listPayments: (limit: number) => all<PaymentRow>("listPayments", limit),
    listPasses: (limit: number) => all<PassRow>("listPasses", limit),
    countPayments: () => all<PaymentTotal>("countPayments"),
    ping: () => done(first("ping")),
    close: () => database.close(),
  };
}

interface Settled {
  transaction: string;
  now: number;
  pass: NewPass | null;
}

function settleSteps(key: string, { transaction, now, pass }: Settled): Write[] {
  const settle: Write = { statement: statement("settlePayment"), values: [transaction, now, key] };
  if (pass === null) return [settle];
  const values = [pass.id, pass.tokenHash, now, pass.expiresAt, pass.callCap, key];
  return [settle, { statement: statement("activatePass"), values }];
}

/** In the order of the statement. */
function cellsOf(payment: NewPayment) {
  const { key, product, fingerprint, payer, nonce, payTo, amount, validBefore, answer, openedAt } = payment;
  return [key, product, fingerprint, payer, nonce, payTo, Number(amount), validBefore, answer, openedAt];
}

/** A row as the rest of the product knows it: names in camel case, amounts as bigint. */
function readRow<T>({ tx_hash: transaction, amount, ...row }: Row): T {
  const named = Object.entries(row).map(([name, cell]) => [
    name.replace(/_[a-z]/g, (end) => end.slice(1).toUpperCase()),
    cell,
  ]);
  return {
    ...Object.fromEntries(named),
    ...(transaction === undefined ? {} : { transaction }),
    ...(amount === undefined ? {} : { amount: BigInt(amount ?? 0) }),
  } as T;
}
