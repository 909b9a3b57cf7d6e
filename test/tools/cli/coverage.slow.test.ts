import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { toEventSelector } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FolderReport } from "../../../src/tools/cli/coverage.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";
import { runTxglossHere } from "./txgloss-here.ts";
import { recordingOf } from "./txgloss-process.ts";

const swap = "0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb";
const approval = "0x07389098c3dca7d342158186f4426a926e6f43c0b0f524772f31c311ef42a284";
const stranger = `0x${"57".repeat(20)}`;
const transferOfOwner = toEventSelector("OwnershipTransferred(address,address)");
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

interface Unknown {
  chainId?: number;
  to?: string;
  input?: string;
  topics?: string[];
}

/** A call of a contract that no rule knows, with an event of its own. */
function putUnknown(
  number: number,
  { chainId = 8453, to = stranger, input = "0x12345678", topics = [topic] }: Unknown = {},
): void {
  const file = caseFileOf(hashOf(number));
  const changed = {
    ...file,
    chain_id: chainId,
    transaction: { ...file.transaction, to, input },
    receipt: { ...file.receipt, logs: [{ address: to, topics, data: "0x" }] },
  };
  writeFileSync(join(dir, `${file.tx_hash}.json`), JSON.stringify(changed));
}

describe("txgloss coverage", { timeout: 60_000 }, () => {
  it("prints what is typed, what is partial, and what no rule knows, most cases first", async () => {
    put(swap);
    put(approval);
    putUnknown(1);
    putUnknown(2);
    const { code, stdout, stderr } = await runTxglossHere(["coverage", dir, "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    const report: FolderReport = JSON.parse(stdout);
    expect(report).toMatchObject({ cases: 4, typed: 2, unreadable: [], types: { contract_interaction: 2, swap: 1 } });
    const place = { address: stranger, label: null, signature: null, worth_eth: "0", cases: 2 };
    expect(report.unexplained.slice(0, 2)).toEqual([
      { ...place, selector: "0x12345678", topic0: null, example: hashOf(1) },
      { ...place, selector: null, topic0: topic, example: hashOf(1) },
    ]);
    expect(report.calls.total - report.calls.explained).toBe(2);
    const text = await runTxglossHere(["coverage", dir]);
    expect(text.stdout).toContain("typed      50.0 % (2)");
    expect(text.stdout).toContain(`left over     2  ${stranger}\n`);
    expect(text.stdout).toMatch(/\n +2 {2}call 0x12345678\n +2 {2}event 0x(?:ab){32}\n +in 0x[0-9a-f]{64}\n/);
    expect(text.stdout).toMatch(/\n +rule-lint new <protocol> --tx <one of these transactions> drafts a rule\n$/);
  });

  it("names what some rule file knows, puts called contracts first, and says the same twice", async () => {
    putUnknown(1, { input: `0xf2fde38b${"00".repeat(32)}` });
    putUnknown(2, { to: `0x${"58".repeat(20)}`, topics: [transferOfOwner] });
    putUnknown(3, { to: `0x${"56".repeat(20)}`, input: "0x" });
    const [first, again] = [await runTxglossHere(["coverage", dir]), await runTxglossHere(["coverage", dir])];
    expect(again).toEqual(first);
    const report: FolderReport = JSON.parse((await runTxglossHere(["coverage", dir, "--json"])).stdout);
    expect(report.unexplained.map(({ signature }) => signature)).toContain("transferOwnership(address)");
    const order = report.unexplained.map(({ cases, address }) => `${9 - cases} ${address}`);
    expect(order).toEqual([...order].sort());
    expect(first.stdout).toMatch(/call 0xf2fde38b {2}transferOwnership\(address\)\n/);
    expect(first.stdout).toMatch(/event 0x8be0079c[0-9a-f]{56} {2}OwnershipTransferred\(address,address\)\n/);
  });

  it("counts a transaction once, whatever its file is called", async () => {
    put(swap);
    copyFileSync(recordingOf(swap), join(dir, "copy.json"));
    const { code, stdout, stderr } = await runTxglossHere(["coverage", dir]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`copy.json: the transaction of ${swap}.json once more`),
    ]);
    expect(stdout).toMatch(/^cases +1$/m);
  });

  it("passes over folders and dangling links with such names", async () => {
    put(swap);
    mkdirSync(join(dir, "folder.json"));
    symlinkSync(join(dir, "nowhere"), join(dir, "link.json"));
    writeFileSync(join(dir, "README.md"), "not looked at");
    const { code, stdout, stderr } = await runTxglossHere(["coverage", dir]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/folder\.json: cannot be read \(EISDIR\)\n.*link\.json: cannot be read \(ENOENT\)/),
    ]);
    expect(stdout).toMatch(/^unreadable +2 files$/m);
  });

  it("names files that are no case of this chain, and goes on", async () => {
    put(swap);
    putUnknown(1, { chainId: 1 });
    writeFileSync(join(dir, "notes.json"), "{}");
    writeFileSync(join(dir, "broken.json"), "{");
    const { code, stdout, stderr } = await runTxglossHere(["coverage", dir]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^cases +1$/m);
    expect(stdout).toMatch(/^unreadable +3 files$/m);
    expect(stderr).toContain("notes.json: not a case file");
    expect(stderr).toContain("a case of chain 1, not of 8453");
    expect(stderr.trimEnd().split("\n")).toHaveLength(3);
  });

  it("ends with 2 without a case", async () => {
    const foreign = join(dir, "foreign");
    mkdirSync(foreign);
    writeFileSync(join(foreign, "a.json"), "[]");
    expect((await runTxglossHere(["coverage", foreign])).stderr).toMatch(
      /no case file of chain 8453 in .*; .*a\.json: not a case file/,
    );
    for (const args of [
      ["coverage", foreign],
      ["coverage", dir],
      ["coverage", join(dir, "none")],
      ["coverage"],
      ["coverage", dir, dir],
    ]) {
      const { code, stdout } = await runTxglossHere(args);
      expect([args, code, stdout]).toEqual([args, 2, ""]);
    }
  });

  it("finds the shipped recordings nearly all typed and their value explained", async () => {
    const { stdout } = await runTxglossHere(["coverage", join(root, "test/transactions"), "--json"]);
    const report: FolderReport = JSON.parse(stdout);
    expect(report.unreadable).toEqual([]);
    expect(report.typed / report.cases).toBeGreaterThan(0.93);
    expect(report.movements.explained / report.movements.total).toBeGreaterThan(0.98);
  });
});
