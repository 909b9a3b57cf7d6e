import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCommandLine } from "../../../src/tools/cli/command-line.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import { addTransaction, chainFixture, chainMethods } from "../../support/rpc-server-chain.ts";
import { hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";
import { recordedLines, runFilterProcess, runWithInput } from "./filter-process.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-volume-"));
afterAll(() => rmSync(dir, { recursive: true }));

const lines = recordedLines(40);
const input = `${lines.join("\n")}\n`;
/** What one run gives. */
let whole: string;
beforeAll(async () => {
  const { code, stdout, stderr } = await runFilterProcess(["replay", "-"], input);
  expect([code, stderr]).toEqual([0, ""]);
  whole = stdout;
}, 60_000);

const summaries = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).tx_hash);

describe("txgloss replay -", { timeout: 60_000 }, () => {
  it("prints for each line the bytes of replay --json, and says how many have none", async () => {
    expect(summaries(whole)).toEqual(lines.map((line) => JSON.parse(line).tx_hash));
    const path = join(dir, "case.json");
    writeFileSync(path, lines[3] as string);
    const one = await runFilterProcess(["replay", path, "--json"], "");
    expect(whole.split("\n")[3]).toBe(one.stdout.trim());
    const mixed = await runFilterProcess(["replay", "-", "--json", "--threads", "1"], `${lines[3]}\nnonsense\n`);
    expect(mixed).toMatchObject({ code: 0, stderr: "txgloss: 1 of 2 lines are error objects\n" });
    expect(mixed.stdout.split("\n")[0]).toBe(one.stdout.trim());
  });

  it("goes on where an earlier run ended, half a line included", async () => {
    const out = join(dir, "out.ndjson");
    const before = whole.split("\n").slice(0, 17).join("\n");
    writeFileSync(out, before.slice(0, -100));
    const ended = await runFilterProcess(["replay", "-", "--resume", out], input);
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(out, "utf8")).toBe(whole);
    // There is nothing left to do, and nothing is done twice.
    await runFilterProcess(["replay", "-", "--resume", out], input);
    expect(readFileSync(out, "utf8")).toBe(whole);
  });

  it("does not go on with answers to another input", async () => {
    const out = join(dir, "other.ndjson");
    writeFileSync(out, `${whole.split("\n").slice(5, 9).join("\n")}\n`);
    const ended = await runFilterProcess(["replay", "-", "--resume", out], input);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("holds answers to another input");
  });

  it("ends quietly when its reader does", async () => {
    const [node, command] = [process.execPath, join(root, "src/tools/cli/txgloss.ts")];
    const ended = await runWithInput(["sh", "-c", `${node} ${command} replay - | head -n 1`], input.repeat(20));
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toBe(`${whole.split("\n")[0]}\n`);
  });

  it.each([
    [["replay", "-", "--threads", "0"], /--threads expects/],
    [["replay", "x.json", "--resume", "y"], /are for -/],
    [["explain", hashOf(1), "--threads", "2"], /are for -/],
  ])("refuses %j", (args, message) => {
    expect(() => readCommandLine(args)).toThrow(message);
  });
});

describe("txgloss explain -", { timeout: 60_000 }, () => {
  it("asks endpoints about hashes, and answers whoever they do not know in their place", async () => {
    const chain = chainFixture();
    const known = Array.from({ length: 30 }, (_, i) => hashOf(i + 1));
    for (const hash of known) addTransaction(chain, hash);
    const node = await startRpcServer({ methods: chainMethods(chain) });
    const asked = [...known.slice(0, 20), hashOf(999), ...known.slice(20)];
    const more = `${asked.join("\n")}\n${lines[0]}\n`;
    const ended = await runFilterProcess(["explain", "-", "--rpc", node.url], more, { ENDPOINT_SOCKETS: "4" });
    expect(ended).toMatchObject({ code: 0, stderr: "txgloss: 1 of 32 lines are error objects\n" });
    const told = ended.stdout.split("\n").filter(Boolean);
    expect(told.map((line) => JSON.parse(line).tx_hash)).toEqual([...asked, JSON.parse(lines[0] as string).tx_hash]);
    expect(JSON.parse(told[20] as string)).toMatchObject({ error: "transaction_not_found", line: 21, retryable: true });
    expect(told.at(-1)).toBe(whole.split("\n")[0]);
  });
});

const parallel = spawnSync("parallel", ["--version"], { encoding: "utf8" });
const missing =
  parallel.status === 0 && parallel.stdout.startsWith("GNU parallel") ? undefined : "no GNU parallel here";

describe("GNU parallel", { timeout: 60_000 }, () => {
  it.skipIf(missing !== undefined)(
    `runs the filter over parts of an input${missing ? `: ${missing}` : ""}`,
    async () => {
      const filter = `${process.execPath} ${join(root, "src/tools/cli/txgloss.ts")} replay - --threads 1`;
      const ended = await runWithInput(["parallel", "--pipe", "--keep-order", "-N", "20", "-j", "2", filter], input);
      expect(ended).toEqual({ code: 0, stdout: whole, stderr: "" });
    },
  );
});
