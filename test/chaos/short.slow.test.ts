import { describe, expect, it } from "vitest";
import { runKills } from "./kill/kill.ts";
import { formatReport } from "./world/table.ts";
import { type LedgerKind, missing, missingPostgres, openWorld } from "./world/world.ts";

/** The short form of `npm run chaos -- kill`: a few kills on each ledger, with blocks at once and every second. */
const size = { kills: 3, payments: 12, customers: 4, blockTimes: [0, 1], minutes: 1, armedMs: 1_000, seed: 12 };

async function kill(ledger: LedgerKind): Promise<void> {
  const world = await openWorld();
  try {
    const report = await runKills(world, { ledger, ...size });
    const wrong = report.rows.filter((row) => !row.held);
    expect(wrong, formatReport(report)).toEqual([]);
  } finally {
    await world.close();
  }
}

describe.skipIf(missing !== undefined)("kills while clients pay", { timeout: 120_000 }, () => {
  it("cost nobody anything, with one replica on SQLite", () => kill("sqlite"));

  it.skipIf(missingPostgres !== undefined)("cost nobody anything, with two replicas on PostgreSQL", () =>
    kill("postgres"),
  );
});
