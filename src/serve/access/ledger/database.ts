import { readFileSync } from "node:fs";
import { assert, ServiceError } from "../../../kernel/error.ts";
import type { MaybePromise } from "../../../kernel/maybe-promise.ts";

export type Cell = string | number | null;
export type Row = Record<string, Cell>;

/** `money`: on disk before the call returns. `count`: survives a crash of the process, not surely of the machine. */
export interface SqlStatement {
  readonly sql: string;
  readonly kind: "read" | "count" | "money";
}

export interface Write {
  statement: SqlStatement;
  values: readonly Cell[];
}

/** $1, $2, …, each once and in order. */
export type RunSql = (sql: string, values?: readonly Cell[]) => MaybePromise<Row[]>;

/** Fails with ServiceError `ledger_unavailable`. Never blocks the event loop. */
export interface LedgerDatabase {
  readonly name: "sqlite" | "postgres";
  /** First row, if any. */
  first(statement: SqlStatement, ...values: Cell[]): MaybePromise<Row | undefined>;
  /** Writes with the same `turn` run in order, each sees those before. */
  firstInTurn(turn: string, statement: SqlStatement, ...values: Cell[]): MaybePromise<Row | undefined>;
  all(statement: SqlStatement, ...values: Cell[]): MaybePromise<Row[]>;
  /**
   * All or none, all of one kind. Returns the rows changed by the first. Postgres retries on a broken connection, so running twice must
   * have the effect of once.
   */
  inOneTransaction(writes: readonly Write[]): MaybePromise<number>;
  /** One transaction; nothing else uses the object. `read` sees one moment; `write` is durable. Nothing written on rejection. */
  session<T>(mode: "read" | "write", work: (run: RunSql) => Promise<T>): Promise<T>;
  columnsOf(table: string): MaybePromise<string[]>;
  close(): MaybePromise<void>;
}

/** tables.sql, by version. */
const migrations: readonly (readonly string[])[] = readParts("tables.sql", /^-- version \d+$/m).map((part) =>
  part.split(";").filter((sql) => sql.trim() !== ""),
);

/** Known to this program. */
export const schemaVersion = migrations.length;

/** A newer program's ledger; nothing changed. */
export class LedgerVersionError extends Error {
  readonly code = "ledger_too_new";

  constructor(found: number) {
    super(
      `The ledger has version ${found}, and this program knows only version ${schemaVersion} (ledger_too_new). ` +
        "Run the newer program, or restore a backup that was made before it.",
    );
    this.name = "LedgerVersionError";
  }
}

/** No suitable SQLite; nothing opened. */
export class NoSqliteError extends Error {
  override readonly name = "NoSqliteError";
  readonly code = "sqlite_missing";

  constructor() {
    super(
      `Node.js ${process.versions.node} has no node:sqlite that can keep a ledger (sqlite_missing). Use Node.js 24 or newer, or 22.18 or ` +
        "newer of Node.js 22, built and started with it, or a PostgreSQL server (DATABASE_URL).",
    );
  }
}

/** Throws LedgerVersionError. */
export function migrationsAfter(version: number): { version: number; steps: readonly string[] }[] {
  if (version > schemaVersion) throw new LedgerVersionError(version);
  return migrations.map((steps, index) => ({ version: index + 1, steps })).slice(version);
}

/** statements.sql, postgres.sql. */
export function statement(name: string): SqlStatement {
  const found = statements.get(name);
  assert(found !== undefined, `statements.sql has no statement ${name}`);
  return found;
}

const statements = new Map(
  ["statements.sql", "postgres.sql"]
    .flatMap((file) => readParts(file, /^-- name: /m))
    .map((part) => {
      const [, name = "", kind] = /^(\w+) \((read|count|money)\)\n/.exec(part) ?? [];
      const lines = part.split("\n").slice(1);
      const sql = lines.filter((line) => !line.startsWith("--")).join("\n");
      return [name, { sql, kind: kind as SqlStatement["kind"] }];
    }),
);

/** After lines that match `start`. */
function readParts(file: string, start: RegExp): string[] {
  return readFileSync(new URL(file, import.meta.url), "utf8")
    .split(start)
    .slice(1);
}

/** Any failure of a database becomes this error. */
export function refuseLedger(cause: unknown): never {
  if (cause instanceof ServiceError || cause instanceof LedgerVersionError) throw cause;
  throw new ServiceError("ledger_unavailable", undefined, { cause });
}
