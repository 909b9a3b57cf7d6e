import type { Client } from "../../access/client-address.ts";
import type { Gate } from "../../access/gate.ts";
import type { Outcome } from "../outcome.ts";

/** Adds where the client stands to an outcome that the gate had no part in. */
export async function withStanding(
  outcome: Outcome,
  { gate, client }: { gate: Gate; client: Client },
): Promise<Outcome> {
  try {
    return { ...outcome, standing: await gate.standing(client) };
  } catch {
    // The failure is told anyway; most likely it is the ledger's own.
    return outcome;
  }
}
