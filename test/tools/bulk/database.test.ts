import { beforeEach, describe, expect, it, vi } from "vitest";
import { BulkError } from "../../../src/tools/bulk/bulk-error.ts";
import { openBulkDatabase } from "../../../src/tools/bulk/queue/database.ts";

/** The questions to the server with their connection, and its answers. */
const fake = vi.hoisted(() => ({
  did: [] as unknown[],
  options: [] as Record<string, unknown>[],
  version: 1,
  /** A statement that fails with this. */
  failing: new Map<string, Error>(),
  start: async (): Promise<void> => {},
  /** What the server refuses. */
  Refusal: class extends Error {},
}));
vi.mock("pg", () => {
  const query = (by: string) => async (sql: string, values?: unknown[]) => {
    const short = sql.startsWith("CREATE SCHEMA") ? "tables" : sql;
    fake.did.push([by, short, ...(values ?? [])]);
    const error = fake.failing.get(short);
    if (error !== undefined) throw error;
    return { rows: sql.includes("max(version)") ? [{ version: fake.version }] : [{ sql }], rowCount: 1 };
  };
  class Pool {
    query = query("pool");
    constructor(options: Record<string, unknown>) {
      fake.options.push(options);
    }
    on = () => {};
    connect = async () => ({
      query: query("client"),
      release: (broken?: Error) => void fake.did.push(`release ${broken?.message ?? "well"}`),
    });
    end = async () => void fake.did.push("pool ends");
  }
  return {
    default: {
      Pool,
      DatabaseError: fake.Refusal,
      types: { getTypeParser: (oid: number, format: string) => `${oid} ${format}` },
    },
  };
});
vi.mock("pg-boss", () => ({
  PgBoss: class {
    constructor(options: Record<string, unknown>) {
      fake.options.push(options);
    }
    on = () => {};
    start = () => fake.start();
    stop = async ({ graceful }: { graceful: boolean }) => {
      fake.did.push(`boss stops ${graceful}`);
      throw new Error("it was never started");
    };
  },
}));

const url = "postgres://somewhere/else";
const begun = ["client", "BEGIN"];
const migration = [
  begun,
  ["client", "SELECT pg_advisory_xact_lock($1)", 8_453_101],
  ["client", "tables"],
  ["client", "SELECT max(version) AS version FROM txgloss_bulk.version"],
];
const closed = ["boss stops false", "pool ends"];

beforeEach(() => {
  Object.assign(fake, { did: [], options: [], version: 1, failing: new Map(), start: async () => {} });
});

const open = (supervises = false) => openBulkDatabase(url, { supervises });

describe("a database of block ranges", () => {
  it("makes its tables in one transaction when it is opened, and is closed with its queue", async () => {
    const database = await open();
    expect(fake.did).toEqual([...migration, ["client", "COMMIT"], "release well"]);
    fake.did = [];
    await database.close();
    expect(fake.did).toEqual(closed);
  });

  it.each([true, false])("is reached with few connections, and supervises jobs: %s", async (supervises) => {
    await open(supervises);
    expect(fake.options).toMatchObject([
      { connectionString: url, max: 4, connectionTimeoutMillis: 5_000, query_timeout: 60_000 },
      { connectionString: url, schema: "txgloss_jobs", max: 2, schedule: false, supervise: supervises },
    ]);
  });

  it("gives whole numbers as numbers, and everything else as usual", async () => {
    await open();
    const [{ types }] = fake.options as [{ types: { getTypeParser(oid: number, format: string): unknown } }];
    const { getTypeParser } = types;
    expect([getTypeParser(20, "text"), getTypeParser(21, "text"), getTypeParser(25, "binary")]).toEqual([
      ...[Number, "21 text", "25 binary"],
    ]);
  });

  it.each([0, 2])("with tables of version %i is not touched", async (version) => {
    fake.version = version;
    const message = "The tables of bulk runs in this database are of a newer version.";
    await expect(open()).rejects.toEqual(new BulkError("foreign_tables", message));
    expect(fake.did.slice(migration.length)).toEqual([`release ${message}`, ...closed]);
  });

  it("whose queue does not start is closed", async () => {
    fake.start = () => Promise.reject(new Error("no queue"));
    await expect(open()).rejects.toThrow("no queue");
    expect(fake.did.slice(-2)).toEqual(closed);
  });
});

describe("a question to it", () => {
  it("goes over any connection, with its values", async () => {
    const { ask } = await open();
    fake.did = [];
    expect(await ask("SELECT 1")).toEqual({ rows: [{ sql: "SELECT 1" }], rowCount: 1 });
    await ask("SELECT $1", [5]);
    expect(fake.did).toEqual([
      ["pool", "SELECT 1"],
      ["pool", "SELECT $1", 5],
    ]);
  });

  it("in a transaction goes over one connection, for jobs too", async () => {
    const { inTransaction } = await open();
    fake.did = [];
    const result = await inTransaction(async (ask, db) => {
      await ask("SELECT $1", [5]);
      await db.executeSql("SELECT 2");
      return "done";
    });
    expect(result).toBe("done");
    expect(fake.did).toEqual([
      begun,
      ["client", "SELECT $1", 5],
      ["client", "SELECT 2"],
      ["client", "COMMIT"],
      "release well",
    ]);
  });

  it.each<[string, Error, Map<string, Error>, unknown[]]>([
    [
      "undone where the server refuses it",
      new fake.Refusal("no"),
      new Map(),
      [begun, ["client", "ROLLBACK"], "release well"],
    ],
    [
      "forgotten with a connection that breaks then",
      new fake.Refusal("no"),
      new Map([["ROLLBACK", new Error("gone")]]),
      [begun, ["client", "ROLLBACK"], "release gone"],
    ],
    ["forgotten with its connection where something else fails", new Error("no"), new Map(), [begun, "release no"]],
  ])("in a transaction is %s", async (_what, error, failing, did) => {
    const { inTransaction } = await open();
    Object.assign(fake, { did: [], failing });
    await expect(inTransaction(() => Promise.reject(error))).rejects.toBe(error);
    expect(fake.did).toEqual(did);
  });

  it("is undone where it cannot be committed", async () => {
    const { inTransaction } = await open();
    const error = new fake.Refusal("serialization");
    Object.assign(fake, { did: [], failing: new Map([["COMMIT", error]]) });
    await expect(inTransaction(async () => "done")).rejects.toBe(error);
    expect(fake.did).toEqual([begun, ["client", "COMMIT"], ["client", "ROLLBACK"], "release well"]);
  });
});
