import type { Metering } from "../../access/metering.ts";
import type { Client } from "../../access/quota/client-address.ts";
import type { Outcome } from "../outcome.ts";

/** Adds where the client stands to an outcome that the metering had no part in. */
export async function withQuota(
  outcome: Outcome,
  { metering, client }: { metering: Metering; client: Client },
): Promise<Outcome> {
  try {
    return { ...outcome, quota: await metering.quota(client) };
  } catch {
    // The failure is told anyway; most likely it is the ledger's own.
    return outcome;
  }
}
