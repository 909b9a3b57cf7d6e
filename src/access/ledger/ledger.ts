import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
import type { LedgerSettings } from "../../settings/payment-settings.ts";
import { type Cell, type LedgerDatabase, type Row, statement, type Write } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import type { PassRow, PaymentRow, PaymentState, PaymentTotal, Product } from "./rows.ts";
import { openSqlite } from "./sqlite.ts";

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
  const all = <T>(name: string, read: (row: Row) => T, ...values: Cell[]): MaybePromise<T[]> =>
    andThen(database.all(statement(name), ...values), (rows) => rows.map(read));
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

    findPass: (id: string) => andThen(first("findPass", id), (row) => row && readPass(row)),
    findPassOf: (paymentKey: string) => andThen(first("findPassOf", paymentKey), (row) => row && readPass(row)),
    /** Takes one call of the pass. Returns how many are left now; null: there was none. */
    takePassCall: (id: string, now: number) => numberOrNull(first("takePassCall", id, now), "remaining"),
    giveBackPassCall: (id: string) => number(first("giveBackPassCall", id), "remaining"),

    findPayment: (key: string) => andThen(first("findPayment", key), (row) => row && readPayment(row)),
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
      all("listOpen", readPayment, openedBefore, now),

    listPayments: (limit: number) => all("listPayments", readPayment, limit),
    listPasses: (limit: number) => all("listPasses", readPass, limit),
    countPayments: () => all("countPayments", readTotal),
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
