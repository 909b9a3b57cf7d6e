import { expect, it } from "vitest";
import { findPostgres } from "../../support/postgres.ts";
import { formatReport } from "../world/table.ts";
import { runBulkKills } from "./bulk-kills.ts";
import { openBulkWorld } from "./bulk-world.ts";

/** The short form of `npm run chaos -- bulk`. */
it.skipIf(findPostgres() === undefined)(
  "kills of workers and PostgreSQL lose and double nothing",
  { timeout: 120_000 },
  async () => {
    const world = await openBulkWorld();
    try {
      const report = await runBulkKills(world, { kills: 5, seed: 4, workers: 2, everyMs: 1_500, minutes: 1 });
      const wrong = report.rows.filter((row) => !row.held);
      expect(wrong, formatReport(report)).toEqual([]);
    } finally {
      await world.close();
    }
  },
);
