import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CoverageReport } from "../../src/cli/coverage.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";
import { root } from "../support/shared.ts";
import { recordingOf, runTxgloss } from "./txgloss-process.ts";

const swap = "0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb";
const approval = "0x07389098c3dca7d342158186f4426a926e6f43c0b0f524772f31c311ef42a284";
const stranger = `0x${"57".repeat(20)}`;
const topic = `0x${"ab".repeat(32)}`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "txgloss-coverage-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

function put(hash: string): void {
  const path = recordingOf(hash);
  copyFileSync(path, join(dir, basename(path)));
}

/** A call of a contract that no rule knows, with an event of its own. */
function putUnknown(number: number, chainId = 8453): void {
  const file = caseFileOf(hashOf(number));
  const log = { address: stranger, topics: [topic], data: "0x" };
  const changed = {
    ...file,
    chain_id: chainId,
    transaction: { ...file.transaction, to: stranger, input: "0x12345678" },
    receipt: { ...file.receipt, logs: [log] },
  };
  writeFileSync(join(dir, `${file.tx_hash}.json`), JSON.stringify(changed));
}

describe("txgloss coverage", { timeout: 60_000 }, () => {
  it("prints what is typed, what is partial, and what no rule knows, most cases first", async () => {
    put(swap);
    put(approval);
    putUnknown(1);
    putUnknown(2);
    const { code, stdout, stderr } = await runTxgloss(["coverage", dir, "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    const report: CoverageReport = JSON.parse(stdout);
    expect(report).toMatchObject({ cases: 4, typed: 2, unreadable: [], types: { contract_interaction: 2, swap: 1 } });
    expect(report.unexplained.slice(0, 2)).toEqual([
      { address: stranger, label: null, selector: "0x12345678", topic0: null, cases: 2, example: hashOf(1) },
      { address: stranger, label: null, selector: null, topic0: topic, cases: 2, example: hashOf(1) },
    ]);
    expect(report.calls.total - report.calls.explained).toBe(2);
    const text = await runTxgloss(["coverage", dir]);
    expect(text.stdout).toContain("typed      50.0 % (2)");
    expect(text.stdout).toMatch(new RegExp(`left over  2  ${stranger}  call 0x12345678`));
  });

  it("names files that are no case of this chain, and goes on", async () => {
    put(swap);
    putUnknown(1, 1);
    writeFileSync(join(dir, "notes.json"), "{}");
    writeFileSync(join(dir, "broken.json"), "{");
    const { code, stdout, stderr } = await runTxgloss(["coverage", dir]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^cases +1$/m);
    expect(stdout).toMatch(/^unreadable +3 files$/m);
    expect(stderr).toContain("notes.json is not a case file");
    expect(stderr).toContain("a case of chain 1, not of 8453");
    expect(stderr.trimEnd().split("\n")).toHaveLength(3);
  });

  it("ends with 2 without a case", async () => {
    for (const args of [["coverage", dir], ["coverage", join(dir, "none")], ["coverage"], ["coverage", dir, dir]]) {
      const { code, stdout } = await runTxgloss(args);
      expect([args, code, stdout]).toEqual([args, 2, ""]);
    }
  });

  it("finds the shipped recordings nearly all typed and their value explained", async () => {
    const { stdout } = await runTxgloss(["coverage", join(root, "test/transactions"), "--json"]);
    const report: CoverageReport = JSON.parse(stdout);
    expect(report.unreadable).toEqual([]);
    expect(report.typed / report.cases).toBeGreaterThan(0.94);
    expect(report.movements.explained / report.movements.total).toBeGreaterThan(0.98);
  });
});
