import { EventEmitter } from "node:events";
import pg from "pg";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type LedgerDatabase, migrationsAfter, schemaVersion } from "../../../../src/serve/access/ledger/database.ts";
import { isOutage, openPostgres } from "../../../../src/serve/access/ledger/postgres.ts";

type Answer = { rows?: object[]; rowCount?: number | null } | Error;

/** What the server says to each text, and what was done. */
const world = vi.hoisted(() => ({
  asked: [] as unknown[],
  pauses: [] as number[],
  answer: (_sql: string): unknown => undefined,
  pools: [] as { options: Record<string, unknown>; emit(name: string, ...values: unknown[]): boolean }[],
}));

vi.mock("node:timers/promises", () => ({ setTimeout: async (ms: number) => void world.pauses.push(ms) }));
vi.mock("pg", async (original) => {
  const { EventEmitter: Emitter } = await import("node:events");
  const { default: real } = await original<{ default: typeof pg }>();
  const ask = async (sql: string, values?: unknown[]) => {
    world.asked.push(values === undefined ? sql : [sql, ...values]);
    const answer = world.answer(sql);
    if (answer instanceof Error) throw answer;
    return { rows: [], rowCount: 0, ...(answer as object) };
  };
  class Pool extends Emitter {
    readonly options: Record<string, unknown>;
    constructor(options: Record<string, unknown>) {
      super();
      this.options = options;
      world.pools.push(this);
    }
    query(sql: string, values: unknown[]) {
      return ask(sql, values);
    }
    async connect() {
      const answer = world.answer("connect");
      if (answer instanceof Error) throw answer;
      return { query: ask, release: (broken?: Error) => world.asked.push(["release", broken?.message]) };
    }
    async end() {
      world.asked.push("end");
    }
  }
  return { default: { ...real, Pool } };
});

const refusal = (code: string) => Object.assign(new pg.DatabaseError("no", 2, "error"), { code });
const gone = new Error("Connection terminated unexpectedly");
const late = new Error("timeout exceeded when trying to connect");
const unavailable = { code: "ledger_unavailable" };
const read = { sql: "SELECT 1", kind: "read" } as const;
const count = { sql: "UPDATE 1", kind: "count" } as const;

/** Opens a database whose tables are up to date, and forgets the statements of the opening. */
async function open(answers: (sql: string) => Answer | undefined = () => undefined): Promise<LedgerDatabase> {
  world.answer = (sql) => (sql.includes("MAX(version)") ? { rows: [{ done: schemaVersion }] } : undefined);
  const database = await openPostgres("postgres://one");
  world.asked.length = 0;
  world.answer = answers;
  return database;
}

/** Fails so many times, then answers. */
function failing(times: number, error: Error, sql: string, answer: Answer = {}): (asked: string) => Answer | undefined {
  let left = times;
  return (asked) => {
    if (asked !== sql) return undefined;
    return left-- > 0 ? error : answer;
  };
}

beforeEach(() => {
  world.asked.length = 0;
  world.pauses.length = 0;
  world.pools.length = 0;
});

describe("the opening of a ledger in PostgreSQL", () => {
  const begin = ["BEGIN", "SELECT pg_advisory_xact_lock(8453001)", "SHOW server_encoding"];
  const table = "CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)";
  const look = "SELECT COALESCE(MAX(version), 0) AS done FROM migrations";

  it("makes the tables one version after the other", async () => {
    world.answer = () => undefined;
    await openPostgres("postgres://one");
    const steps = migrationsAfter(0).flatMap(({ version, steps: texts }) => [
      ...[...texts, ["INSERT INTO migrations (version) VALUES ($1)", version]],
    ]);
    expect(world.asked).toEqual([...begin, table, look, ...steps, "COMMIT", ["release", undefined]]);
  });

  it("creates only missing tables", async () => {
    world.answer = (sql) => (sql === look ? { rows: [{ done: schemaVersion }] } : undefined);
    await openPostgres("postgres://one");
    expect(world.asked).toEqual([...begin, table, look, "COMMIT", ["release", undefined]]);
    world.asked.length = 0;
    world.answer = (sql) => (sql === look ? { rows: [{ done: schemaVersion - 1 }] } : undefined);
    await openPostgres("postgres://one");
    expect(world.asked.at(-3)).toEqual(["INSERT INTO migrations (version) VALUES ($1)", schemaVersion]);
  });

  it("refuses the tables of a newer program, and a server that does not answer", async () => {
    world.answer = (sql) => (sql === look ? { rows: [{ done: schemaVersion + 1 }] } : undefined);
    await expect(openPostgres("postgres://one")).rejects.toMatchObject({ code: "ledger_too_new" });
    expect(world.asked.slice(-2)).toEqual([["release", expect.stringContaining("ledger_too_new")], "end"]);
    world.asked.length = 0;
    world.answer = () => gone;
    await expect(openPostgres("postgres://one")).rejects.toMatchObject({ ...unavailable, cause: gone });
    expect(world.asked).toEqual(["end"]);
  });

  it("waits for nothing long, and outlives every error of a connection", async () => {
    await open();
    const [pool] = world.pools as [(typeof world.pools)[0]];
    expect(pool.options).toMatchObject({
      ...{ connectionString: "postgres://one", max: 10, connectionTimeoutMillis: 3_000, statement_timeout: 5_000 },
      ...{ query_timeout: 6_000, idle_in_transaction_session_timeout: 4_000, application_name: "txgloss" },
    });
    const { getTypeParser } = pool.options.types as { getTypeParser: (oid: number, format?: string) => unknown };
    expect(getTypeParser(20)).toBe(Number);
    expect(getTypeParser(21, "text")).toBe(pg.types.getTypeParser(21, "text"));
    const client = new EventEmitter();
    pool.emit("connect", client);
    expect([client.emit("error", gone), pool.emit("error", gone)]).toEqual([true, true]);
  });
});

describe("the statements for PostgreSQL", () => {
  it("gives rows, the first row, columns, and an end", async () => {
    const rows = [
      { a: 1, column_name: "x" },
      { a: 2, column_name: "y" },
    ];
    const database = await open((sql) => (sql.startsWith("SELECT") ? { rows } : undefined));
    expect(await database.all(read, 5, "b")).toEqual(rows);
    expect(await database.first(read)).toEqual(rows[0]);
    expect(await database.first(count)).toBeUndefined();
    expect(await database.columnsOf("t")).toEqual(["x", "y"]);
    await database.close();
    const columns = "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()";
    expect(world.asked).toEqual([
      ...[["SELECT 1", 5, "b"], ["SELECT 1"], ["UPDATE 1"], [`${columns} AND table_name = $1`, "t"], "end"],
    ]);
    expect(database.name).toBe("postgres");
  });

  it("are sent again in an outage if they only read", async () => {
    const database = await open(failing(5, gone, "SELECT 1", { rows: [{ a: 1 }] }));
    expect(await database.first(read)).toEqual({ a: 1 });
    expect(world.pauses).toEqual([10, 20, 50, 100]);
    const other = await open(failing(6, gone, "SELECT 1"));
    await expect(other.first(read)).rejects.toMatchObject({ ...unavailable, cause: gone });
    expect(world.asked).toHaveLength(6);
  });

  it.each([
    ["a refusal", read, refusal("42P01")],
    ["a timeout", read, late],
    ["a count, which could be done twice", count, gone],
  ])("is not asked again after %s", async (_name, statement, error) => {
    const database = await open(failing(1, error, statement.sql));
    await expect(database.all(statement)).rejects.toMatchObject({ ...unavailable, cause: error });
    expect([world.asked.length, world.pauses]).toEqual([1, []]);
  });

  it.each<[string, Error, boolean]>([
    ["a connection exception", refusal("08006"), true],
    ["a shutdown", refusal("57P01"), true],
    ["a crash", refusal("57P02"), true],
    ["a start", refusal("57P03"), true],
    ["an idle timeout", refusal("57P05"), false],
    ["a server that only reads", refusal("25006"), true],
    ["a transaction that was silent", refusal("25P03"), true],
    ["a serialization failure", refusal("40001"), true],
    ["a constraint", refusal("23505"), false],
    ["an error without a code", Object.assign(refusal(""), { code: undefined }), false],
    ["a broken connection", gone, true],
    ["a timeout", late, false],
  ])("is away or not: %s", (_name, error, expected) => {
    expect(isOutage(error)).toBe(expected);
    expect(isOutage("text")).toBe(false);
  });
});

describe("a transaction in PostgreSQL", () => {
  const writes = [
    { statement: { sql: "UPDATE 1", kind: "money" }, values: [1, "a"] },
    { statement: { sql: "UPDATE 2", kind: "money" }, values: [] },
  ] as const;

  it.each([
    [3, 3],
    [0, 0],
    [null, 0],
  ])("tells how many rows the first write changed: %s", async (rowCount, changed) => {
    const database = await open((sql) => ({ rowCount: sql === "UPDATE 1" ? rowCount : 8 }));
    expect(await database.inOneTransaction(writes)).toBe(changed);
    expect(world.asked).toEqual(["BEGIN", ["UPDATE 1", 1, "a"], ["UPDATE 2"], "COMMIT", ["release", undefined]]);
    expect(await database.inOneTransaction([])).toBe(0);
  });

  it("is done again until an outage of some seconds is over", async () => {
    const database = await open(failing(8, gone, "connect"));
    expect(await database.inOneTransaction(writes)).toBe(0);
    expect(world.pauses).toEqual([100, 200, 400, 800, 1_600, 1_600, 1_600]);
    const other = await open(failing(9, gone, "connect"));
    await expect(other.inOneTransaction(writes)).rejects.toMatchObject({ ...unavailable, cause: gone });
  });

  it.each<[string, Error | undefined, Error, unknown[]]>([
    ["a refusal leaves a connection that is well", undefined, refusal("23505"), ["ROLLBACK", ["release", undefined]]],
    ["a refusal that cannot be rolled back does not", late, refusal("23505"), ["ROLLBACK", ["release", late.message]]],
    ["a broken connection is not used again", undefined, late, [["release", late.message]]],
  ])("%s", async (_name, rollback, error, end) => {
    const database = await open((sql) => (sql === "UPDATE 2" ? error : sql === "ROLLBACK" ? rollback : undefined));
    await expect(database.inOneTransaction(writes)).rejects.toMatchObject({ ...unavailable, cause: error });
    expect(world.asked).toEqual(["BEGIN", ["UPDATE 1", 1, "a"], ["UPDATE 2"], ...end]);
  });
});

describe("a session with PostgreSQL", () => {
  it.each([
    ["read", ["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"]],
    ["write", []],
  ] as const)("to %s is one transaction", async (mode, first) => {
    const database = await open((sql) => (sql === "SELECT 1" ? { rows: [{ a: 1 }] } : undefined));
    expect(await database.session(mode, async (run) => [await run("SELECT 1"), await run("SELECT 2", [5])])).toEqual([
      ...[[{ a: 1 }], []],
    ]);
    const begun = ["BEGIN", "SET LOCAL idle_in_transaction_session_timeout = 0", ...first];
    expect(world.asked).toEqual([...begun, ["SELECT 1"], ["SELECT 2", 5], "COMMIT", ["release", undefined]]);
  });

  it("rejects with the error of the work, and as unavailable if the server failed", async () => {
    const broken = Object.assign(new Error("reset"), { syscall: "read" });
    const own = new Error("the file is cut off");
    const database = await open((sql) => (sql === "SELECT 1" ? gone : undefined));
    await expect(database.session("write", () => Promise.reject(own))).rejects.toBe(own);
    await expect(database.session("write", (run) => run("SELECT 1") as never)).rejects.toMatchObject({
      ...{ ...unavailable, cause: gone },
    });
    world.answer = (sql) => (sql === "BEGIN" ? refusal("57P01") : undefined);
    await expect(database.session("write", async () => 1)).rejects.toMatchObject(unavailable);
    world.answer = (sql) => (sql === "connect" ? broken : undefined);
    await expect(database.session("write", async () => 1)).rejects.toMatchObject({ ...unavailable, cause: broken });
  });
});
