import { existsSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { type LedgerDatabase, schemaVersion, statement } from "../../../../src/serve/access/ledger/database.ts";
import { openDatabase, openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { openSqlite } from "../../../../src/serve/access/ledger/sqlite.ts";
import { newDirectory } from "../../../support/metered-server.ts";
import { payment, rich, sellPass } from "./sample-payment.ts";

/** A place without a disk, where there is one. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const unavailable = { code: "ledger_unavailable" };
const fileOf = (directory: string) => join(directory, "ledger.sqlite");
const read = (sql: string) => ({ sql, kind: "read" }) as const;
const write = (sql: string) => ({ sql, kind: "count" }) as const;

/** Another program that holds the lock of the file. */
function lock(directory: string): () => void {
  const other = new DatabaseSync(fileOf(directory));
  other.exec("BEGIN IMMEDIATE");
  return () => other.close();
}

describe("a ledger in a file", () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  async function open(directory = newDirectory(memory), waitMs?: number): Promise<LedgerDatabase> {
    const database = await openSqlite(directory, waitMs);
    opened.push(database);
    return database;
  }

  it("is made in a folder that only its owner reads", async () => {
    const directory = join(newDirectory(memory), "a/b");
    const database = await open(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(database.name).toBe("sqlite");
    expect(await database.all(read("SELECT version FROM migrations ORDER BY version"))).toEqual(
      Array.from({ length: schemaVersion }, (_, i) => ({ version: i + 1 })),
    );
    expect(await database.first(read("PRAGMA user_version"))).toEqual({ user_version: schemaVersion });
    expect(await database.columnsOf("allowance")).toEqual(["client", "day", "used"]);
  });

  it("waits for the disk with payments, and not with counts", async () => {
    const database = await open();
    const modes = ["journal_mode", "synchronous", "foreign_keys"];
    for (const [i, mode] of modes.entries()) {
      const [counts, money] = [{ journal_mode: "wal", synchronous: 1, foreign_keys: 1 }, { synchronous: 2 }];
      expect(await database.first(read(`PRAGMA ${mode}`))).toEqual({ [mode]: Object.values(counts)[i] });
      const [told] = await database.session("read", async (run) => run(`PRAGMA ${mode}`));
      expect(told).toEqual({ [mode]: Object.values({ ...counts, ...money })[i] });
    }
  });

  it("is opened again, whichever of its two versions is right", async () => {
    const directory = newDirectory(memory);
    await (await openSqlite(directory)).close();
    const file = new DatabaseSync(fileOf(directory));
    file.exec("PRAGMA user_version = 1");
    await (await openSqlite(directory)).close();
    expect(file.prepare("PRAGMA user_version").get()).toEqual({ user_version: schemaVersion });
    file.exec("DELETE FROM migrations");
    await (await openSqlite(directory)).close();
    file.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    await expect(openSqlite(directory)).rejects.toMatchObject({ code: "ledger_too_new" });
    file.close();
    // Nothing of it stays open.
    const held = existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd") : [];
    const places = held.flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return [];
      }
    });
    expect(places.filter((place) => place.startsWith(directory))).toEqual([]);
  });

  it("gives the rows that are read and those that are changed", async () => {
    const database = await open();
    const insert = "INSERT INTO allowance (client, day, used) VALUES ($1, $2, $3)";
    expect(await database.all(write(insert), "x", 1, 2)).toEqual([]);
    expect(await database.first(write(`${insert} RETURNING day`), "x", 2, 4)).toEqual({ day: 2 });
    expect(await database.first(write("UPDATE allowance SET used = 9 WHERE day = $1"), 3)).toBeUndefined();
    expect(await database.all(read("SELECT used FROM allowance ORDER BY day"))).toEqual([{ used: 2 }, { used: 4 }]);
    expect(await database.first(read("SELECT used FROM allowance WHERE day = $1"), 2)).toEqual({ used: 4 });
    expect(await database.firstInTurn("x", write(`${insert} RETURNING day`), "x", 3, 4)).toEqual({ day: 3 });
    expect(() => database.first(read("SELECT nothing"))).toThrow(expect.objectContaining(unavailable));
    expect(() => database.all(write(insert), "x", 1, 2)).toThrow(expect.objectContaining(unavailable));
  });

  it("makes all writes of a transaction or none, and tells how many rows the first changed", async () => {
    const database = await open();
    const charge = (client: string | null) => ({ statement: statement("chargeFree"), values: [client, 1, 2] });
    expect(await database.inOneTransaction([charge("a"), charge("b")])).toBe(1);
    expect(() => database.inOneTransaction([charge("c"), charge(null)])).toThrow(expect.objectContaining(unavailable));
    expect(await database.all(read("SELECT client FROM allowance"))).toEqual([{ client: "a" }, { client: "b" }]);
    const two = { statement: write("UPDATE allowance SET used = 1"), values: [] };
    expect(await database.inOneTransaction([two, charge("a")])).toBe(2);
    const money = { statement: statement("undoPayment"), values: ["k"] };
    expect(await database.inOneTransaction([money])).toBe(0);
    expect(() => database.inOneTransaction([charge("a"), money])).toThrow(
      "the writes of a transaction are all counts, or all of money",
    );
  });

  it("has sessions that keep what they wrote, or nothing", async () => {
    const database = await open();
    const insert = "INSERT INTO allowance (client, day, used) VALUES ($1, 1, 1)";
    const clients = () => database.all(read("SELECT client FROM allowance"));
    expect(await database.session("write", (run) => Promise.resolve(run(insert, ["a"])))).toEqual([]);
    const failing = database.session("write", async (run) => {
      await run(insert, ["b"]);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await clients()).toEqual([{ client: "a" }]);
    await database.session("write", (run) => Promise.resolve(run(insert, ["c"])));
    expect(await clients()).toHaveLength(2);
    await expect(database.session("read", async (run) => run("SELECT nothing"))).rejects.toMatchObject(unavailable);
  });

  it("can be read while another program holds it, but not written", async () => {
    const directory = newDirectory(memory);
    const database = await open(directory, 5);
    const release = lock(directory);
    expect(await database.first(read("SELECT 1 AS one"))).toEqual({ one: 1 });
    expect(await database.all(read("SELECT 1 AS one"))).toEqual([{ one: 1 }]);
    expect(await database.session("read", async (run) => run("SELECT 1 AS one"))).toEqual([{ one: 1 }]);
    await expect(database.session("write", async () => 1)).rejects.toMatchObject(unavailable);
    const charge = { statement: statement("chargeFree"), values: ["a", 1, 2] };
    await expect(database.inOneTransaction([charge])).rejects.toMatchObject(unavailable);
    release();
    expect(await database.inOneTransaction([charge])).toBe(1);
  });

  it("is closed as a whole", async () => {
    const database = await openSqlite(newDirectory(memory));
    await database.close();
    expect(() => database.first(read("SELECT 1"))).toThrow(expect.objectContaining(unavailable));
    await expect(database.session("read", async () => 1)).rejects.toMatchObject(unavailable);
  });

  it("is told by its place, and counts calls in this process", async () => {
    const dataDir = newDirectory(memory);
    const ledger = await openLedger({ dataDir });
    opened.push(ledger);
    expect(ledger.database).toBe("sqlite");
    expect([await ledger.readFree("c", 1), await ledger.findPass("p"), await ledger.findPassOf("k")]).toEqual([
      ...[0, undefined, undefined],
    ]);
    await sellPass(ledger, "p", 3);
    await ledger.openPayment(payment("k"), rich);
    (await ledger.takeFree("c", 1, 5))?.charge();
    const pass = { id: "p", paymentKey: "payment of p", callCap: 3, used: 0, createdAt: 1_000, expiresAt: 5_000 };
    expect(await ledger.findPass("p")).toEqual({ ...pass, tokenHash: "hash of p" });
    expect(await ledger.findPassOf("payment of p")).toMatchObject(pass);
    expect([await ledger.listPayments(1), await ledger.listPayments(9)]).toMatchObject([[{}], [{}, {}]]);
    expect(await ledger.listPasses(9)).toMatchObject([pass]);
    expect(await ledger.countPayments()).toEqual([
      { product: "explain", state: "settling", payments: 1, amount: 20_000n },
      { product: "pass", state: "settled", payments: 1, amount: 9_000_000n },
    ]);
    expect([await ledger.ping(), await ledger.watchCalls()]).toEqual([undefined, 0]);
    const other = await openDatabase({ dataDir });
    opened.push(other);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await other.first(statement("readFree"), "c", 1)).toEqual({ used: 1 });
    expect(await ledger.dropFreeBefore(2)).toBeUndefined();
    expect(await other.first(statement("readFree"), "c", 1)).toBeUndefined();
  });

  it("says so when charges cannot be written", async () => {
    const dataDir = newDirectory(memory);
    const ledger = await openLedger({ dataDir });
    const call = await ledger.takeFree("c", 1, 5);
    const file = new DatabaseSync(fileOf(dataDir));
    file.exec("DROP TABLE allowance");
    file.close();
    expect(await ledger.ping()).toBeUndefined();
    call?.charge();
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => ledger.ping()).toThrow(expect.objectContaining(unavailable));
    await ledger.close();
    expect(() => ledger.ping()).toThrow(expect.objectContaining(unavailable));
  });
});
