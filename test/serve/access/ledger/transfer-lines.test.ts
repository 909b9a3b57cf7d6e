import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { type LedgerDatabase, schemaVersion } from "../../../../src/serve/access/ledger/database.ts";
import { openDatabase } from "../../../../src/serve/access/ledger/ledger.ts";
import { exportLedger, importLedger } from "../../../../src/serve/access/ledger/transfer.ts";
import { newDirectory } from "../../../support/metered-server.ts";

/** A place without a disk, where there is one. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const opened: LedgerDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

/** A ledger that checks its statements: parameters must be named as PostgreSQL needs it, $1, $2, …, each once and in order. */
async function open(): Promise<LedgerDatabase> {
  const database = await openDatabase({ dataDir: newDirectory(memory) });
  opened.push(database);
  const session: LedgerDatabase["session"] = (mode, work) =>
    database.session(mode, (run) =>
      work((sql, values = []) => {
        expect(sql.match(/\$\d+/g) ?? []).toEqual(values.map((_, i) => `$${i + 1}`));
        return run(sql, values);
      }),
    );
  return { ...database, session };
}

const head = { ledger: "txgloss", schema: schemaVersion };
const paid = (key: string, state: string, amount: number) => ({
  ...{ key, product: "pass", fingerprint: "f", state, payer: "0xaa", nonce: "0xbb", pay_to: "0xcc", amount },
  ...{ valid_before: 9, answer: "{}", opened_at: 1, closed_at: null, tx_hash: null, reason: null, opened_block: 5 },
  ...{
    confirmed_at: null,
    attempts: 1,
    beat: 0,
    senders: "*",
    buyer: null,
    lines: 2,
    claim_key: null,
    answer_until: null,
  },
});
const pass = (id: string, payment_key: string, call_cap: number, used: number) => ({
  ...{ id, token_hash: "h", payment_key, created_at: 1, expires_at: 9, call_cap, used },
});
const rows = [
  { payments: paid("a", "settled", 10) },
  { payments: paid("b", "settling", 5) },
  { payments: paid("c", "settled", 7) },
  { bought_lines: { payment_key: "a", request: "r1", answer: "{}", bought_at: 3 } },
  { bought_lines: { payment_key: "a", request: "r2", answer: "{}", bought_at: 4 } },
  { passes: pass("p", "a", 8, 3) },
  { passes: pass("q", "c", 4, 1) },
  { allowance: { client: "x", day: 1, used: 2 } },
  { allowance: { client: "x", day: 2, used: 1 } },
];
const sums = {
  payments: { rows: 3, amount: 22, settled: 17 },
  passes: { rows: 2, calls: 12, used: 4 },
  allowance: { rows: 2, used: 3 },
  bought_lines: { rows: 2 },
};
const whole: object[] = [head, ...rows, { sums }];

const linesOf = (entries: readonly unknown[]) =>
  entries.map((one) => (typeof one === "string" ? one : JSON.stringify(one))) as unknown as AsyncIterable<string>;
const put = (database: LedgerDatabase, entries: readonly unknown[]) => importLedger(database, linesOf(entries));
async function get(database: LedgerDatabase): Promise<{ entries: object[]; told: object }> {
  const entries: object[] = [];
  const told = await exportLedger(database, (line) => void entries.push(JSON.parse(line)));
  return { entries, told };
}

describe("the lines of a ledger that moves", () => {
  it("are its head, its rows by their keys, and its sums", async () => {
    const database = await open();
    expect(await put(database, whole)).toEqual({ sums, added: 9, known: 0 });
    expect(await get(database)).toEqual({ entries: whole, told: sums });
    expect(await put(database, whole)).toEqual({ sums, added: 0, known: 9 });
    expect(await put(database, [head, rows[0], { sums: { ...sums, ...sumsOf([rows[0]]) } }])).toMatchObject({
      known: 1,
    });
  });

  it("are a head and no sums of an empty one", async () => {
    expect(await get(await open())).toEqual({ entries: [head, { sums: sumsOf([]) }], told: sumsOf([]) });
  });

  it.each([499, 500, 501, 1_000])("are as many as there are rows: %d", async (count) => {
    const database = await open();
    const many = Array.from({ length: count }, (_, day) => ({ allowance: { client: "x", day, used: 1 } }));
    const told = { ...sumsOf([]), allowance: { rows: count, used: count } };
    await put(database, [head, ...many, { sums: told }]);
    const { entries } = await get(database);
    expect(entries.slice(1, -1)).toEqual(many);
  });

  it("do not count calls that are held", async () => {
    const database = await open();
    await put(database, whole);
    await database.session("write", async (run) => {
      const hold = "INSERT INTO held_calls (instance, number, kind, name, day) VALUES ($1, $2, $3, $4, $5)";
      await run(hold, ["i", 1, "pass", "p", 0]);
      await run(hold, ["i", 2, "pass", "p", 0]);
      await run(hold, ["i", 3, "free", "x", 2]);
      await run(hold, ["i", 4, "free", "p", 1]);
    });
    const { entries, told } = await get(database);
    expect(entries.slice(6, 10)).toEqual([
      ...[{ passes: pass("p", "a", 8, 1) }, { passes: pass("q", "c", 4, 1) }],
      ...[{ allowance: { client: "x", day: 1, used: 2 } }, { allowance: { client: "x", day: 2, used: 0 } }],
    ]);
    expect(told).toEqual({ ...sums, passes: { rows: 2, calls: 12, used: 2 }, allowance: { rows: 2, used: 2 } });
  });

  it("are written one at a time", async () => {
    const database = await open();
    let writing = 0;
    await exportLedger(database, async () => {
      expect(++writing).toBe(1);
      await Promise.resolve();
      writing--;
    });
    expect(writing).toBe(0);
  });
});

/** The sums of some rows, as the file tells them. */
function sumsOf(some: readonly unknown[]) {
  const of = (table: string) =>
    some.filter((one) => table in (one as object)).map((one) => Object.values(one as object)[0]);
  const payments = of("payments") as { amount: number; state: string }[];
  const amount = (list: typeof payments) => list.reduce((sum, one) => sum + one.amount, 0);
  return {
    payments: {
      rows: payments.length,
      amount: amount(payments),
      settled: amount(payments.filter((one) => one.state === "settled")),
    },
    passes: { rows: 0, calls: 0, used: 0 },
    allowance: { rows: 0, used: 0 },
    bought_lines: { rows: 0 },
  };
}

describe("lines that are refused", () => {
  const cut = "The sums at the end are missing: the file was cut off.";
  const missing = "The sums at the end are not those of the rows: lines are missing.";
  const noExport = "This is not an export of a ledger.";
  it.each<[string, unknown[], string]>([
    ["nothing", [], cut],
    ["no sums", whole.slice(0, -1), cut],
    ["other sums", [...whole.slice(0, -1), { sums: { ...sums, allowance: { rows: 2, used: 4 } } }], missing],
    ["a row that is missing", [...whole.slice(0, 3), ...whole.slice(4)], missing],
    ["a row after the sums", [...whole, rows[0]], "Line 12 comes after the sums."],
    ["sums twice", [...whole, { sums }], "Line 12 comes after the sums."],
    ["sums that are none", [head, { sums: 3 }, { sums }], "Line 3 comes after the sums."],
    ["another head", [{ ledger: "other", schema: 1 }, ...rows, { sums }], noExport],
    ["a head without a version", [{ ledger: "txgloss", schema: "1" }, ...rows, { sums }], noExport],
    ["a line that is not JSON", [head, "{"], "Line 2 is not JSON."],
    ["nothing in a line", [head, "null"], "Line 2 is not an object."],
    ["a number in a line", [head, "3"], "Line 2 is not an object."],
    ["an empty line", [head, {}], "Line 2 is not a row of the ledger."],
    ["another table", [head, { held_calls: { number: 1 } }], "Line 2 is not a row of the ledger."],
    ["a row that is a text", [head, { passes: "x" }], "Line 2 is not a row of the ledger."],
    ["no row", [head, { passes: null }], "Line 2 is not a row of the ledger."],
    ["a cell that is an object", [head, { passes: { id: "p", used: {} } }], "Line 2 is not a row of the ledger."],
    ["a cell that is true", [head, { passes: { id: "p", used: true } }], "Line 2 is not a row of the ledger."],
    ["other columns", [head, { passes: { id: "p", odd: 1, off: 2 } }], "Line 2: passes has no odd, off."],
    [
      "another state of a row",
      [head, { allowance: { client: "x", day: 1, used: 9 } }],
      "The ledger has another state of allowance x 1. Import into a new ledger.",
    ],
    [
      "another state in one cell",
      [head, { bought_lines: { payment_key: "a", request: "r1", answer: "{1}", bought_at: 3 } }],
      "The ledger has another state of bought_lines a r1. Import into a new ledger.",
    ],
    [
      "another row of something that is there once",
      [head, { passes: pass("other", "a", 8, 3) }],
      "The ledger has another state of passes other. Import into a new ledger.",
    ],
  ])("are %s, and nothing of them is imported", async (_name, entries, message) => {
    const database = await open();
    await put(database, whole);
    const error = { name: "TransferError", message };
    await expect(put(database, entries)).rejects.toMatchObject(error);
    expect((await get(database)).entries).toEqual(whole);
  });

  it("are those of a newer program", async () => {
    const database = await open();
    const newer = { ...head, schema: schemaVersion + 1 };
    await expect(put(database, [newer, ...rows, { sums }])).rejects.toMatchObject({ code: "ledger_too_new" });
    expect(await put(database, [{ ...head, schema: 1 }, ...rows, { sums }])).toMatchObject({ added: 9 });
  });

  it("are not those of one that knew no lines of batches", async () => {
    const { bought_lines: _none, ...older } = sums;
    const database = await open();
    const some = rows.filter((row) => !("bought_lines" in row));
    expect(await put(database, [head, ...some, { sums: older }])).toMatchObject({ added: 7 });
  });
});
