import { afterAll, beforeAll } from "vitest";
import type { LedgerSettings } from "../../../../src/serve/settings/payment-settings.ts";
import { newDirectory } from "../../../support/metered-server.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../../support/postgres.ts";

type NewPlace = () => Promise<LedgerSettings>;

/** Gives each test a new place for its ledger: a new file, or a new database on a PostgreSQL server that runs as long as the tests. */
export function newPlaces(): {
  newFile: NewPlace;
  newDatabase: () => Promise<{ databaseUrl: string }>;
  /** Each store: the name, the function that makes a place, and whether the store is missing on this machine. SQLite alone in `npm test`. */
  stores: [string, NewPlace, boolean][];
  /** Undefined before the tests begin, and where PostgreSQL is not installed. */
  server: () => TestPostgres | undefined;
} {
  let postgres: TestPostgres | undefined;
  let databases = 0;
  const isQuick = process.env.TEST_TIER === "quick";
  beforeAll(async () => {
    if (!isQuick && findPostgres() !== undefined) postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres?.remove(), 60_000);
  const newFile = async () => ({ dataDir: newDirectory() });
  const newDatabase = async () => ({
    databaseUrl: (await postgres?.createDatabase(`ledger_${++databases}`)) as string,
  });
  return {
    newFile,
    newDatabase,
    stores: [
      ["SQLite", newFile, false],
      ...(isQuick ? [] : [["PostgreSQL", newDatabase, findPostgres() === undefined] as [string, NewPlace, boolean]]),
    ],
    server: () => postgres,
  };
}
