import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { codesOf } from "../../../../src/kernel/logger.ts";
import { type LedgerDatabase, statement } from "../../../../src/serve/access/ledger/database.ts";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { openSqlite } from "../../../../src/serve/access/ledger/sqlite.ts";
import { nameFailure } from "../../../../src/serve/access/ledger/sqlite-error.ts";
import { newDirectory } from "../../../support/metered-server.ts";
import { payment, rich } from "./sample-payment.ts";

const fileOf = (directory: string) => join(directory, "ledger.sqlite");
const read = (sql: string) => ({ sql, kind: "read" }) as const;
const count = (sql: string) => ({ sql, kind: "count" }) as const;
const charge = { statement: statement("chargeFree"), values: ["client", 1, 1] };

/** What the log says of the failure of this work. */
async function codesFrom(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (failure) {
    return codesOf(failure);
  }
  return "none";
}

describe("a failure of SQLite is told by its code", () => {
  const opened: LedgerDatabase[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  async function open(directory = newDirectory(), waitMs?: number): Promise<LedgerDatabase> {
    const database = await openSqlite(directory, waitMs);
    opened.push(database);
    return database;
  }

  it("where the file cannot be opened", async () => {
    const directory = newDirectory();
    mkdirSync(fileOf(directory));
    expect(await codesFrom(() => open(directory))).toBe("ledger_unavailable < SQLITE_CANTOPEN");
  });

  it("where the file is no database", async () => {
    const directory = newDirectory();
    writeFileSync(fileOf(directory), "not a database".repeat(1_000));
    expect(await codesFrom(() => open(directory))).toBe("ledger_unavailable < SQLITE_NOTADB");
  });

  it("where the content of the file is damaged", async () => {
    const directory = newDirectory();
    const ledger = await openLedger({ dataDir: directory });
    for (let row = 0; row < 50; row++)
      await ledger.openPayment(payment(`key-${row}`, { answer: "x".repeat(3_000) }), rich);
    await ledger.close();
    const bytes = openSync(fileOf(directory), "r+");
    // All but the first pages, which say which tables there are.
    for (let page = 30; page < 60; page++) writeSync(bytes, Buffer.alloc(4_096, 0xff), 0, 4_096, page * 4_096);
    closeSync(bytes);
    const database = await open(directory);
    const damaged = read("SELECT COUNT(answer) AS answers FROM payments");
    expect(await codesFrom(() => database.first(damaged))).toBe("ledger_unavailable < SQLITE_CORRUPT");
  });

  it("where the file may only be read", async () => {
    const database = await open();
    await database.first(read("PRAGMA query_only = 1"));
    expect(await codesFrom(() => database.inOneTransaction([charge]))).toBe("ledger_unavailable < SQLITE_READONLY");
  });

  it("where the file may not grow, and the same transaction works when it may", async () => {
    const database = await open();
    await database.first(read("PRAGMA max_page_count = 1"));
    const large = count("INSERT INTO allowance (client, day, used) VALUES ($1, $2, $3)");
    const fill = () => database.all(large, "x".repeat(1e6), 1, 1);
    expect(await codesFrom(fill)).toBe("ledger_unavailable < SQLITE_FULL");
    await database.first(read("PRAGMA max_page_count = 100000"));
    expect(await codesFrom(fill)).toBe("none");
  });

  it("where another program keeps the lock", async () => {
    const directory = newDirectory();
    const database = await open(directory, 5);
    const other = new DatabaseSync(fileOf(directory));
    other.exec("BEGIN IMMEDIATE");
    expect(await codesFrom(() => database.inOneTransaction([charge]))).toBe("ledger_unavailable < SQLITE_BUSY");
    other.close();
    expect(await codesFrom(() => database.inOneTransaction([charge]))).toBe("none");
  });

  it("where somebody else has written what a transaction that only read wants to write", async () => {
    const database = await open(newDirectory(), 5);
    const session = database.session("read", async (run) => {
      await run("SELECT * FROM allowance");
      await database.inOneTransaction([charge]);
      await run("DELETE FROM allowance");
    });
    expect(await codesFrom(() => session)).toBe("ledger_unavailable < SQLITE_BUSY_SNAPSHOT");
    expect(await database.first(read("SELECT used FROM allowance"))).toEqual({ used: 1 });
  });

  it("where the tables refuse a row", async () => {
    const database = await open();
    const refused = { ...charge, values: ["client", 1, null] };
    expect(await codesFrom(() => database.inOneTransaction([refused]))).toBe(
      "ledger_unavailable < SQLITE_CONSTRAINT_NOTNULL",
    );
    const orphan = "INSERT INTO bought_lines (payment_key, request, answer, bought_at) VALUES ($1, $2, $3, $4)";
    const write = () => database.session("write", async (run) => run(orphan, ["none", "r", "a", 1]));
    expect(await codesFrom(write)).toBe("ledger_unavailable < SQLITE_CONSTRAINT_FOREIGNKEY");
    expect(await codesFrom(() => database.first(read("SELECT nothing")))).toBe("ledger_unavailable < SQLITE_ERROR");
  });
});

describe("the name of a code", () => {
  it.each([
    [778, "SQLITE_IOERR_WRITE"],
    [8714, "SQLITE_IOERR_IN_PAGE"],
    [261, "SQLITE_BUSY_RECOVERY"],
    [1032, "SQLITE_READONLY_DBMOVED"],
    [28, "SQLITE_WARNING"],
    // Of an extended code that is not known here, what is known.
    [10 + (200 << 8), "SQLITE_IOERR"],
    [99, "SQLITE_ERROR"],
  ])("%d is %s", (errcode, code) => {
    expect(nameFailure({ message: "disk I/O error", errcode })).toMatchObject({ code, message: "disk I/O error" });
  });

  it.each([undefined, null, "no", Object.assign(new Error("no"), { code: "ENOENT" })])(
    "is not asked where something else failed: %s",
    (thrown) => {
      expect(nameFailure(thrown)).toBe(thrown);
    },
  );
});

describe("a statement in a file", () => {
  it("needs a value for each of its parameters", async () => {
    const database = await openSqlite(newDirectory());
    for (const values of [[], ["client"], ["client", 1, 2]])
      expect(() => database.first(statement("readFree"), ...values)).toThrow(
        expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringContaining("parameters") }) }),
      );
    expect(await database.first(statement("readFree"), "client", 1)).toBeUndefined();
    await database.close();
  });

  it("keeps whole numbers whole in every column", async () => {
    const dataDir = newDirectory();
    const ledger = await openLedger({ dataDir });
    await ledger.openPayment(payment("k", { product: "batch", lines: 2, amount: 9_007_199_254_740_991n }), 1n << 60n);
    await ledger.settlePayment("k", { transaction: "0x01", now: 1_000, pass: null });
    (await ledger.takeFree("client", 20_000, 5))?.charge();
    await ledger.close();
    const database = await openSqlite(dataDir);
    const columns = ["day", "used"].map((name) => `typeof(${name}) AS ${name}`).join(", ");
    expect(await database.first(read(`SELECT ${columns} FROM allowance`))).toEqual({ day: "integer", used: "integer" });
    const names = (await database.columnsOf("payments")).map((name) => `typeof(${name}) AS ${name}`);
    const types = Object.entries((await database.first(read(`SELECT ${names.join(", ")} FROM payments`))) ?? {});
    expect(types.filter(([, type]) => type === "integer").map(([name]) => name)).toEqual([
      ...["amount", "valid_before", "opened_at", "closed_at", "opened_block", "attempts", "beat", "lines"],
    ]);
    expect(types.filter(([, type]) => type === "real")).toEqual([]);
    expect(await database.first(read("SELECT amount FROM payments"))).toEqual({ amount: Number.MAX_SAFE_INTEGER });
    await database.close();
  });

  it("belongs to a folder, whatever its name begins with", async () => {
    const [place, before] = [newDirectory(), process.cwd()];
    process.chdir(place);
    try {
      await (await openSqlite("file:data")).close();
      rmSync(join(place, "file:data", "ledger.sqlite"));
    } finally {
      process.chdir(before);
    }
  });
});
