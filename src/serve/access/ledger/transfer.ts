import { parseJson } from "../../../kernel/canonical.ts";
import {
  type Cell,
  type LedgerDatabase,
  LedgerVersionError,
  type Row,
  type RunSql,
  schemaVersion,
} from "./database.ts";

/** Rows per table, and sums in base units. */
export type TransferSums = ReturnType<typeof newSums>;

/** `added`: new rows. */
export interface Imported {
  sums: TransferSums;
  added: number;
  known: number;
}

/** Incomplete export, or contradicts the ledger; nothing imported. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/** After those they refer to, with key columns. Held calls are not exported: they count as returned. */
const tables = {
  payments: { key: ["key"], used: undefined },
  bought_lines: { key: ["payment_key", "request"], used: undefined },
  passes: { key: ["id"], used: "SELECT COUNT(*) FROM held_calls WHERE kind = 'pass' AND name = passes.id" },
  allowance: {
    key: ["client", "day"],
    used: "SELECT COUNT(*) FROM held_calls WHERE kind = 'free' AND name = allowance.client AND held_calls.day = allowance.day",
  },
} as const;

type Table = keyof typeof tables;
const tableNames = Object.keys(tables) as Table[];

/** JSON lines: head, rows, sums. One moment, also while instances run. `write`: line by line. */
export function exportLedger(
  database: LedgerDatabase,
  write: (line: string) => Promise<void> | void,
): Promise<TransferSums> {
  return database.session("read", async (run) => {
    const sums = newSums();
    await write(toLine({ ledger: "txgloss", schema: schemaVersion }));
    for (const table of tableNames) {
      for await (const row of readRows(run, table)) {
        addTo(sums, table, row);
        await write(toLine({ [table]: row }));
      }
    }
    await write(toLine({ sums }));
    return sums;
  });
}

/** All or none; equal rows stay, so it may be repeated. Rejects with LedgerVersionError and TransferError. */
export function importLedger(database: LedgerDatabase, lines: AsyncIterable<string>): Promise<Imported> {
  return database.session("write", async (run) => {
    const columns = new Map<Table, readonly string[]>();
    for (const table of tableNames) columns.set(table, await database.columnsOf(table));
    const sums = newSums();
    const counts = { added: 0, known: 0 };
    let place = 0;
    let told: object | undefined;
    for await (const line of lines) {
      const entry = readLine(line, ++place);
      if (place === 1) checkHead(entry);
      else if (told !== undefined) throw new TransferError(`Line ${place} comes after the sums.`);
      else if ("sums" in entry) told = Object(entry.sums);
      else {
        const [table, row] = readEntry(entry, place);
        addTo(sums, table, row);
        const odd = Object.keys(row).filter((name) => !columns.get(table)?.includes(name));
        if (odd.length > 0) throw new TransferError(`Line ${place}: ${table} has no ${odd.join(", ")}.`);
        counts[await importRow(run, table, row).catch((cause) => refuseRow(cause, table, place))]++;
      }
    }
    if (told === undefined) throw new TransferError("The sums at the end are missing: the file was cut off.");
    // Before version 5 there were no lines.
    if (toLine({ ...newSums(), ...told }) !== toLine(sums))
      throw new TransferError("The sums at the end are not those of the rows: lines are missing.");
    return { sums, ...counts };
  });
}

/** By key, some hundred at a time. */
async function* readRows(run: RunSql, table: Table): AsyncGenerator<Row> {
  const { key, used } = tables[table];
  const columns = used === undefined ? "*" : `*, (${used}) AS held`;
  let after: Cell[] = [];
  for (;;) {
    const marks = after.map((_, index) => `$${index + 1}`).join(", ");
    const rest = after.length === 0 ? "" : `WHERE (${key.join(", ")}) > (${marks})`;
    const rows = await run(
      `SELECT ${columns} FROM ${table} ${rest} ORDER BY ${key.join(", ")} LIMIT ${pageRows}`,
      after,
    );
    for (const { held, ...row } of rows)
      yield used === undefined ? row : { ...row, used: Number(row.used) - Number(held) };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = key.map((name) => last[name] as Cell);
  }
}

const pageRows = 500;

/** Cell names are columns. */
async function importRow(run: RunSql, table: Table, row: Row): Promise<"added" | "known"> {
  const { key } = tables[table];
  const names = Object.keys(row);
  const marks = names.map((_, index) => `$${index + 1}`).join(", ");
  const insert = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks}) ON CONFLICT DO NOTHING RETURNING ${key[0]}`;
  const added = await run(
    insert,
    names.map((name) => row[name] as Cell),
  );
  if (added.length > 0) return "added";
  const where = key.map((name, index) => `${name} = $${index + 1}`).join(" AND ");
  const [known] = await run(
    `SELECT ${names.join(", ")} FROM ${table} WHERE ${where}`,
    key.map((name) => row[name] as Cell),
  );
  if (known !== undefined && names.every((name) => known[name] === row[name])) return "known";
  const named = key.map((name) => row[name]).join(" ");
  throw new TransferError(`The ledger has another state of ${table} ${named}. Import into a new ledger.`);
}

/** A mistake in the file, no outage. */
function refuseRow(failure: Error, table: Table, place: number): never {
  const { code, message } = (failure.cause ?? {}) as { code?: string; message?: string };
  if (!tableRefusal.test(code ?? "")) throw failure;
  throw new TransferError(`Line ${place}: the ledger refuses this row of ${table}: ${message}.`, { cause: failure });
}

/** Wrong values and broken constraints, of PostgreSQL and SQLite. */
const tableRefusal = /^(?:2[23]|SQLITE_(?:CONSTRAINT|MISMATCH))/;

function checkHead({ ledger, schema }: Record<string, unknown>): void {
  if (ledger !== "txgloss" || typeof schema !== "number") throw new TransferError("This is not an export of a ledger.");
  if (schema > schemaVersion) throw new LedgerVersionError(schema);
}

function readLine(line: string, place: number): Record<string, unknown> {
  const value = parseJson(line);
  if (value === undefined) throw new TransferError(`Line ${place} is not JSON.`);
  if (value === null || typeof value !== "object") throw new TransferError(`Line ${place} is not an object.`);
  return value as Record<string, unknown>;
}

function readEntry(entry: Record<string, unknown>, place: number): [Table, Row] {
  const [name = "", value] = Object.entries(entry)[0] ?? [];
  const table = tableNames.find((known) => known === name);
  const cells = value !== null && typeof value === "object" ? Object.values(value) : [undefined];
  if (
    table === undefined ||
    !cells.every((cell) => cell === null || typeof cell === "string" || Number.isSafeInteger(cell))
  )
    throw new TransferError(`Line ${place} is not a row of the ledger.`);
  return [table, value as Row];
}

function newSums() {
  return {
    payments: { rows: 0, amount: 0, settled: 0 },
    passes: { rows: 0, calls: 0, used: 0 },
    allowance: { rows: 0, used: 0 },
    bought_lines: { rows: 0 },
  };
}

function addTo(sums: TransferSums, table: Table, row: Row): void {
  sums[table].rows++;
  if (table === "payments") {
    sums.payments.amount += Number(row.amount);
    if (row.state === "settled") sums.payments.settled += Number(row.amount);
    return;
  }
  if (table === "bought_lines") return;
  sums[table].used += Number(row.used);
  if (table === "passes") sums.passes.calls += Number(row.call_cap);
}

function toLine(value: unknown): string {
  return JSON.stringify(value);
}
