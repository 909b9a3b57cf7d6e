import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LedgerDatabase } from "../../../../src/serve/access/ledger/database.ts";
import { createPaymentRows } from "../../../../src/serve/access/ledger/payment-rows.ts";
import { openPostgres } from "../../../../src/serve/access/ledger/postgres.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../../support/postgres.ts";
import { payment, rich } from "./sample-payment.ts";

/** How many milliseconds a client may be silent in this test. It is less than the time that a write waits for a lock. */
const silentMs = 1_000;

/**
 * A network in front of the server. It cuts a connection right after that connection sent a given text, like a machine that dies: neither
 * side is told.
 */
async function startNetwork(url: string) {
  let lastText: string | undefined;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
    let dead = false;
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(from);
      from.on("error", () => {});
      from.on("data", (bytes) => {
        if (dead) return;
        to.write(bytes);
        dead = lastText !== undefined && bytes.includes(lastText);
      });
      from.on("end", () => dead || to.end());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    /** The machine of whoever sends this dies right after it. */
    dieAfter(text: string) {
      lastText = text;
    },
    /** The machine is back. Its old connections are gone, and new ones work. */
    comeBack() {
      lastText = undefined;
      for (const socket of open) socket.destroy();
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.skipIf(findPostgres() === undefined)("a client of PostgreSQL that falls silent", () => {
  let postgres: TestPostgres;
  let databases = 0;
  let url: string;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres?.remove(), 60_000);
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(place: string): Promise<LedgerDatabase> {
    const database = await openPostgres(place, silentMs);
    closing.push(() => database.close());
    return database;
  }

  /** Two replicas, and the network of the first one. */
  async function openTwo() {
    url = await postgres.createDatabase(`silent_${++databases}`);
    const network = await startNetwork(url);
    closing.push(() => network.close());
    const [dying, other] = [await open(network.url), await open(url)];
    return { network, dying: createPaymentRows(dying), other: createPaymentRows(other) };
  }

  it("between a write and its commit: another replica writes, and the write is made once", async () => {
    const { network, dying, other } = await openTwo();
    await dying.openPayment(payment("one", { product: "pass" }), rich);
    const pass = { id: "p1", tokenHash: "h1", expiresAt: 5_000, callCap: 2 };
    network.dieAfter("UPDATE payments SET state = 'settled'");
    const lost = dying.settlePayment("one", { transaction: "0x01", now: 2, pass });
    await untilSilent(url);
    expect(await other.settlePayment("one", { transaction: "0x01", now: 3, pass })).toBe(true);
    network.comeBack();
    expect(await lost).toBe(false);
    expect(await other.findPayment("one")).toMatchObject({ state: "settled", closedAt: 3 });
  });

  it("while it opens a payment: the payer pays at another replica", async () => {
    const { network, dying, other } = await openTwo();
    network.dieAfter("INSERT INTO payments");
    const lost = Promise.resolve(dying.openPayment(payment("one"), 20_000n));
    const refused = expect(lost).rejects.toMatchObject({ code: "ledger_unavailable" });
    await untilSilent(url);
    expect(await other.openPayment(payment("two"), 20_000n)).toBe(true);
    network.comeBack();
    await refused;
    expect(await other.findPayment("one")).toBeUndefined();
    expect(await dying.openPayment(payment("one"), 20_000n)).toBe(false);
  });

  it.each(["read", "write"] as const)("is not ended in a session to %s, which may take its time", async (mode) => {
    url = await postgres.createDatabase(`silent_${++databases}`);
    const database = await open(url);
    const other = new pg.Client({ connectionString: url, idle_in_transaction_session_timeout: silentMs });
    closing.push(() => other.end());
    // It is told why, then its connection ends.
    const ended = new Promise((resolve) => other.on("error", resolve));
    await other.connect();
    const used = await database.session(mode, async (run) => {
      await run("SELECT 1");
      // This one falls silent later, and is ended.
      await other.query("BEGIN");
      expect(await ended).toMatchObject({ code: "25P03" });
      return run("SELECT 2 AS two");
    });
    expect(used).toEqual([{ two: 2 }]);
    const shown = { sql: "SHOW idle_in_transaction_session_timeout", kind: "read" } as const;
    expect(await database.first(shown)).toEqual({ idle_in_transaction_session_timeout: "1s" });
  });
});

/** Waits until the server waits for a client that has begun a transaction. */
async function untilSilent(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const sql = `SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()
    AND query ~ '^(UPDATE|INSERT)'`;
  while ((await client.query(sql)).rows.length === 0) await new Promise(setImmediate);
  await client.end();
}
