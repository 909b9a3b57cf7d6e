import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { schemaVersion } from "../../../../src/serve/access/ledger/database.ts";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import type { LedgerSettings } from "../../../../src/serve/settings/payment-settings.ts";
import { newDirectory } from "../../../support/metered-server.ts";
import { findPostgres } from "../../../support/postgres.ts";
import { root } from "../../../support/shared.ts";
import { fill, readIn, readOut } from "./moved-ledger.ts";
import { newPlaces } from "./new-places.ts";
import { payment, rich, sellPass } from "./sample-payment.ts";

const { newFile, newDatabase } = newPlaces();

const sums = {
  payments: { rows: 521, amount: 520 * 20_000 + 9_000_000, settled: 9_040_000 },
  passes: { rows: 1, calls: 3, used: 1 },
  allowance: { rows: 2, used: 2 },
  bought_lines: { rows: 1 },
};

describe("moving a ledger", { timeout: 60_000 }, () => {
  it.skipIf(findPostgres() === undefined)("from SQLite to PostgreSQL and back loses nothing", async () => {
    const [first, second, third] = [await newFile(), await newDatabase(), await newFile()];
    await fill(first);
    const lines = await readOut(first);
    expect(await readIn(second, lines)).toEqual({ sums, added: 525, known: 0 });
    expect(await readOut(second)).toEqual(lines);
    expect(await readIn(third, await readOut(second))).toEqual({ sums, added: 525, known: 0 });
    expect(await readOut(third)).toEqual(lines);
    const ledger = await openLedger(third);
    expect(await ledger.findPass("p1")).toMatchObject({ used: 1, callCap: 3, tokenHash: "hash of p1" });
    expect(await ledger.findPayment("key-2")).toMatchObject({ state: "settled", transaction: "0x02" });
    expect((await ledger.takeFree("client", 2, 5))?.count).toBe(2);
    await ledger.close();
  });

  it.skipIf(findPostgres() === undefined)("gives back the calls that are held in PostgreSQL", async () => {
    const place = await newDatabase();
    const ledger = await openLedger(place);
    await sellPass(ledger, "p1", 3);
    await ledger.takePassCall("p1", 1_000);
    await ledger.takeFree("client", 1, 5);
    expect(await ledger.findPass("p1")).toMatchObject({ used: 1 });
    expect((await readOut(place)).filter((line) => line.includes('"used":'))).toEqual([
      expect.stringContaining('"used":0'),
      expect.stringContaining('"used":0'),
      expect.stringContaining('"used":0'),
    ]);
    await ledger.close();
  });

  it("may be done again, and refuses a different state", async () => {
    const [first, second] = [await newFile(), await newFile()];
    await fill(first);
    const lines = await readOut(first);
    await readIn(second, lines);
    expect(await readIn(second, lines)).toEqual({ sums, added: 0, known: 525 });
    const ledger = await openLedger(second);
    await ledger.settlePayment("key-4", { transaction: "0x03", now: 9, pass: null });
    await ledger.close();
    await expect(readIn(second, lines)).rejects.toThrow("The ledger has another state of payments key-4.");
  });

  it("refuses a file that is cut off, of a newer program, or not of a ledger, and imports nothing of it", async () => {
    const [first, second] = [await newFile(), await newFile()];
    await fill(first);
    const lines = await readOut(first);
    const refusals: [string[], RegExp][] = [
      [lines.slice(0, -1), /cut off/],
      [lines.filter((_, index) => index !== 5), /lines are missing/],
      [[...lines, lines[1] as string], /after the sums/],
      [[JSON.stringify({ ledger: "txgloss", schema: schemaVersion + 1 }), ...lines.slice(1)], /ledger_too_new/],
      [["{}", ...lines.slice(1)], /not an export/],
      [[lines[0] as string, "{"], /Line 2 is not JSON/],
      [[lines[0] as string, "3"], /Line 2 is not an object/],
      [[lines[0] as string, '{"secrets":{"a":1}}'], /Line 2 is not a row/],
      [[lines[0] as string, '{"passes":{"id = id; --":1}}'], /Line 2: passes has no id = id; --/],
    ];
    for (const [wrong, reason] of refusals) await expect(readIn(second, wrong)).rejects.toThrow(reason);
    const ledger = await openLedger(second);
    expect(await ledger.countPayments()).toEqual([]);
    await ledger.close();
  });

  it("accepts a file of an older program", async () => {
    const place = await newFile();
    const first = await newFile();
    await fill(first);
    // It knew no batches.
    const lines = (await readOut(first)).filter((line) => !line.startsWith('{"bought_lines"'));
    lines[0] = JSON.stringify({ ledger: "txgloss", schema: 1 });
    const { bought_lines: _lines, ...known } = sums;
    lines[lines.length - 1] = JSON.stringify({ sums: known });
    expect(await readIn(place, lines)).toMatchObject({ added: 524 });
  });
});

function runTxgloss(args: string[], env: Record<string, string>) {
  const command = [join(root, "src/tools/cli/txgloss.ts"), ...args];
  const options = { env: { ...process.env, ...env }, maxBuffer: 10_000_000 };
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

describe("txgloss ledger export and import", { timeout: 60_000 }, () => {
  it("writes lines to stdout and sums to stderr, and reads them into a new ledger", async () => {
    const [first, second] = [newDirectory(), newDirectory()];
    await fill({ dataDir: first });
    const exported = await runTxgloss(["ledger", "export"], { DATA_DIR: first });
    expect(exported.status).toBe(0);
    expect(exported.stderr).toMatch(/^Exported\n {2}payments +521 {2}19\.4 USDC, settled 9\.04 USDC\n/);
    const file = join(second, "ledger.ndjson");
    writeFileSync(file, exported.stdout);
    const dataDir = join(second, "new");
    const imported = await runTxgloss(["ledger", "import", file], { DATA_DIR: dataDir });
    expect([imported.status, imported.stderr]).toEqual([0, ""]);
    expect(imported.stdout).toMatch(
      /^Imported: 525 new rows, 0 known\n {2}payments +521 {2}19\.4 USDC, settled 9\.04 USDC\n {2}batch lines +1 {2,}bought\n {2}passes +1 {2,}1 of 3 calls used\n {2}free calls +2 {2,}2 used\n$/,
    );
    expect((await runTxgloss(["ledger", "export"], { DATA_DIR: dataDir })).stdout).toBe(exported.stdout);
  });

  // PostgreSQL answers later than the file. Meanwhile the first lines must not get lost.
  it.skipIf(findPostgres() === undefined)("reads them into PostgreSQL", { timeout: 20_000 }, async () => {
    const [dataDir, place] = [newDirectory(), await newDatabase()];
    await fill({ dataDir });
    const { stdout: lines } = await runTxgloss(["ledger", "export"], { DATA_DIR: dataDir });
    const file = join(dataDir, "ledger.ndjson");
    writeFileSync(file, lines);
    const { databaseUrl: DATABASE_URL } = place as { databaseUrl: string };
    expect(await runTxgloss(["ledger", "import", file], { DATABASE_URL })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Imported: 525 new rows, 0 known\n/),
    });
    expect(`${(await readOut(place)).join("\n")}\n`).toBe(lines);
  });

  it("says what is wrong, with status 2", async () => {
    const dataDir = newDirectory();
    await (await openLedger({ dataDir })).close();
    const file = join(dataDir, "cut.ndjson");
    writeFileSync(file, `${JSON.stringify({ ledger: "txgloss", schema: schemaVersion })}\n`);
    const env = { DATA_DIR: dataDir };
    expect(await runTxgloss(["ledger", "import", file], env)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^txgloss: .*cut\.ndjson: The sums at the end are missing: the file was cut off\.\n.*--help/,
      ),
    });
    expect(await runTxgloss(["ledger", "import", `${file}.none`], env)).toMatchObject({ status: 2 });
    expect(await runTxgloss(["ledger", "import"], env)).toMatchObject({ status: 2 });
    const other = new DatabaseSync(join(dataDir, "ledger.sqlite"));
    other.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    other.close();
    for (const words of [[], ["export"], ["reconcile"], ["import", file]])
      expect(await runTxgloss(["ledger", ...words], env)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining("ledger_too_new"),
      });
  });
});

describe("a backup", { timeout: 60_000 }, () => {
  it("of SQLite, made while payments come in, is a whole ledger with everything that was written before", async () => {
    const [dataDir, restored] = [newDirectory(), newDirectory()];
    const ledger = await openLedger({ dataDir });
    for (let row = 0; row < 200; row++)
      await ledger.openPayment(payment(`before-${row}`, { answer: "x".repeat(3_000) }), rich);
    const file = new DatabaseSync(join(dataDir, "ledger.sqlite"), { readOnly: true });
    let written = 0;
    // A payment that comes between two steps makes the backup begin again.
    const progress = () => {
      if (written < 50) void ledger.openPayment(payment(`during-${++written}`), rich);
    };
    await backup(file, join(restored, "ledger.sqlite"), { rate: 5, progress });
    file.close();
    expect(written).toBe(50);
    const copy = await openLedger({ dataDir: restored });
    const [{ payments = 0 } = {}] = await copy.countPayments();
    expect(payments).toBeGreaterThanOrEqual(200);
    expect(await copy.findPayment("before-199")).toMatchObject({ state: "settling" });
    await copy.close();
    await ledger.close();
    const check = new DatabaseSync(join(restored, "ledger.sqlite"), { readOnly: true });
    expect(check.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    check.close();
  });

  const folder = findPostgres();
  const hasDump = folder !== undefined && ["pg_dump", "psql"].every((name) => existsSync(join(folder, name)));
  it.skipIf(!hasDump)("of PostgreSQL by pg_dump is the same ledger (skipped where there is no pg_dump)", async () => {
    const [first, second] = [await newDatabase(), await newDatabase()] as { databaseUrl: string }[];
    await fill(first as LedgerSettings);
    const place = newDirectory();
    mkdirSync(place, { recursive: true });
    const dump = join(place, "dump.sql");
    execFileSync(join(folder as string, "pg_dump"), ["--file", dump, (first as { databaseUrl: string }).databaseUrl]);
    expect(readFileSync(dump, "utf8")).toContain("held_calls");
    const restore = ["--quiet", "--set", "ON_ERROR_STOP=1", "--file", dump];
    execFileSync(join(folder as string, "psql"), [...restore, (second as { databaseUrl: string }).databaseUrl], {
      stdio: "ignore",
    });
    expect(await readOut(second as LedgerSettings)).toEqual(await readOut(first as LedgerSettings));
  });
});
