import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { version } from "../../../src/engine/build-engine.ts";
import type { Explainer } from "../../../src/gather/explain/explain.ts";
import { checksum } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { type Config, readConfig } from "../../../src/serve/settings/config.ts";
import { writeGreeting } from "../../../src/serve/start/greeting.ts";
import { paymentEnv, payTo } from "../../support/payment-env.ts";
import { caseFileOf, explanationOf, hashOf } from "../../support/sample.ts";

/** A system may list the names of a folder in any order. */
vi.mock("node:fs", async (original) => {
  const fs = await original<{ readdirSync: (path: string) => string[] }>();
  return { ...fs, readdirSync: (path: string) => fs.readdirSync(path).reverse() };
});

const free = readConfig({ RECORDINGS_DIR: "" });
const [asset] = explanationOf(hashOf(1)).assets_moved;

/** A folder of recordings. Each has a number and the number of assets that moved, or `partial`, or `broken`. */
function record(cases: Record<number, number | "partial" | "broken">) {
  const recordingsDir = mkdtempSync(join(tmpdir(), "greeting-"));
  writeFileSync(join(recordingsDir, "0000-about.txt"), "");
  for (const [number, kind] of Object.entries(cases)) {
    const text = kind === "broken" ? "{}" : JSON.stringify(caseFileOf(hashOf(Number(number))));
    writeFileSync(join(recordingsDir, `${hashOf(Number(number))}.json`), text);
  }
  const replayed: string[] = [];
  const replay = async ({ tx_hash }: CaseFile) => {
    replayed.push(tx_hash);
    const kind = cases[Number(tx_hash)];
    const count = kind === "partial" ? 5 : Number(kind);
    const assets_moved = Array.from({ length: count }, () => asset as NonNullable<typeof asset>);
    return { explanation: explanationOf(hashOf(1), { assets_moved, partial: kind === "partial" }) };
  };
  const greet = async (config: Partial<Config> = {}) => {
    const text = await writeGreeting({ ...free, recordingsDir, ...config }, 7000, { replay } as unknown as Explainer);
    return text.split("\n");
  };
  return { greet, replayed };
}

const exampleIn = (lines: string[]) => Number(/"tx_hash":"(0x\w+)"/.exec(lines.at(-1) ?? "")?.[1]);

describe("the greeting", () => {
  const open = "Open: nothing is metered or charged (X402_PAY_TO is not set).";

  it("tells where the service is, and no request to try where nothing is recorded", async () => {
    const first = `txgloss ${version} explains Base (8453) transactions on http://127.0.0.1:7000`;
    const lines = [first, open, "MCP clients connect to http://127.0.0.1:7000/mcp"];
    expect(await record({}).greet({ recordingsDir: null, host: "127.0.0.1" })).toEqual(lines);
    expect(await record({}).greet({ host: "127.0.0.1" })).toEqual(lines);
  });

  it.each([
    ["0.0.0.0", "http://127.0.0.1:7000 (and on every other address of this machine: HOST=0.0.0.0)"],
    ["::", "http://[::1]:7000 (and on every other address of this machine: HOST=::)"],
    ["10.0.0.7", "http://10.0.0.7:7000"],
  ])("tells who reaches it on %s", async (host, ending) => {
    const [first] = await record({}).greet({ host });
    expect(first?.split(" transactions on ")[1]).toBe(ending);
  });

  it("tells what is charged, and to whom it goes", async () => {
    const { payments } = readConfig({ ...paymentEnv, FREE_CALLS_PER_DAY: "7" });
    const [, second] = await record({}).greet({ payments });
    expect(second).toBe(
      `Metered: 7 free explanations a day, then x402 payments to ${checksum(payTo as Parameters<typeof checksum>[0])}.`,
    );
  });
});

describe("the request to try", () => {
  it("is the first that is explained in full and moved more than one asset", async () => {
    const { greet, replayed } = record({ 6: 9, 5: 2, 4: 1, 3: "partial", 2: "broken", 1: 0 });
    const lines = await greet({ host: "127.0.0.1" });
    expect(lines.slice(3)).toEqual([
      "Try:",
      `  curl -s http://127.0.0.1:7000/explain -H 'content-type: application/json' -d '{"tx_hash":"${hashOf(5)}"}'`,
    ]);
    expect(replayed.map(Number)).toEqual([1, 3, 4, 5]);
  });

  it("is the first of all where none is good", async () => {
    expect(exampleIn(await record({ 3: 1, 2: "broken" }).greet())).toBe(2);
  });

  it("is looked for among 32", async () => {
    const none = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [i + 1, 1]));
    expect(exampleIn(await record({ ...none, 32: 2 }).greet())).toBe(32);
    expect(exampleIn(await record({ ...none, 32: 1, 33: 2 }).greet())).toBe(1);
  });
});
