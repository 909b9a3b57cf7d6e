import type { LedgerSettings } from "../../settings/payment-settings.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** Opens the ledger and brings its tables up to date. Rejects with ServiceError `ledger_unavailable`. */
export async function openLedger(place: LedgerSettings): Promise<Ledger> {
  return createLedger("databaseUrl" in place ? await openPostgres(place.databaseUrl) : openSqlite(place.dataDir));
}
