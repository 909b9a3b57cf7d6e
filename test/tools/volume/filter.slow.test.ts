import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { EngineError, loadEngine, openEngine } from "../../../src/engine/engine.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { readConfig } from "../../../src/serve/settings/config.ts";
import type { FilterWork } from "../../../src/tools/volume/block-work.ts";
import { type FilterOptions, runFilter } from "../../../src/tools/volume/filter.ts";
import { offline } from "../../support/main-process.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";
import { recordedLines } from "./filter-process.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-filter-"));
afterAll(() => rmSync(dir, { recursive: true }));

const config = readConfig({ ...offline, RECORDINGS_DIR: join(root, "test/transactions") });
const work: FilterWork = { config, asks: false, evidence: false, threads: 2 };
const engine = openEngine(config);

async function* streamOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

/** Answers lines; `found` are the answers in order. */
async function filter(lines: readonly string[], options: Partial<FilterOptions> = {}) {
  const written: Uint8Array[] = [];
  const done = await runFilter({
    ...{ work, input: streamOf(lines) },
    write: async (bytes) => void written.push(new Uint8Array(bytes)),
    ...options,
  });
  const found = Buffer.concat(written).toString().split("\n").slice(0, -1);
  return { done, found };
}

/** The code of a thread that answers each line with the line in brackets, unless the line tells it to do something else. */
function entryOf(special: string): URL {
  const path = join(dir, `${Math.abs(special.length)}-entry.mjs`);
  writeFileSync(
    path,
    `import { parentPort } from "node:worker_threads";
const waiting = [];
parentPort.on("message", async ({ id, block: { bytes } }) => {
  const lines = Buffer.from(bytes).toString().split("\\n").slice(0, -1);
  ${special}
  const answer = { bytes: Buffer.from(lines.map((line) => "[" + line + "]\\n").join("")), answers: lines.length, failures: 0, recorded: 1 };
  parentPort.postMessage({ what: "answered", id, answer });
});`,
  );
  return pathToFileURL(path);
}

/** A folder with the action types and no rules, which loads very fast. */
function noRulesIn(name: string): string {
  const rules = join(dir, name);
  mkdirSync(rules);
  for (const file of ["actions.yaml", "verbs.yaml"]) copyFileSync(join(root, "rules", file), join(rules, file));
  return rules;
}

describe("the filter", { timeout: 60_000 }, () => {
  it("answers each case by the bytes that the engine makes, in order", async () => {
    const lines = recordedLines(60);
    const { done, found } = await filter([...lines, "", ...lines]);
    const expected = lines.map((line) => JSON.stringify(engine.decide(JSON.parse(line)).explanation));
    expect(found).toEqual([...expected, ...expected]);
    expect(done).toMatchObject({ answers: 120, failures: 0 });
  });

  it("puts an error object with code, line and hash in the place of what cannot be answered", async () => {
    const hash = hashOf(7);
    const good = caseFileOf(hash);
    const { transaction, receipt } = good;
    const rpc = { transaction: { ...transaction, chainId: "0x2105" }, receipt: { ...receipt, blockNumber: "0x1" } };
    const { done, found } = await filter([
      "nonsense",
      "0x12",
      JSON.stringify(good),
      "7",
      JSON.stringify({ ...good, chain_id: 1 }),
      "",
      JSON.stringify({ ...good, receipt: {} }),
      JSON.stringify(rpc),
      JSON.stringify({ ...rpc, receipt: { ...receipt, transactionHash: hashOf(8), blockNumber: "0x1" } }),
      JSON.stringify({ ...good, receipt: { to: null, logs: [] } }),
      JSON.stringify({ transaction }),
      `"${hash}"`,
      JSON.stringify({ tx_hash: hash }),
      "{}",
      "[".repeat(100_000),
    ]);
    const told = found.map((line) => JSON.parse(line));
    expect(told.map(({ error, line, tx_hash }) => [error, line, tx_hash])).toEqual([
      ["invalid_json", 1, null],
      ["invalid_tx_hash", 2, null],
      [undefined, undefined, hash],
      ["invalid_line", 4, null],
      ["wrong_chain", 5, hash],
      ["invalid_case", 7, hash],
      [undefined, undefined, hash],
      ["wrong_transaction", 9, hash],
      ["wrong_transaction", 10, hash],
      ["invalid_receipt", 11, hash],
      ["not_recorded", 12, hash],
      ["not_recorded", 13, hash],
      ["invalid_line", 14, null],
      ["invalid_json", 15, null],
    ]);
    for (const { error, message, retryable } of told.filter((one) => "error" in one)) {
      expect(message, error).toMatch(/\w{3}.*/);
      expect(retryable).toBe(false);
    }
    expect(done).toMatchObject({ answers: 14, failures: 12 });
  });

  it("finds recordings by their hash, and adds the evidence where it is wanted", async () => {
    const line = recordedLines(1)[0] as string;
    const file = JSON.parse(line) as CaseFile;
    const { explanation, evidence } = engine.decide(file);
    const { found } = await filter([file.tx_hash, line], { work: { ...work, evidence: true } });
    const expected = JSON.stringify({ ...explanation, evidence: evidence() });
    expect(found).toEqual([expected, expected]);
  });

  it("loses one line, and no other, to a thread that dies of it", async () => {
    const entry = entryOf('if (lines.includes("die")) process.exit(3);');
    const lines = Array.from({ length: 300 }, (_, i) => (i === 40 || i === 200 ? "die" : `line ${i}`));
    const { done, found } = await filter([lines.join("\n")], { entry });
    expect(found.filter((_, i) => i !== 40 && i !== 200)).toEqual(
      lines.filter((line) => line !== "die").map((line) => `[${line}]`),
    );
    expect([40, 200].map((i) => JSON.parse(found[i] as string))).toMatchObject([
      { error: "internal", line: 41 },
      { error: "internal", line: 201 },
    ]);
    expect(done).toMatchObject({ answers: 300, failures: 2 });
  });

  it("keeps the order though later blocks are done first", async () => {
    const hold =
      'if (lines[0] === "slow" && waiting.push(1)) await new Promise((done) => parentPort.once("message", done));';
    const lines = ["slow", ...Array.from({ length: 40 }, (_, i) => `${i}`)];
    const { found } = await filter(lines, { entry: entryOf(hold), work: { ...work, threads: 2 } });
    expect(found).toEqual(lines.map((line) => `[${line}]`));
  });

  it("reads no further than so many blocks ahead of an output that takes nothing", async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      while (read < 500) yield Buffer.from(`${++read}\n`);
    }
    let seen = 0;
    const { done } = await filter([], {
      entry: entryOf(""),
      input: endless(),
      write: async () => {
        // Many turns of the event loop without a request for more.
        for (let turn = 0; turn < 1_000 && seen === 0; turn++) await immediate();
        seen ||= read;
      },
    });
    expect(seen).toBeLessThan(20);
    expect(done.answers).toBe(500);
  });

  it("works with labels of which there is only a warning", async () => {
    const labels = join(dir, "labels");
    mkdirSync(labels);
    const unused = 'schema: names/v1\nsources: { list: "unverified: told by a user" }\nnames: []\n';
    writeFileSync(join(labels, "names.yaml"), unused);
    const warned = { ...config, rulesDir: [noRulesIn("none")], labelsDir: [labels] };
    expect(loadEngine(warned).diagnostics.map(({ level, code }) => [level, code])).toEqual([["warning", "LB115"]]);
    expect((await filter(["0x"], { work: { ...work, config: warned } })).done).toMatchObject({ answers: 1 });
  });

  it("ends with what is wrong with the rules, with the input and with the output", async () => {
    const rules = noRulesIn("broken");
    writeFileSync(join(rules, "broken.yaml"), "protocol: [\n");
    const broken = { ...work, config: { ...config, rulesDir: [rules] } };
    await expect(filter(["0x"], { work: broken })).rejects.toBeInstanceOf(EngineError);
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("0x\n");
      throw new Error("the disk is gone");
    }
    await expect(filter([], { input: failing() })).rejects.toThrow("the disk is gone");
    const write = () => Promise.reject(new Error("nobody reads"));
    await expect(filter(recordedLines(5), { write })).rejects.toThrow("nobody reads");
  });
});
