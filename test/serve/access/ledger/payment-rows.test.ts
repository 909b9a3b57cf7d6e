import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../../src/kernel/error.ts";
import {
  migrationsAfter,
  refuseLedger,
  schemaVersion,
  statement,
} from "../../../../src/serve/access/ledger/database.ts";
import { createPaymentRows } from "../../../../src/serve/access/ledger/payment-rows.ts";
import { readRow } from "../../../../src/serve/access/ledger/rows.ts";
import { isServerAway } from "../../../../src/serve/access/ledger/server-away.ts";
import { type Asked, noteDatabase } from "./noting-database.ts";
import { payment } from "./sample-payment.ts";

/** Payment rows over a database that gives one row or none and reports `changed` changed rows. */
function open(row?: Record<string, string | number | null>, changed = 1) {
  const { database, asked } = noteDatabase(
    () => (row === undefined ? [] : [row]),
    () => changed,
  );
  return { rows: createPaymentRows(database), asked };
}
const settle = { transaction: "0x1", now: 9 };
const pass = { id: "p", tokenHash: "h", expiresAt: 99, callCap: 5 };

describe("a step of a payment", () => {
  const most = Number.MAX_SAFE_INTEGER;
  it.each<[string, bigint, number]>([
    ["what is left beside it", 20_005n, 5],
    ["less than nothing", 19_999n, -1],
    ["what a number holds", BigInt(most) + 20_000n, most],
    ["no more than a number holds", BigInt(most) + 20_001n, most],
    ["a number below that", BigInt(most) + 19_999n, most - 1],
  ])("is opened with all its cells and %s", async (_name, balance, left) => {
    const { rows, asked } = open({ key: "k" });
    const one = payment("k", {
      openedBlock: 7,
      senders: "0x5",
      buyer: "b",
      lines: 3,
      claimKey: "c",
      answerUntil: 9,
      amount: 20_000n,
    });
    expect(await rows.openPayment(one, balance)).toBe(true);
    const cells = [
      "k",
      "explain",
      "f1",
      "0xaa",
      "0xbb",
      "0xcc",
      20_000,
      2_000,
      one.answer,
      1_000,
      7,
      "0x5",
      "b",
      3,
      "c",
      9,
    ];
    expect(asked).toEqual([
      ["turn", "0xaa"],
      ["openPayment", ...cells, "0xaa", left],
    ]);
    expect(await open().rows.openPayment(one, balance)).toBe(false);
  });

  it("takes it over if no process works on it", async () => {
    const { rows, asked } = open({ beat: "8" });
    expect(await rows.takeOver("k", { wallet: "0x5", beat: 7 })).toBe(8);
    expect(await open().rows.takeOver("k", { wallet: "0x5", beat: 7 })).toBeNull();
    await rows.beat("k");
    expect(asked).toEqual([
      ["takeOver", "0x5", "0x5", "k", 7],
      ["beat", "k"],
    ]);
  });

  it.each([
    [0, false],
    [1, true],
    [2, true],
  ])("is made where it changes %d rows: %s", async (changed, made) => {
    const { rows, asked } = open(undefined, changed);
    expect(await rows.settlePayment("k", { ...settle, pass: null })).toBe(made);
    expect(await rows.settlePayment("k", { ...settle, pass })).toBe(made);
    expect(await rows.dropPayment("k", { reason: "r", now: 9 })).toBe(made);
    expect(asked).toEqual([
      ["settlePayment", "0x1", 9, "k"],
      ["settlePayment", "0x1", 9, "k"],
      ["activatePass", "p", "h", 9, 99, 5, "k"],
      ["revivePass", 99, 9, "k"],
      ["dropPayment", "r", 9, "k"],
    ]);
  });

  it("is told nothing if no caller asks", async () => {
    const { rows, asked } = open();
    expect(await rows.confirmPayment("k", settle)).toBeUndefined();
    expect(await rows.undoPayment("k")).toBeUndefined();
    expect(await rows.losePayment("k", { reason: "r", now: 9 })).toBeUndefined();
    expect(asked).toEqual([
      ["confirmPayment", "0x1", 9, "k"],
      ["undoPayment", "k"],
      ["losePayment", "r", 9, 9, "k"],
      ["endPass", 9, 9, "k"],
    ]);
  });

  it("buys a line, and tells what the ledger holds for it", async () => {
    const { rows, asked } = open({ answer: "held", request: "r" });
    expect(await rows.buyLine("k", { request: "r", answer: "new", now: 9 })).toBe("held");
    const line: Asked = ["findLine", "k", "r"];
    expect(asked).toEqual([["lockPayment", "k"], ["buyLine", "r", "new", 9, "k"], line]);
    expect([await rows.findLine("k", "r"), await rows.listLines("k")]).toEqual(["held", ["r"]]);
    const none = open();
    expect(await none.rows.buyLine("k", { request: "r", answer: "new", now: 9 })).toBeNull();
    expect(await none.rows.listLines("k")).toEqual([]);
  });

  it("is found by its name, and listed by its block", async () => {
    const { rows, asked } = open({ key: "k", amount: 5 });
    const row = { key: "k", amount: 5n };
    expect([await rows.findPayment("k"), await rows.listOpenPayments(7), await rows.listUnconfirmed(8)]).toEqual([
      ...[row, [row], [row]],
    ]);
    expect(asked).toEqual([
      ["findPayment", "k"],
      ["listOpen", 7, 0],
      ["listUnconfirmed", 8],
    ]);
    expect(await open().rows.findPayment("k")).toBeUndefined();
    expect([await rows.hasOpenPayment("0x1", 9), await open().rows.hasOpenPayment("0x1", 9)]).toEqual([true, false]);
    expect(asked.at(-1)).toEqual(["hasOpen", "0x1", 9]);
  });
});

describe("a row", () => {
  it("has names in camel case, and amounts that do not overflow", () => {
    const row = { tx_hash: "0x1", amount: 5, opened_at: 1, call_cap_max: null, key: "k" };
    expect(readRow(row)).toEqual({ transaction: "0x1", amount: 5n, openedAt: 1, callCapMax: null, key: "k" });
    expect(readRow({ tx_hash: null, amount: 0 })).toEqual({ transaction: null, amount: 0n });
    expect(readRow({ used: 1 })).toStrictEqual({ used: 1 });
  });
});

describe("the texts of the ledger", () => {
  it("are statements without comments", () => {
    expect(statement("ping")).toEqual({ sql: "SELECT 1 AS one\n", kind: "read" });
    expect(statement("beat")).toEqual({
      ...{ sql: "UPDATE payments SET beat = beat + 1 WHERE key = $1 AND state = 'settling'\n\n", kind: "count" },
    });
    expect(statement("findPassOf").sql).toBe("SELECT * FROM passes WHERE payment_key = $1\n\n");
    expect(statement("chargeHeld").kind).toBe("count");
    expect(() => statement("nothing")).toThrow("statements.sql has no statement nothing");
  });

  it("are steps to the version of now", () => {
    const all = migrationsAfter(0);
    expect(all.map(({ version }) => version)).toEqual(Array.from({ length: schemaVersion }, (_, i) => i + 1));
    const steps = all.flatMap((one) => one.steps);
    expect(steps.filter((sql) => sql.trim() === "")).toEqual([]);
    expect(steps.filter((sql) => /CREATE|ALTER/.test(sql))).toEqual(steps);
    expect(steps[0]).toContain("CREATE TABLE allowance");
    expect(migrationsAfter(schemaVersion - 1)).toEqual(all.slice(-1));
    expect(migrationsAfter(schemaVersion)).toEqual([]);
    expect(() => migrationsAfter(schemaVersion + 1)).toThrow("Run the newer program, or restore a backup");
  });

  it("fail as one thing, unless it is said already", () => {
    const known = new ServiceError("overloaded");
    expect(() => refuseLedger(known)).toThrow(known);
    const cause = new Error("disk");
    expect(() => refuseLedger(cause)).toThrow(expect.objectContaining({ code: "ledger_unavailable", cause }));
    const newer = { code: "ledger_too_new", name: "LedgerVersionError" };
    const found = (() => {
      try {
        migrationsAfter(99);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(() => refuseLedger(found)).toThrow(expect.objectContaining(newer));
  });
});

describe("a server that is away", () => {
  const failed = (parts: object, message = "x") => Object.assign(new Error(message), parts);
  it.each<[boolean, string, unknown]>([
    [true, "a refused connection", failed({ code: "ECONNREFUSED" })],
    [true, "one that took too long", failed({}, "timeout expired")],
    [true, "one that ended", failed({}, "Connection terminated")],
    [true, "a connection exception", failed({ code: "08001" })],
    [true, "too many connections", failed({ code: "53300" })],
    [true, "a shutdown", failed({ code: "57P03" })],
    [true, "a server that only reads", failed({ code: "25006" })],
    [false, "another state of a transaction", failed({ code: "25P02" })],
    [true, "a cause of something else", failed({ code: "ledger_unavailable", cause: failed({ code: "EPIPE" }) })],
    [true, "one of several addresses", failed({ errors: [failed({ code: "E1" }), failed({ code: "EHOSTUNREACH" })] })],
    [false, "a wrong password", failed({ code: "28P01" })],
    [false, "a code that only contains one", failed({ code: "X08001" })],
    [false, "a code beside the text", failed({ code: "28P01" }, "connection terminated")],
    [false, "another text", failed({}, "disk I/O error")],
    [false, "no error", "timeout"],
  ])("%s: %s", (expected, _name, error) => {
    expect(isServerAway(error)).toBe(expected);
  });
});
