import { type Config, ConfigError } from "../../../serve/settings/config.ts";
import type { BulkDatabase } from "../../bulk/queue/database.ts";

/** `needed`: the reason, for the message. Rejects with ConfigError. */
export async function openBulkOf(
  { ledger }: Pick<Config, "ledger">,
  { needed, supervises }: { needed: string; supervises: boolean },
): Promise<BulkDatabase> {
  if (!("databaseUrl" in ledger)) throw new ConfigError([`DATABASE_URL: ${needed}: expected postgres://….`]);
  const { openBulkDatabase } = await import("../../bulk/queue/database.ts").catch(missing);
  return openBulkDatabase(ledger.databaseUrl, { supervises }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`DATABASE_URL: the database cannot be used: ${error.message || error.code}`]);
  });
}

function missing(error: NodeJS.ErrnoException): never {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  throw new ConfigError(["Block ranges need packages that are not installed: npm install pg pg-boss"]);
}
