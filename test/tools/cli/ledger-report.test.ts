import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Ledger, openLedger } from "../../../src/serve/access/ledger/ledger.ts";
import { ConfigError, readConfig } from "../../../src/serve/settings/config.ts";
import type { CommandOf } from "../../../src/tools/cli/command-line.ts";
import { runLedger } from "../../../src/tools/cli/ledger/ledger.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";
import { payment, rich, sellPass } from "../../serve/access/ledger/sample-payment.ts";
import { newDirectory } from "../../support/metered-server.ts";

type Task = null | "reconcile" | "export" | "import";

/** Runs the command over the ledger of a folder. */
function run(dataDir: string, task: Task = null, { json = false, path = null as string | null } = {}) {
  const config = readConfig({ DATA_DIR: dataDir, RPC_URLS: "http://127.0.0.1:1", RECORDINGS_DIR: "" });
  return runLedger({ name: "ledger", task, path, json } as CommandOf<"ledger">, config);
}

async function fill(dataDir: string, write: (ledger: Ledger) => Promise<void>): Promise<void> {
  const ledger = await openLedger({ dataDir });
  await write(ledger);
  await ledger.close();
}

/** What the command writes to stdout meanwhile. */
function heardOnStdout(): string[] {
  const heard: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    heard.push(String(text));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  return heard;
}

const second = Date.UTC(2026, 0, 31, 12, 59, 58) / 1000;
const dataDir = newDirectory();

beforeAll(() =>
  fill(dataDir, async (ledger) => {
    for (const [i, key] of ["open", "lost", "dropped", "settled"].entries())
      await ledger.openPayment(payment(key, { openedAt: second + 60 * i, amount: BigInt(i + 1) * 10_000n }), rich);
    await ledger.losePayment("lost", { reason: "payment_expired", now: second });
    await ledger.dropPayment("dropped", { reason: "payments_unavailable", now: second });
    await ledger.settlePayment("settled", { transaction: "0x02", now: second, pass: null });
    await sellPass(ledger, "p1", 3);
    (await ledger.takePassCall("p1", 1_000))?.charge();
  }),
);

describe("the report of a ledger", () => {
  it("tells the operator sums, what is open, passes and payments, the newest first", async () => {
    const { text, ...more } = await run(dataDir);
    expect(more).toEqual({ status: 0 });
    expect(text).toBe(`Sold
  explain  failed    2  0.05 USDC
  explain  settled   1  0.04 USDC
  explain  settling  1  0.01 USDC
  pass     settled   1  9 USDC

Open settlements
  2026-01-31 12:59Z  explain  settling  0.01 USDC  0xaa

Passes (the last 50)
  p1  bought 1970-01-01 00:16Z  until 1970-01-01 01:23Z  1 of 3 used

Payments (the last 50)
  2026-01-31 13:02Z  explain  settled   0.04 USDC  0xaa  0x02
  2026-01-31 13:01Z  explain  failed    0.03 USDC  0xaa  payments_unavailable
  2026-01-31 13:00Z  explain  lost      0.02 USDC  0xaa  payment_expired
  2026-01-31 12:59Z  explain  settling  0.01 USDC  0xaa
  1970-01-01 00:16Z  pass     settled   9 USDC     0xaa  0x01
`);
  });

  it("is one line of JSON for programs", async () => {
    const { text } = await run(dataDir, null, { json: true });
    expect(text).toMatch(/^\{.*\}\n$/);
    const report = JSON.parse(text);
    expect(Object.keys(report)).toEqual(["open", "passes", "payments", "reconciled", "totals"]);
    expect(report.open.map(({ key }: { key: string }) => key)).toEqual(["open"]);
    expect([report.payments.length, report.passes.length, report.totals.length]).toEqual([5, 1, 4]);
    expect(report.reconciled).toEqual([]);
  });

  it("of an empty ledger says that there is nothing", async () => {
    const empty = newDirectory();
    await fill(empty, async () => {});
    expect((await run(empty)).text).toBe(
      "Sold\n  nothing\n\nOpen settlements\n  none\n\nPasses (the last 50)\n  none\n\nPayments (the last 50)\n  none\n",
    );
  });

  it("shows the last fifty payments and passes", async () => {
    const many = newDirectory();
    await fill(many, async (ledger) => {
      for (let i = 0; i < 51; i++) await sellPass(ledger, `p${i}`, 3);
      await ledger.openPayment(payment("open"), rich);
    });
    const report = JSON.parse((await run(many, null, { json: true })).text);
    expect([report.open.length, report.payments.length, report.passes.length]).toEqual([1, 50, 50]);
  });
});

describe("a ledger that is not there", () => {
  it.each<Task>([null, "reconcile", "export"])("is a mistake of the settings for %j", async (task) => {
    const none = newDirectory();
    await expect(run(none, task)).rejects.toEqual(new ConfigError([`DATA_DIR: there is no ledger in ${none}.`]));
  });

  it("is made by an import, but for no file that is not there", async () => {
    const [from, to] = [newDirectory(), join(newDirectory(), "new")];
    const file = join(from, "ledger.ndjson");
    const heard = heardOnStdout();
    await run(dataDir, "export");
    await expect(run(to, "import", { path: file })).rejects.toMatchObject({ code: "ENOENT" });
    await expect(run(to)).rejects.toBeInstanceOf(ConfigError);
    writeFileSync(file, heard.join(""));
    expect((await run(to, "import", { path: file })).text).toMatch(/^Imported: 6 new rows, 0 known\n/);
    expect((await run(to, "import", { path: file })).text).toMatch(/^Imported: 0 new rows, 6 known\n/);
    expect((await run(to)).text).toBe((await run(dataDir)).text);
  });
});

describe("moving a ledger by the command", () => {
  const sums = `  payments     5  9.1 USDC, settled 9.04 USDC
  batch lines  0  bought
  passes       1  1 of 3 calls used
  free calls   0  0 used
`;

  it("tells the sums beside the lines, and closes what it opened", async () => {
    const heard = heardOnStdout();
    expect(await run(dataDir, "export")).toEqual({ text: "", report: `Exported\n${sums}`, status: 0 });
    const lines = heard.join("").split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([9, ""]);
    for (const line of lines.slice(0, -1)) expect(JSON.parse(line)).toBeTypeOf("object");
    const [place, file] = [newDirectory(), join(newDirectory(), "ledger.ndjson")];
    writeFileSync(file, heard.join("").replaceAll("\n", "\r\n"));
    expect(await run(place, "import", { path: file })).toEqual({
      text: `Imported: 6 new rows, 0 known\n${sums}`,
      status: 0,
    });
    // A ledger that is closed has all in one file.
    expect(readFileSync(join(place, "ledger.sqlite")).length).toBeGreaterThan(10_000);
  });

  it("tells what is wrong with a file as a mistake of who gave it", async () => {
    const file = join(newDirectory(), "ledger.ndjson");
    writeFileSync(file, "{}\n");
    await expect(run(newDirectory(), "import", { path: file })).rejects.toEqual(
      new UsageError(`${file}: This is not an export of a ledger.`),
    );
    const folder = newDirectory();
    mkdirSync(join(folder, "ledger.sqlite"));
    await expect(run(folder)).rejects.not.toBeInstanceOf(ConfigError);
  });

  it("closes settlements by the settings of the server only", async () => {
    await expect(run(dataDir, "reconcile")).rejects.toEqual(
      new ConfigError(["X402_PAY_TO: set the settings of charging as the server has them."]),
    );
  });
});
