import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../../src/kernel/error.ts";
import { andThen } from "../../../../src/kernel/maybe-promise.ts";
import { ProcessCalls } from "../../../../src/serve/access/ledger/calls/process-calls.ts";
import { statement } from "../../../../src/serve/access/ledger/database.ts";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { openSqlite } from "../../../../src/serve/access/ledger/sqlite.ts";
import { findAnvil, startChain, type TestChain } from "../../../support/anvil.ts";
import { newDirectory, openMeteredServer } from "../../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../../support/payer.ts";
import { hashOf } from "../../../support/sample.ts";
import { payment, rich } from "./sample-payment.ts";

/** Another program that begins to write to the file and does not finish. */
function lock(dataDir: string): { release: () => void } {
  const other = new DatabaseSync(join(dataDir, "ledger.sqlite"));
  other.exec("BEGIN IMMEDIATE");
  return {
    release() {
      other.exec("ROLLBACK");
      other.close();
    },
  };
}

/** Whether a promise is still open after several turns of the event loop. */
async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  let open = true;
  const end = () => {
    open = false;
  };
  promise.then(end, end);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  return open;
}

describe("a lock of another program on the ledger", () => {
  it("makes a write wait without holding up the event loop, and reads not at all", async () => {
    const dataDir = newDirectory();
    const ledger = await openLedger({ dataDir });
    const { release } = lock(dataDir);
    const opened = Promise.resolve(ledger.openPayment(payment("one"), rich));
    expect(await isWaiting(opened)).toBe(true);
    expect(await ledger.findPayment("one")).toBeUndefined();
    expect((await ledger.takeFree("client", 1, 5))?.count).toBe(1);
    release();
    expect(await opened).toBe(true);
    await ledger.close();
  });

  it("makes the opening of a ledger wait too", async () => {
    const dataDir = newDirectory();
    await (await openLedger({ dataDir })).close();
    const { release } = lock(dataDir);
    const opening = openLedger({ dataDir });
    expect(await isWaiting(opening)).toBe(true);
    release();
    await (await opening).close();
  });

  it("is a failure when it lasts too long: charges are kept, and no call is taken until they are written", async () => {
    const dataDir = newDirectory();
    const database = await openSqlite(dataDir, 20);
    const readUsed = (client: string, day: number) =>
      andThen(database.first(statement("readFree"), client, day), (row) => Number(row?.used ?? 0));
    const calls = new ProcessCalls({ database, readUsed, readPass: () => undefined });
    const { release } = lock(dataDir);
    const charge = { statement: statement("chargeFree"), values: ["other", 1, 3] };
    await expect(database.inOneTransaction([charge])).rejects.toMatchObject({ code: "ledger_unavailable" });
    for (let call = 0; call < 3; call++) (await calls.takeFree("client", 1, 5))?.charge();
    await vi.waitFor(() => expect(() => calls.check()).toThrow(ServiceError), 5_000);
    expect(() => calls.takeFree("client", 1, 5)).toThrow(ServiceError);
    expect(await calls.readFree("client", 1)).toBe(3);
    release();
    await vi.waitFor(() => calls.check(), 5_000);
    expect(await readUsed("client", 1)).toBe(3);
    expect((await calls.takeFree("client", 1, 5))?.count).toBe(4);
    await calls.close();
    await database.close();
  });
});

describe("charges while another program holds the lock", () => {
  it("are written once each after it, whenever they came", async () => {
    const dataDir = newDirectory();
    const ledger = await openLedger({ dataDir });
    const { release } = lock(dataDir);
    for (let call = 1; call <= 30; call++) {
      const taken = await ledger.takeFree("client", 1, 99);
      expect(taken?.count).toBe(call);
      taken?.charge();
      await new Promise((resolve) => setImmediate(resolve));
    }
    release();
    await ledger.close();
    const again = await openLedger({ dataDir });
    expect(await again.readFree("client", 1)).toBe(30);
    await again.close();
  });
});

describe.skipIf(findAnvil() === undefined)("a service whose ledger is locked", () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startChain();
  });
  afterAll(() => chain?.stop());

  it("answers /healthz, free calls and passes meanwhile, and the payment after it", async () => {
    const dataDir = newDirectory();
    const server = await openMeteredServer({
      rpcUrl: chain.url,
      gasKey: await chain.createGasKey(),
      ledger: { dataDir },
      settings: { freeCallsPerDay: 1 },
    });
    const account = await chain.createPayer(20_000_000n);
    const required = decode((await server.buyPass()).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account })) };
    const { release } = lock(dataDir);
    let bought = false;
    const buying = server.buyPass(header).then((reply) => {
      bought = true;
      return reply;
    });
    expect((await server.explain(hashOf(1))).status).toBe(200);
    for (let ask = 0; ask < 5; ask++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(bought).toBe(false);
    release();
    expect((await buying).status).toBe(200);
    await server.close();
  });
});
