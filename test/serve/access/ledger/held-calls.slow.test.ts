import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../../src/kernel/error.ts";
import { type Ledger, openDatabase, openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { exportLedger } from "../../../../src/serve/access/ledger/transfer.ts";
import { createPasses } from "../../../../src/serve/access/quota/pass.ts";
import type { LedgerSettings } from "../../../../src/serve/settings/payment-settings.ts";
import { newDirectory, openMeteredServer, passSecret } from "../../../support/metered-server.ts";
import { findPostgres } from "../../../support/postgres.ts";
import { hashOf } from "../../../support/sample.ts";
import { newPlaces } from "./new-places.ts";
import { payment, rich, sellPass } from "./sample-payment.ts";

const nowhere = "http://127.0.0.1:1";
const { stores, newDatabase, server } = newPlaces();

/** Sells a pass of five calls for the service of the tests. Gives its token. */
async function sellToken(place: LedgerSettings): Promise<string> {
  const ledger = await openLedger(place);
  const passes = createPasses({ ledger, secrets: [passSecret], now: Date.now });
  const now = Math.floor(Date.now() / 1000);
  await ledger.openPayment(payment("bought", { product: "pass" }), rich);
  const pass = passes.issue("bought", { seconds: 3_600, calls: 5 }, now);
  await ledger.settlePayment("bought", { transaction: "0x01", now, pass });
  const sold = await ledger.findPassOf("bought");
  await ledger.close();
  return String(passes.describe(sold as NonNullable<typeof sold>)?.pass_token);
}

/** How many calls the pass has left when no instance works and the calls that dead instances held are given back. */
async function leftOf(place: LedgerSettings): Promise<number> {
  const ledger = await openLedger(place);
  for (let look = 0; look < 7; look++) await ledger.watchCalls();
  const pass = await ledger.findPassOf("bought");
  await ledger.close();
  return pass === undefined ? Number.NaN : pass.callCap - pass.used;
}

describe.each(stores)("a service that is killed, with %s", (_name, newPlace, missing) => {
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill("SIGKILL");
  });

  async function start(place: LedgerSettings, options: { dieAt?: string; freeCallsPerDay?: number }) {
    const { dieAt, freeCallsPerDay = 0 } = options;
    const settings = { rpcUrl: nowhere, ledger: place, dieAt, settings: { freeCallsPerDay } };
    const facilitator = { facilitator: { kind: "http", url: nowhere } };
    const path = fileURLToPath(new URL("../../../support/metered-server-process.ts", import.meta.url));
    const child = spawn(process.execPath, [path, JSON.stringify({ ...settings, ...facilitator })], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    const url = String((await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value);
    return { child, gone, url };
  }

  function ask(url: string, token: string | undefined, hash = hashOf(1)): Promise<Response> {
    const pass = token === undefined ? {} : { "x-svc-pass": token };
    const headers = { "content-type": "application/json", ...pass };
    return fetch(`${url}/explain`, { method: "POST", headers, body: JSON.stringify({ tx_hash: hash }) });
  }

  const points = [
    "ledger.takePassCall:before",
    "ledger.takePassCall:after",
    "work:before",
    "work:after",
    "reply:before",
  ];
  it.skipIf(missing).each(points)("at %s: the call of the pass is not lost", { timeout: 60_000 }, async (dieAt) => {
    const place = await newPlace();
    const token = await sellToken(place);
    const { url, gone } = await start(place, { dieAt });
    await expect(ask(url, token)).rejects.toThrow();
    await gone;
    expect(await leftOf(place)).toBe(5);
  });

  it.skipIf(missing)("after answers: only written charges stay", { timeout: 60_000 }, async () => {
    const place = await newPlace();
    const token = await sellToken(place);
    const first = await start(place, {});
    for (const left of ["4", "3"]) expect((await ask(first.url, token)).headers.get("x-svc-pass-remaining")).toBe(left);
    const reader = await openDatabase(place);
    // An export leaves out what is only held.
    const charged = async () => (await exportLedger(reader, () => {})).passes.used;
    await vi.waitFor(async () => expect(await charged()).toBe(2), 5_000);
    await reader.close();
    first.child.kill("SIGKILL");
    await first.gone;
    expect(await leftOf(place)).toBe(3);
    const second = await start(place, {});
    expect((await ask(second.url, token)).headers.get("x-svc-pass-remaining")).toBe("2");
  });
});

describe("a call that is held", () => {
  it("is not lost if reading the number of calls left fails", async () => {
    const place = { dataDir: newDirectory() };
    const token = await sellToken(place);
    let broken = true;
    const server = await openMeteredServer({
      rpcUrl: nowhere,
      facilitator: { kind: "http", url: nowhere },
      ledger: place,
      settings: { freeCallsPerDay: 0 },
      gather: async () => Promise.reject(new ServiceError("upstream_unavailable")),
      change: (parts) => ({
        ...parts,
        ledger: {
          ...parts.ledger,
          readFree: (client, day) => {
            if (broken) throw new ServiceError("ledger_unavailable");
            return parts.ledger.readFree(client, day);
          },
        },
      }),
    });
    expect((await server.explain(hashOf(1), { "x-svc-pass": token })).status).toBe(503);
    broken = false;
    const refused = await server.explain(hashOf(1), { "x-svc-pass": token });
    expect([refused.status, refused.headers.get("x-svc-pass-remaining")]).toEqual([503, "5"]);
    await server.close();
    expect(await leftOf(place)).toBe(5);
  });

  it("is charged only while no other instance holds it: never more calls at once than are left", async () => {
    const ledger = await openLedger({ dataDir: newDirectory() });
    await sellPass(ledger, "p1", 1);
    const held = await ledger.takePassCall("p1", 1_000);
    expect(await ledger.takePassCall("p1", 1_000)).toBeNull();
    expect(await held?.giveBack()).toBe(1);
    // Ending it again changes nothing.
    held?.charge();
    expect(await held?.giveBack()).toBe(1);
    expect((await ledger.takePassCall("p1", 1_000))?.count).toBe(0);
    await ledger.close();
  });
});

describe.skipIf(findPostgres() === undefined)("calls of instances that share PostgreSQL", { timeout: 60_000 }, () => {
  async function openTwo(): Promise<{ place: LedgerSettings; one: Ledger; two: Ledger }> {
    const place = await newDatabase();
    const [one, two] = [await openLedger(place), await openLedger(place)];
    await sellPass(one, "p1", 2);
    return { place, one, two };
  }

  const used = async (ledger: Ledger) => (await ledger.findPass("p1"))?.used;

  it("are no more at once than are left, and go from one to the other", async () => {
    const { one, two } = await openTwo();
    const [first, second] = [await one.takePassCall("p1", 1_000), await two.takePassCall("p1", 1_000)];
    expect([first?.count, second?.count]).toEqual([1, 0]);
    expect(await one.takePassCall("p1", 1_000)).toBeNull();
    expect(await second?.giveBack()).toBe(1);
    expect((await one.takePassCall("p1", 1_000))?.count).toBe(0);
    await Promise.all([one.close(), two.close()]);
  });

  it("are given back when their instance gives no sign of life, and only then", async () => {
    const { one, two } = await openTwo();
    await one.takePassCall("p1", 1_000);
    await one.takeFree("client", 1, 5);
    for (let look = 0; look < 12; look++) {
      await one.watchCalls();
      expect(await two.watchCalls()).toBe(0);
    }
    expect(await used(two)).toBe(1);
    const given: number[] = [];
    for (let look = 0; look < 7; look++) given.push(await two.watchCalls());
    expect(given.reduce((sum, calls) => sum + calls)).toBe(2);
    expect([await used(two), await two.readFree("client", 1)]).toEqual([0, 0]);
    await Promise.all([one.close(), two.close()]);
    expect(given.slice(0, 4)).toEqual([0, 0, 0, 0]);
  });

  it("are charged even if their instance only seemed dead", async () => {
    const { place, one, two } = await openTwo();
    const [call, free] = [await one.takePassCall("p1", 1_000), await one.takeFree("client", 1, 5)];
    for (let look = 0; look < 8; look++) await two.watchCalls();
    expect(await used(two)).toBe(0);
    call?.charge();
    free?.charge();
    await one.close();
    expect([await used(two), await two.readFree("client", 1)]).toEqual([1, 1]);
    await two.close();
    const three = await openLedger(place);
    for (let look = 0; look < 8; look++) expect(await three.watchCalls()).toBe(0);
    await three.close();
  });

  it("are given back later when the database is away at that moment", async () => {
    const { one, two } = await openTwo();
    const held = await one.takePassCall("p1", 1_000);
    await server()?.stop();
    expect(await held?.giveBack()).toBeNull();
    await expect(one.takePassCall("p1", 1_000)).rejects.toMatchObject({ code: "ledger_unavailable" });
    await server()?.restart();
    expect([await used(two), await one.watchCalls(), await used(two)]).toEqual([1, 1, 0]);
    await Promise.all([one.close(), two.close()]);
  });

  it("are given back when an instance stops in order", async () => {
    const { one, two } = await openTwo();
    await one.watchCalls();
    await one.takePassCall("p1", 1_000);
    const answered = await one.takePassCall("p1", 1_000);
    answered?.charge();
    await one.close();
    expect(await used(two)).toBe(1);
    await two.close();
  });
});
