import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { BulkError } from "../../../src/tools/bulk/bulk-error.ts";
import type { ManifestPart } from "../../../src/tools/bulk/queue/manifest.ts";
import { holdsParts } from "../../../src/tools/cli/coverage.ts";
import { countParts } from "../../../src/tools/cli/volume/part-coverage.ts";
import { hashOf } from "../../support/sample.ts";
import { newFolder, partRow, writePart } from "../bulk/part-files.ts";

const one = toAddress(`0x${"11".repeat(20)}`);
const place = { address: one, selector: "0xffffffff", topic0: null };
const labels = { name: () => undefined, token: () => undefined };

async function measure(dir: string, parts: readonly ManifestPart[]) {
  const told: [number, number][] = [];
  const report = await countParts(dir, parts, {
    engine: { labels } as never,
    progress: (done, total) => told.push([done, total]),
  });
  return { report, told };
}

describe("the coverage of parts", () => {
  const nothing = { cases: 0, unreadable: [], typed: 0, partial: 0, movements: null, calls: null };

  it("counts rows, types and what is unexplained over all parts, and tells which part it reads", async () => {
    const dir = newFolder();
    const parts = [
      await writePart(dir, {
        rows: [
          partRow(1),
          partRow(2, { action_type: "contract_interaction", unexplained: [place], unexplained_eth: "0.5" }),
          partRow(3, { action_type: "unknown", partial: true }),
        ],
      }),
      await writePart(dir, {
        rows: [
          partRow(4, { action_type: "swap", partial: true, unexplained: [place], unexplained_eth: "2" }),
          partRow(5),
        ],
        first: 11,
        format: "parquet",
        attempt: "b",
      }),
    ];
    const { report, told } = await measure(dir, parts);
    expect(report).toEqual({
      ...{ ...nothing, cases: 5, typed: 3, partial: 2 },
      types: { contract_interaction: 1, swap: 1, token_transfer: 2, unknown: 1 },
      unexplained: [{ ...place, label: null, signature: null, cases: 2, worth_eth: "2.5", example: hashOf(2) }],
    });
    expect(Object.keys(report.types)).toEqual(["contract_interaction", "swap", "token_transfer", "unknown"]);
    expect(told).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it("of no part is nothing", async () => {
    expect(await measure(newFolder(), [])).toEqual({ report: { ...nothing, types: {}, unexplained: [] }, told: [] });
  });

  it("ends at a part that is another file", async () => {
    const dir = newFolder();
    const part = await writePart(dir, { rows: [partRow(1)] });
    writeFileSync(join(dir, part.name), "other");
    await expect(measure(dir, [part])).rejects.toBeInstanceOf(BulkError);
  });
});

describe("a folder of parts", () => {
  it("has the mark of who made it", () => {
    const dir = newFolder();
    expect(holdsParts(dir)).toBe(false);
    writeFileSync(join(dir, ".txgloss"), "");
    expect(holdsParts(dir)).toBe(true);
    expect(holdsParts(join(dir, "none"))).toBe(false);
  });
});
