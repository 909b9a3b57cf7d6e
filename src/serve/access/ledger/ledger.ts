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

/**
 * Free calls, passes and payments. Every method is atomic, also between processes, and rejects with ServiceError
 * `ledger_unavailable` when the database fails. Times are Unix seconds.
 */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** Opens the database and brings its tables up to date. Rejects with ServiceError `ledger_unavailable`, or LedgerVersionError. */
export async function openDatabase(place: LedgerSettings): Promise<LedgerDatabase> {
  return "databaseUrl" in place ? openPostgres(place.databaseUrl) : openSqlite(place.dataDir);
}

/** Opens the ledger. Rejects as openDatabase does. */
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
    chargeFree: (client: string, day: number, cap: number) => calls.chargeFree(client, day, cap),
    readFree: (client: string, day: number) => calls.readFree(client, day),
    dropFreeBefore: (day: number) => done(first("dropFree", day)),

    findPass: (id: string) => calls.findPass(id),
    findPassOf: (paymentKey: string) => one<PassRow>("findPassOf", paymentKey),
    /** Gives the pass of a payment another token: the one of before is unknown from now on. */
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
    /**
     * Fails while the database does not answer or cannot be written to. With Postgres, this looks at the writes of `watchCalls`, which run
     * once a second.
     */
    ping(): MaybePromise<void> {
      calls.check();
      return done(first(database.name === "sqlite" ? "touch" : "ping"));
    },
    /** Writes all charges, gives back calls that are still running, and closes the database. */
    close: () => andThen(calls.close(), () => database.close()),
  };
}
