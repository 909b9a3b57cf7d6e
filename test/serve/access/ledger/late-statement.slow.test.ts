import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceError } from "../../../../src/kernel/error.ts";
import type { MaybePromise } from "../../../../src/kernel/maybe-promise.ts";
import { SharedCalls } from "../../../../src/serve/access/ledger/calls/shared-calls.ts";
import { type LedgerDatabase, statement } from "../../../../src/serve/access/ledger/database.ts";
import { openDatabase, openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../../support/postgres.ts";

describe.skipIf(findPostgres() === undefined)("calls in PostgreSQL", () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres?.remove(), 60_000);

  it("are given back if their statement arrived after it had failed", async () => {
    const databaseUrl = (await postgres?.createDatabase("late")) as string;
    const database = await openDatabase({ databaseUrl });
    const late = Promise.withResolvers<void>();
    let lost: MaybePromise<unknown>;
    const first: LedgerDatabase["first"] = (asked, ...values) => {
      if (asked !== statement("takeFree")) return database.first(asked, ...values);
      lost = late.promise.then(() => database.first(asked, ...values));
      return Promise.reject(new ServiceError("ledger_unavailable", undefined, { cause: new Error("timeout") }));
    };
    const ledger = await openLedger({ databaseUrl });
    const [readUsed, readPass] = [ledger.readFree, ledger.findPass];
    const calls = new SharedCalls({ database: { ...database, first }, readUsed, readPass });
    await expect(calls.takeFree("client", 1, 5)).rejects.toMatchObject({ code: "ledger_unavailable" });
    expect(await calls.watch()).toBe(0);
    late.resolve();
    await lost;
    expect(await ledger.readFree("client", 1)).toBe(1);
    expect(await calls.watch()).toBe(1);
    expect(await ledger.readFree("client", 1)).toBe(0);
    await calls.close();
    await Promise.all([ledger.close(), database.close()]);
  });
});
