import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import { type Cell, type LedgerDatabase, type Row, statement, type Write } from "./database.ts";
import { type NewPass, type NewPayment, type PaymentRow, readRow } from "./rows.ts";

/** The rows of payments. Each change of state is one guarded statement: docs/charging.md lists them. */
export function createPaymentRows(database: LedgerDatabase) {
  const first = (name: string, ...values: Cell[]) => database.first(statement(name), ...values);
  const all = (name: string, ...values: Cell[]): MaybePromise<PaymentRow[]> =>
    andThen(database.all(statement(name), ...values), (rows) => rows.map(readRow<PaymentRow>));
  const done = (result: MaybePromise<unknown>): MaybePromise<void> => andThen(result, () => undefined);
  const findLine = (key: string, request: string): MaybePromise<string | null> =>
    andThen(first("findLine", key, request), (row) => (row === undefined ? null : String(row.answer)));
  return {
    findPayment: (key: string) => andThen(first("findPayment", key), (row) => row && readRow<PaymentRow>(row)),
    /**
     * Writes the `settling` row, which must be on disk before money moves. false: there is a row with this key already, or the
     * payer's `balance` does not cover it beside his other payments under way. The payments of one payer are opened one after the
     * other, so that each one counts those before it.
     */
    openPayment: (payment: NewPayment, balance: bigint) =>
      andThen(database.firstInTurn(payment.payer, statement("openPayment"), ...cellsOf(payment, balance)), isThere),
    /** Takes a `settling` payment over. null: somebody works on it since `beat` was read, or it is closed. Else the beat now. */
    takeOver: (key: string, { wallet, beat }: { wallet: string; beat: number }) =>
      andThen(first("takeOver", wallet, wallet, key, beat), (row) => (row === undefined ? null : Number(row.beat))),
    /** Tells the other processes that somebody works on the payment. */
    beat: (key: string) => done(first("beat", key)),
    /** Closes a payment as settled and activates its pass, both or neither. false: it was closed before. */
    settlePayment: (key: string, settled: SettledPayment) =>
      andThen(database.inOneTransaction(settleSteps(key, settled)), (changed) => changed > 0),
    /** The transfer of a settled payment lies deep in the chain. */
    confirmPayment: (key: string, { transaction, now }: { transaction: string; now: number }) =>
      done(first("confirmPayment", transaction, now, key)),
    /** Opens a settled payment again whose transfer is gone. */
    undoPayment: (key: string) => done(first("undoPayment", key)),
    /** Closes a payment that was never sent. false: it may have been sent, or is closed. */
    dropPayment: (key: string, { reason, now }: FailedPayment) =>
      andThen(database.inOneTransaction([step("dropPayment", reason, now, key)]), (changed) => changed > 0),
    /** Closes a payment that the chain can never take, and ends its pass. */
    losePayment: (key: string, { reason, now }: FailedPayment) =>
      done(database.inOneTransaction([step("losePayment", reason, now, now, key), step("endPass", now, now, key)])),
    ...createForgetting((name, ...values) => done(first(name, ...values))),
    /**
     * Buys a line with the credit of a settled payment: once for each request, whoever asks and however often. Gives the answer that
     * the ledger holds for it; null: no credit is left.
     */
    buyLine: (key: string, { request, answer, now }: { request: string; answer: string; now: number }) =>
      andThen(database.inOneTransaction([step("lockPayment", key), step("buyLine", request, answer, now, key)]), () =>
        findLine(key, request),
      ),
    /** The answer that a payment bought; null: it did not buy it. */
    findLine,
    /** The requests whose answers a payment bought. */
    listLines: (key: string): MaybePromise<string[]> =>
      andThen(database.all(statement("listLines"), key), (rows) => rows.map(({ request }) => String(request))),
    /** Whether this payer has a payment that is not closed and was opened at this block or before it. */
    hasOpenPayment: (payer: string, block: number) => andThen(first("hasOpen", payer, block), isThere),
    /**
     * Payments that are not closed and were opened by this block, or are over by `now`, the newest first. Only passes have their `answer`.
     */
    listOpenPayments: (block: number, now = 0) => all("listOpen", block, now),
    /** Settled payments that are not confirmed and were opened at this block or before it, the oldest first. The same of `answer`. */
    listUnconfirmed: (block: number) => all("listUnconfirmed", block),
  };
}

/** What failed is forgotten when nobody needs it any more. Times are Unix seconds. */
function createForgetting(run: (name: string, ...values: Cell[]) => MaybePromise<void>) {
  return {
    /** Drops the answers of failed payments whose authorizations ended within this time. */
    dropAnswers: (from: number, to: number) => run("dropAnswers", from, to),
    /** Deletes payments that were never sent, and whose authorizations ended before this time. */
    dropUnsent: (before: number) => run("dropUnsent", before),
    /** Drops the answers that are to be dropped within this time. */
    dropPasted: (from: number, to: number) => run("dropPasted", from, to),
    /** Writes the answer of a settled payment whose answer was dropped. `until`: when it is dropped again, if it is one of those. */
    giveAnswer: (key: string, answer: string, until: number) => run("giveAnswer", answer, until, key),
  };
}

function isThere(row: Row | undefined): boolean {
  return row !== undefined;
}

export interface SettledPayment {
  transaction: string;
  now: number;
  pass: NewPass | null;
}

export interface FailedPayment {
  reason: string;
  now: number;
}

function step(name: string, ...values: Cell[]): Write {
  return { statement: statement(name), values };
}

function settleSteps(key: string, { transaction, now, pass }: SettledPayment): Write[] {
  const settle = step("settlePayment", transaction, now, key);
  if (pass === null) return [settle];
  const activate = step("activatePass", pass.id, pass.tokenHash, now, pass.expiresAt, pass.callCap, key);
  return [settle, activate, step("revivePass", pass.expiresAt, now, key)];
}

/** In the order of the statement. */
function cellsOf(payment: NewPayment, balance: bigint): Cell[] {
  const { key, product, fingerprint, payer, nonce, payTo, amount, validBefore, answer, openedAt } = payment;
  const left = balance - amount;
  const free = left < Number.MAX_SAFE_INTEGER ? Number(left) : Number.MAX_SAFE_INTEGER;
  const identity = [key, product, fingerprint, payer, nonce, payTo, Number(amount), validBefore, answer, openedAt];
  const { openedBlock, senders, buyer, lines, claimKey, answerUntil } = payment;
  return [...identity, openedBlock, senders, buyer, lines, claimKey, answerUntil, payer, free];
}
