import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { LedgerSettings } from "../../settings/payment-settings.ts";
import { ProcessCalls } from "./calls/process-calls.ts";
import { SharedCalls } from "./calls/shared-calls.ts";
import type { CallCounts } from "./calls/taken-call.ts";
import { type Cell, type LedgerDatabase, statement } from "./database.ts";
import { createPaymentRows } from "./payment-rows.ts";
import { openPostgres } from "./postgres.ts";
import { type PassRow, type PaymentRow, type PaymentTotal, readRow } from "./rows.ts";
import { openSqlite } from "./sqlite.ts";

/** Every method is atomic, also between processes, and rejects with ServiceError `ledger_unavailable`. Times: Unix seconds. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** Tables are brought up to date. Rejects with ServiceError `ledger_unavailable`, or LedgerVersionError. */
export async function openDatabase(place: LedgerSettings): Promise<LedgerDatabase> {
  return "databaseUrl" in place ? openPostgres(place.databaseUrl) : openSqlite(place.dataDir);
}

/** Rejects as openDatabase. */
export async function openLedger(place: LedgerSettings) {
  const database = await openDatabase(place);
  const first = (name: string, ...values: Cell[]) => database.first(statement(name), ...values);
  const one = <T>(name: string, key: string): MaybePromise<T | undefined> =>
    andThen(first(name, key), (row) => row && readRow<T>(row));
  const all = <T>(name: string, ...values: Cell[]): MaybePromise<T[]> =>
    andThen(database.all(statement(name), ...values), (rows) => rows.map(readRow<T>));
  const done = (result: MaybePromise<unknown>): MaybePromise<void> => andThen(result, () => undefined);
  const options = {
    database,
    readUsed: (client: string, day: number) => andThen(first("readFree", client, day), (row) => Number(row?.used ?? 0)),
    readPass: (id: string) => one<PassRow>("findPass", id),
  };
  const calls: CallCounts = database.name === "sqlite" ? new ProcessCalls(options) : new SharedCalls(options);
  return {
    database: database.name,
    // Methods of `calls` are described in calls/taken-call.ts.
    takeFree: (client: string, day: number, cap: number) => calls.takeFree(client, day, cap),
    readFree: (client: string, day: number) => calls.readFree(client, day),
    dropFreeBefore: (day: number) => done(first("dropFree", day)),

    findPass: (id: string) => calls.findPass(id),
    findPassOf: (paymentKey: string) => one<PassRow>("findPassOf", paymentKey),
    /** The token before is unknown from now on. */
    renewPass: (paymentKey: string, tokenHash: string): MaybePromise<PassRow | undefined> =>
      andThen(first("renewPass", tokenHash, paymentKey), (row) => {
        const pass = row && readRow<PassRow>(row);
        if (pass !== undefined) calls.forgetPass(pass.id);
        return pass;
      }),
    takePassCall: (id: string, now: number) => calls.takePassCall(id, now),
    watchCalls: () => calls.watch(),

    ...createPaymentRows(database),

    listPayments: (limit: number) => all<PaymentRow>("listPayments", limit),
    listPasses: (limit: number) => all<PassRow>("listPasses", limit),
    countPayments: () => all<PaymentTotal>("countPayments"),
    /** Fails while it is silent or unwritable. Postgres: by the writes of `watchCalls`. */
    ping(): MaybePromise<void> {
      calls.check();
      return done(first(database.name === "sqlite" ? "touch" : "ping"));
    },
    /** Writes charges, gives back running calls. */
    close: () => andThen(calls.close(), () => database.close()),
  };
}
