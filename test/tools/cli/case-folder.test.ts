import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEngine } from "../../../src/engine/engine.ts";
import { CaseFileError } from "../../../src/gather/recordings/case-format.ts";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { measureFolder } from "../../../src/tools/cli/coverage.ts";
import { networkConfig, readOwnCase } from "../../../src/tools/cli/explainer.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";

const swap = "0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb";
const engine = openEngine(readConfig({ RECORDINGS_DIR: "" }));

interface Counted {
  explained: number;
  total: number;
}

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-cases-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

function putCase(dir: string, number: number, more: object = {}): string {
  const path = join(dir, `${hashOf(number)}.json`);
  writeFileSync(path, JSON.stringify({ ...caseFileOf(hashOf(number)), ...more }));
  return path;
}

describe("a case file of ours", () => {
  it("is read as it is", async () => {
    expect(await readOwnCase(putCase(newFolder(), 1))).toEqual(caseFileOf(hashOf(1)));
  });

  it("is of our chain", async () => {
    const path = putCase(newFolder(), 1, { chain_id: 1 });
    await expect(readOwnCase(path)).rejects.toEqual(new UsageError(`${path} is a case of chain 1, not of 8453`));
  });

  it("is no hash", async () => {
    const hash = hashOf(1);
    const message = `${hash} is a hash, and a case file was expected; \`txgloss explain\` takes a hash`;
    await expect(readOwnCase(hash)).rejects.toEqual(new UsageError(message));
  });

  it("is not another file", async () => {
    const path = join(newFolder(), "x.json");
    await expect(readOwnCase(path)).rejects.toMatchObject({ code: "ENOENT" });
    writeFileSync(path, "{}");
    await expect(readOwnCase(path)).rejects.toBeInstanceOf(CaseFileError);
  });
});

describe("the settings for the network", () => {
  it("have no recordings, and the endpoints of the caller where there are any", () => {
    const { rpcUrls } = readConfig();
    expect(networkConfig([])).toEqual({ ...readConfig(), recordingsDir: null });
    expect(networkConfig(["http://a"])).toEqual({ ...readConfig(), recordingsDir: null, rpcUrls: ["http://a"] });
    expect(rpcUrls).not.toEqual(["http://a"]);
  });
});

describe("the coverage of a folder", () => {
  it("counts each transaction once, and names what it cannot read", async () => {
    const dir = newFolder();
    copyFileSync(join(root, "test/transactions", `${swap}.json`), join(dir, "b.json"));
    copyFileSync(join(root, "test/transactions", `${swap}.json`), join(dir, "a.json"));
    const foreign = basename(putCase(dir, 1, { chain_id: 1 }));
    writeFileSync(join(dir, "notes.json"), "{");
    writeFileSync(join(dir, "notes.txt"), "{");
    mkdirSync(join(dir, "x.json"));
    symlinkSync(join(dir, "nowhere"), join(dir, "y.json"));
    const told: [number, number][] = [];
    const { unreadable, movements, calls, ...report } = await measureFolder(dir, engine, (done, all) =>
      told.push([done, all]),
    );
    expect(report).toEqual({ cases: 1, typed: 1, partial: 0, types: { swap: 1 }, unexplained: [] });
    const { completeness } = engine.decide(await readOwnCase(join(dir, "a.json"))).evidence();
    expect({ movements, calls }).toEqual(completeness);
    expect(unreadable).toEqual([
      { file: join(dir, foreign), problem: "a case of chain 1, not of 8453" },
      { file: join(dir, "b.json"), problem: "the transaction of a.json once more" },
      { file: join(dir, "notes.json"), problem: expect.stringMatching(/^not a case file/) },
      { file: join(dir, "x.json"), problem: "cannot be read (EISDIR)" },
      { file: join(dir, "y.json"), problem: "cannot be read (ENOENT)" },
    ]);
    expect(told).toEqual([1, 2, 3, 4, 5, 6].map((done) => [done, 6]));
  });

  it("adds up what is typed, partial and explained of several cases", async () => {
    const dir = newFolder();
    const to = `0x${"57".repeat(20)}`;
    for (const number of [1, 2]) {
      const { transaction, receipt } = caseFileOf(hashOf(number));
      putCase(dir, number, {
        transaction: { ...transaction, to, input: "0x12345678" },
        receipt: { ...receipt, logs: [{ address: to, topics: [`0x${"ab".repeat(32)}`], data: "0x" }] },
      });
    }
    copyFileSync(join(root, "test/transactions", `${swap}.json`), join(dir, "swap.json"));
    const report = await measureFolder(dir, engine);
    const parts: { movements: Counted; calls: Counted; partial: boolean }[] = [];
    for (const name of [`${hashOf(1)}.json`, `${hashOf(2)}.json`, "swap.json"]) {
      const decision = engine.decide(await readOwnCase(join(dir, name)));
      parts.push({ ...decision.evidence().completeness, partial: decision.explanation.partial });
    }
    const sum = (kind: "movements" | "calls", of: "explained" | "total") =>
      parts.reduce((all, part) => all + part[kind][of], 0);
    expect(report).toMatchObject({
      ...{ cases: 3, typed: 1, partial: parts.filter(({ partial }) => partial).length, unreadable: [] },
      types: { contract_interaction: 2, swap: 1 },
      movements: { explained: sum("movements", "explained"), total: sum("movements", "total") },
      calls: { explained: sum("calls", "explained"), total: sum("calls", "total") },
    });
    expect(report.unexplained.map(({ address, cases, example }) => [address, cases, example])).toEqual([
      [to, 2, hashOf(1)],
      [to, 2, hashOf(1)],
    ]);
  });

  it("is told of no folder without a case", async () => {
    const dir = newFolder();
    await expect(measureFolder(dir, engine)).rejects.toEqual(
      new UsageError(`there is no case file of chain 8453 in ${dir}`),
    );
    const path = putCase(dir, 1, { chain_id: 1 });
    await expect(measureFolder(dir, engine)).rejects.toEqual(
      new UsageError(`there is no case file of chain 8453 in ${dir}; ${path}: a case of chain 1, not of 8453`),
    );
  });
});
