import { createLedger, type Ledger } from "./ledger.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** Where the ledger lives: a file of its own, or a database that instances share. */
export type LedgerPlace = { dataDir: string } | { databaseUrl: string };

/** Opens the ledger and brings its tables up to date. Rejects with ServiceError `ledger_unavailable`. */
export async function openLedger(place: LedgerPlace): Promise<Ledger> {
  return createLedger("databaseUrl" in place ? await openPostgres(place.databaseUrl) : openSqlite(place.dataDir));
}
