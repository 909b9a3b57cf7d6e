import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statement } from "../../../../src/serve/access/ledger/database.ts";
import { type Ledger, openDatabase, openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { isServerAway } from "../../../../src/serve/access/ledger/server-away.ts";
import { findAnvil, startChain, type TestChain } from "../../../support/anvil.ts";
import { openMeteredServer } from "../../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../../support/payer.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../../support/postgres.ts";
import { hashOf } from "../../../support/sample.ts";
import { payment, rich } from "./sample-payment.ts";

// An error event without a listener ends the process. Here it would fail the whole run.
describe.skipIf(findPostgres() === undefined)("an outage of PostgreSQL", { timeout: 60_000 }, () => {
  let postgres: TestPostgres;
  let databases = 0;
  let databaseUrl: string;
  let ledger: Ledger;

  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres?.remove(), 60_000);

  async function open(): Promise<void> {
    databaseUrl = await postgres.createDatabase(`outage_${++databases}`);
    ledger = await openLedger({ databaseUrl });
  }

  /** A transaction of another client that makes every write to the payments wait. */
  async function lockPayments(mode = "SHARE"): Promise<{ release: () => Promise<void> }> {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on("error", () => {});
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE payments IN ${mode} MODE`);
    return { release: () => client.query("ROLLBACK").then(() => client.end()) };
  }

  /** Waits until this many connections of the service wait for a lock. */
  async function untilWaiting(count: number): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const sql =
      "SELECT COUNT(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'txgloss' AND datname = current_database()";
    while ((await client.query<{ n: number }>(sql)).rows[0]?.n !== count) await new Promise(setImmediate);
    await client.end();
  }

  it("in the middle of a transaction: it is done again, once", async () => {
    await open();
    const pass = { id: "p1", tokenHash: "h1", expiresAt: 5_000, callCap: 2 };
    await ledger.openPayment(payment("one", { product: "pass" }), rich);
    for (let round = 0; round < 4; round++) {
      const { release } = await lockPayments();
      const settled = ledger.settlePayment("one", { transaction: "0x01", now: 2, pass });
      await untilWaiting(1);
      await postgres.cutOff(databaseUrl);
      await release();
      expect(await settled).toBe(round === 0);
    }
    expect(await ledger.findPayment("one")).toMatchObject({ state: "settled", closedAt: 2 });
    expect(await ledger.findPass("p1")).toMatchObject({ used: 0, callCap: 2 });
    await ledger.close();
  });

  it("while a payment waits for its turn: it is refused and not opened", async () => {
    await open();
    const holder = new pg.Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query(statement("lockTurn").sql, [payment("one").payer]);
    const opened = Promise.resolve(ledger.openPayment(payment("one"), rich));
    const refused = expect(opened).rejects.toMatchObject({ code: "ledger_unavailable" });
    await untilWaiting(1);
    expect(await ledger.openPayment(payment("two", { payer: "0xother" }), rich)).toBe(true);
    await postgres.cutOff(databaseUrl);
    await refused;
    await holder.end();
    expect(await ledger.findPayment("one")).toBeUndefined();
    expect(await ledger.openPayment(payment("one"), rich)).toBe(true);
    await ledger.close();
  });

  it("between two requests: the next one notices nothing", async () => {
    await open();
    await ledger.openPayment(payment("one"), rich);
    for (let round = 0; round < 8; round++) {
      await Promise.all(Array.from({ length: 10 }, () => ledger.findPayment("one")));
      await postgres.cutOff(databaseUrl);
      expect(await ledger.findPayment("one")).toMatchObject({ state: "settling" });
      await postgres.cutOff(databaseUrl);
      const taken = await ledger.takeFree("client", 1, 99);
      expect(taken?.count).toBeGreaterThan(round);
      taken?.charge();
    }
    await ledger.close();
    const again = await openLedger({ databaseUrl });
    expect(await again.readFree("client", 1)).toBe(8);
    await again.close();
  });

  it.each(["stop", "crash"] as const)(
    "%s and start: refused meanwhile, what was settled is written after it",
    async (how) => {
      await open();
      await ledger.openPayment(payment("one"), rich);
      const taken = await ledger.takeFree("client", 1, 5);
      await postgres[how]();
      await expect(ledger.openPayment(payment("two"), rich)).rejects.toMatchObject({ code: "ledger_unavailable" });
      taken?.charge();
      const settled = Promise.resolve(ledger.settlePayment("one", { transaction: "0x01", now: 2, pass: null }));
      const [changed] = await Promise.all([settled, postgres.restart()]);
      expect(changed).toBe(true);
      expect(await ledger.findPayment("one")).toMatchObject({ state: "settled" });
      expect(await ledger.findPayment("two")).toBeUndefined();
      await ledger.close();
      const again = await openLedger({ databaseUrl });
      expect(await again.readFree("client", 1)).toBe(1);
      await again.close();
    },
  );

  it("that only makes it slow: refused in time, and the connection is used again", async () => {
    await open();
    const { release } = await lockPayments("ACCESS EXCLUSIVE");
    await expect(ledger.findPayment("one")).rejects.toMatchObject({ code: "ledger_unavailable" });
    await release();
    expect(await ledger.findPayment("one")).toBeUndefined();
    await ledger.close();
  });

  it("after which an old connection only reads: it is written over a new one", async () => {
    databaseUrl = await postgres.createDatabase(`outage_${++databases}`);
    const database = await openDatabase({ databaseUrl });
    await database.all({ sql: "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", kind: "read" });
    const charge = { statement: statement("chargeFree"), values: ["client", 1, 2] };
    expect(await database.inOneTransaction([charge])).toBe(1);
    expect(await database.first(statement("readFree"), "client", 1)).toEqual({ used: 2 });
    await database.close();
  });

  it("that leaves a server which only reads: it is not ready, and waiting is worth it", async () => {
    await open();
    const turn = (onlyReads: boolean) => {
      const alter = `ALTER DATABASE outage_${databases} SET default_transaction_read_only = ${onlyReads}`;
      return postgres.cutOff(databaseUrl, `BEGIN READ WRITE; ${alter}; COMMIT`);
    };
    await turn(true);
    const away = openLedger({ databaseUrl }).catch((thrown: unknown) => thrown);
    expect(isServerAway(await away)).toBe(true);
    expect(await ledger.readFree("client", 1)).toBe(0);
    for (let look = 0; look < 3; look++) {
      await ledger.ping();
      await expect(ledger.watchCalls()).rejects.toMatchObject({ code: "ledger_unavailable" });
    }
    expect(() => ledger.ping()).toThrow(expect.objectContaining({ code: "ledger_unavailable" }));
    await turn(false);
    // The first write finds a connection that is broken.
    await ledger.watchCalls().catch(() => {});
    await ledger.watchCalls();
    await ledger.ping();
    await ledger.close();
  });

  it.skipIf(findAnvil() === undefined)("while a payment is settled: paid once, delivered", async () => {
    const chain: TestChain = await startChain();
    databaseUrl = await postgres.createDatabase(`outage_${++databases}`);
    const server = await openMeteredServer({
      rpcUrl: chain.url,
      gasKey: await chain.createGasKey(),
      ledger: { databaseUrl },
      settings: { freeCallsPerDay: 0 },
    });
    for (let round = 0; round < 4; round++) {
      const account = await chain.createPayer(1_000_000n);
      const required = decode((await server.explain(hashOf(1))).headers.get("payment-required"));
      const header = { "payment-signature": encode(await signPayment({ required, account })) };
      const { release } = await lockPayments();
      const asked = server.explain(hashOf(1), header);
      await untilWaiting(1);
      await postgres.cutOff(databaseUrl);
      await release();
      expect([200, 503]).toContain((await asked).status);
      expect((await server.explain(hashOf(1), header)).status).toBe(200);
      expect(await chain.balance(account.address)).toBe(980_000n);
    }
    await server.close();
    await chain.stop();
  });
});
