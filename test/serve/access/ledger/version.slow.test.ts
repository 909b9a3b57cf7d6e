import { execFile } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schemaVersion } from "../../../../src/serve/access/ledger/database.ts";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { newDirectory, passSecret, payTo } from "../../../support/metered-server.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../../support/postgres.ts";
import { root } from "../../../support/shared.ts";

const tooNew = { code: "ledger_too_new", message: expect.stringContaining(`version ${schemaVersion + 1}`) };

/** The output of the service when it starts on this ledger, and its exit status. */
function startService(env: Record<string, string>): Promise<{ status: unknown; said: string }> {
  const charging = {
    X402_PAY_TO: payTo,
    PASS_SECRET: passSecret,
    X402_FACILITATOR: "local",
    RPC_URLS: "http://127.0.0.1:1",
  };
  const key = { X402_FACILITATOR_KEY: `0x${"1".repeat(64)}` };
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...charging, ...key, PORT: "0", ...env } };
    execFile(process.execPath, [join(root, "src/main.js")], options, (error, _stdout, stderr) =>
      resolve({ status: error?.code, said: stderr }),
    );
  });
}

function versionOf(file: DatabaseSync): unknown {
  return file.prepare("PRAGMA user_version").get()?.user_version;
}

describe("a ledger of a newer program", () => {
  it("is refused and left alone (SQLite)", async () => {
    const dataDir = newDirectory();
    await (await openLedger({ dataDir })).close();
    const file = new DatabaseSync(join(dataDir, "ledger.sqlite"));
    file.exec(`INSERT INTO migrations (version) VALUES (${schemaVersion + 1})`);
    file.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    await expect(openLedger({ dataDir })).rejects.toMatchObject(tooNew);
    expect(versionOf(file)).toBe(schemaVersion + 1);
    file.close();
    const { status, said } = await startService({ DATA_DIR: dataDir });
    expect(status).toBe(2);
    expect(said).toMatch(
      /DATA_DIR: The ledger has version \d+, and this program knows only version \d+ \(ledger_too_new\)/,
    );
  });

  it("is recognized although the first program has stamped it back", async () => {
    const dataDir = newDirectory();
    const ledger = await openLedger({ dataDir });
    await ledger.takeFree("client", 1, 5);
    await ledger.close();
    const file = new DatabaseSync(join(dataDir, "ledger.sqlite"));
    file.exec("PRAGMA user_version = 1");
    await (await openLedger({ dataDir })).close();
    expect(versionOf(file)).toBe(schemaVersion);
    file.close();
  });

  it("makes all steps or none: if one fails, the old content stays, and the next start begins again", async () => {
    const dataDir = newDirectory();
    await (await openLedger({ dataDir })).close();
    const file = new DatabaseSync(join(dataDir, "ledger.sqlite"));
    // The file as version 4 left it, with one table that makes version 5 fail after its first step.
    file.exec("DROP INDEX payments_to_forget");
    for (const column of ["lines", "claim_key", "answer_until"])
      file.exec(`ALTER TABLE payments DROP COLUMN ${column}`);
    file.exec("DROP TABLE bought_lines; DELETE FROM migrations WHERE version > 4");
    file.exec("PRAGMA user_version = 4");
    file.exec("CREATE TABLE bought_lines (mine TEXT)");
    await expect(openLedger({ dataDir })).rejects.toMatchObject({ code: "ledger_unavailable" });
    const columns = file
      .prepare("PRAGMA table_info(payments)")
      .all()
      .map(({ name }) => name);
    expect(columns).not.toContain("lines");
    expect(versionOf(file)).toBe(4);
    file.exec("DROP TABLE bought_lines");
    await (await openLedger({ dataDir })).close();
    expect(versionOf(file)).toBe(schemaVersion);
    file.close();
  });

  it("is made from a ledger of the first program, with its content", async () => {
    const dataDir = newDirectory();
    const file = new DatabaseSync(join(dataDir, "ledger.sqlite"));
    file.exec(
      "CREATE TABLE allowance (client TEXT NOT NULL, day BIGINT NOT NULL, used BIGINT NOT NULL, PRIMARY KEY (client, day))",
    );
    file.exec(`CREATE TABLE payments (key TEXT PRIMARY KEY, product TEXT NOT NULL, fingerprint TEXT NOT NULL, state TEXT NOT NULL,
      payer TEXT NOT NULL, nonce TEXT NOT NULL, pay_to TEXT NOT NULL, amount BIGINT NOT NULL, valid_before BIGINT NOT NULL,
      answer TEXT NOT NULL, opened_at BIGINT NOT NULL, closed_at BIGINT, tx_hash TEXT, reason TEXT)`);
    file.exec(`CREATE TABLE passes (id TEXT PRIMARY KEY, token_hash TEXT NOT NULL, payment_key TEXT NOT NULL, created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL, call_cap BIGINT NOT NULL, used BIGINT NOT NULL)`);
    file.exec("INSERT INTO allowance VALUES ('client', 1, 3)");
    file.exec("PRAGMA user_version = 1");
    file.close();
    const ledger = await openLedger({ dataDir });
    expect(await ledger.readFree("client", 1)).toBe(3);
    expect(await ledger.listOpenPayments(1)).toEqual([]);
    await ledger.close();
  });

  describe.skipIf(findPostgres() === undefined)("in PostgreSQL", () => {
    let postgres: TestPostgres;
    beforeAll(async () => {
      postgres = await startPostgres();
    }, 60_000);
    afterAll(() => postgres?.remove(), 60_000);

    it("is refused and left alone", async () => {
      const databaseUrl = await postgres.createDatabase("newer");
      await (await openLedger({ databaseUrl })).close();
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      await client.query("INSERT INTO migrations (version) VALUES ($1)", [schemaVersion + 1]);
      await expect(openLedger({ databaseUrl })).rejects.toMatchObject(tooNew);
      const { rows } = await client.query("SELECT MAX(version) AS version FROM migrations");
      expect(Number(rows[0].version)).toBe(schemaVersion + 1);
      await client.end();
      const { status, said } = await startService({ DATABASE_URL: databaseUrl });
      expect(status).toBe(2);
      expect(said).toContain("ledger_too_new");
    });
  });
});
