import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import { type Cell, type LedgerDatabase, type Row, statement, type Write } from "./database.ts";
import { type NewPass, type NewPayment, type PaymentRow, readRow } from "./rows.ts";

/** A change of state is one guarded statement (docs/charging.md). */
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
     * The `settling` row, on disk before money moves. false: the key exists, or `balance` does not cover it beside the payer's other
     * payments under way. One after the other for each payer, so that each counts those before.
     */
    openPayment: (payment: NewPayment, balance: bigint) =>
      andThen(database.firstInTurn(payment.payer, statement("openPayment"), ...cellsOf(payment, balance)), isThere),
    /** null: worked on since `beat` was read, or closed. Else the beat now. */
    takeOver: (key: string, { wallet, beat }: { wallet: string; beat: number }) =>
      andThen(first("takeOver", wallet, wallet, key, beat), (row) => (row === undefined ? null : Number(row.beat))),
    /** Somebody works on it. */
    beat: (key: string) => done(first("beat", key)),
    /** With its pass, both or neither. false: closed before. */
    settlePayment: (key: string, settled: SettledPayment) =>
      andThen(database.inOneTransaction(settleSteps(key, settled)), (changed) => changed > 0),
    /** Deep in the chain. */
    confirmPayment: (key: string, { transaction, now }: { transaction: string; now: number }) =>
      done(first("confirmPayment", transaction, now, key)),
    /** Its transfer is gone. */
    undoPayment: (key: string) => done(first("undoPayment", key)),
    /** Never sent. false: perhaps sent, or closed. */
    dropPayment: (key: string, { reason, now }: FailedPayment) =>
      andThen(database.inOneTransaction([step("dropPayment", reason, now, key)]), (changed) => changed > 0),
    /** The chain can never take it; its pass ends. */
    losePayment: (key: string, { reason, now }: FailedPayment) =>
      done(database.inOneTransaction([step("losePayment", reason, now, now, key), step("endPass", now, now, key)])),
    ...createForgetting((name, ...values) => done(first(name, ...values))),
    /** Once for each request, however often asked. The ledger's answer; null: no credit is left. */
    buyLine: (key: string, { request, answer, now }: { request: string; answer: string; now: number }) =>
      andThen(database.inOneTransaction([step("lockPayment", key), step("buyLine", request, answer, now, key)]), () =>
        findLine(key, request),
      ),
    /** null: not bought. */
    findLine,
    listLines: (key: string): MaybePromise<string[]> =>
      andThen(database.all(statement("listLines"), key), (rows) => rows.map(({ request }) => String(request))),
    /** Open since this block or before. */
    hasOpenPayment: (payer: string, block: number) => andThen(first("hasOpen", payer, block), isThere),
    /** Not closed, opened by this block or over by `now`; newest first. `answer` only of passes. */
    listOpenPayments: (block: number, now = 0) => all("listOpen", block, now),
    /** Settled, unconfirmed, opened by this block; oldest first. `answer` as above. */
    listUnconfirmed: (block: number) => all("listUnconfirmed", block),
  };
}

/** Times: Unix seconds. */
function createForgetting(run: (name: string, ...values: Cell[]) => MaybePromise<void>) {
  return {
    /** Of failed payments whose authorization ended in this time. */
    dropAnswers: (from: number, to: number) => run("dropAnswers", from, to),
    /** Whose authorization ended before. */
    dropUnsent: (before: number) => run("dropUnsent", before),
    /** Due in this time. */
    dropPasted: (from: number, to: number) => run("dropPasted", from, to),
    /** Dropped before. `until`: it is dropped again. */
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
