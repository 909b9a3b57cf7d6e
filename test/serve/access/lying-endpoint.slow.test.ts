import { toFunctionSelector } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LedgerSettings } from "../../../src/serve/settings/payment-settings.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, newDirectory, openMeteredServer } from "../../support/metered-server.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { type Meddle, startRelay } from "../../support/rpc-relay.ts";
import { hashOf } from "../../support/sample.ts";
import { signedPayment } from "./doubted-payment.ts";

const stateCall = toFunctionSelector("authorizationState(address,bytes32)");
const unused = { result: `0x${"0".repeat(64)}` };

/** Claims that nothing was ever paid and that it is ten days later. `withReceipts`: it does not deny the receipts. */
const denying =
  (withReceipts: boolean): Meddle =>
  async ({ method, params }, ask) => {
    if (method === "eth_getBlockByNumber") {
      const { result } = (await ask()) as { result: { timestamp: string } };
      return { result: { ...result, timestamp: `0x${(Number(result.timestamp) + 864_000).toString(16)}` } };
    }
    if (method === "eth_getTransactionReceipt" && !withReceipts) return { result: null };
    const { data = "" } = (params[0] ?? {}) as { data?: string };
    return method === "eth_call" && data.startsWith(stateCall) ? unused : undefined;
  };

/** Gives blocks that lie years in the future, and claims to know their state, until something is sent. */
const aheadUntilSent = (stop: () => void): Meddle => {
  return async ({ method, params }, ask) => {
    if (method === "eth_sendRawTransaction") stop();
    if (method === "eth_call") params[1] = "latest";
    if (method !== "eth_getBlockByNumber") return undefined;
    const { result } = (await ask()) as { result: { number: string } };
    return { result: { ...result, number: `0x${(Number(result.number) + 1e9).toString(16)}` } };
  };
};

const stores = ["sqlite", "postgres"] as const;

describe.skipIf(findAnvil() === undefined)("an endpoint that lies about payments", { timeout: 60_000 }, () => {
  let chain: TestChain;
  let relay: Awaited<ReturnType<typeof startRelay>>;
  let postgres: TestPostgres | undefined;
  let service: MeteredServer | undefined;
  let databases = 0;
  let lateMs = 0;

  beforeAll(async () => {
    chain = await startChain();
    relay = await startRelay(chain.url);
    if (findPostgres() !== undefined) postgres = await startPostgres();
  });
  beforeEach(() => {
    relay.meddleWith(null);
    lateMs = 0;
  });
  afterEach(async () => service?.close());
  afterAll(async () => {
    await relay?.stop();
    await postgres?.remove();
    await chain?.stop();
  });

  async function open(store: (typeof stores)[number], moreRpcUrls: readonly string[]) {
    const databaseUrl = store === "postgres" ? await postgres?.createDatabase(`lies${++databases}`) : undefined;
    const ledger: LedgerSettings = databaseUrl === undefined ? { dataDir: newDirectory() } : { databaseUrl };
    const gasKey = await chain.createGasKey();
    const told = { gasKey, ledger, settings: { freeCallsPerDay: 0 }, beatMs: 20, now: () => Date.now() + lateMs };
    const opened = await openMeteredServer({ rpcUrl: relay.url, moreRpcUrls, ...told });
    service = opened;
    return opened;
  }

  async function buyPass(server: MeteredServer) {
    const payment = await signedPayment({ chain, service: () => server }, "/pass");
    const { body } = await payment.send();
    const pass = { "x-svc-pass": String(body.pass_token) };
    await chain.pass(61, 2_000);
    return { payment, use: async (number: number) => (await server.explain(hashOf(number), pass)).status };
  }

  const outcomes = async (server: MeteredServer) =>
    (await server.access.reconcile(0)).map(({ outcome }) => outcome as string);

  describe.each(stores)("%s", (store) => {
    it("ends no pass while another endpoint shows the payment", async (context) => {
      if (store === "postgres" && postgres === undefined) return context.skip();
      const server = await open(store, [chain.url]);
      const { payment, use } = await buyPass(server);
      relay.meddleWith(denying(false));
      for (let look = 0; look < 3; look++) {
        expect(await outcomes(server)).toEqual(["unclear"]);
        expect([await payment.state(), await use(look)]).toEqual(["settled", 200]);
      }
      relay.meddleWith(null);
      expect(await outcomes(server)).toEqual(["confirmed"]);
      expect([await payment.state(), await use(9)]).toEqual(["confirmed", 200]);
    });

    it("ends no pass if it shows the transfer itself", async (context) => {
      if (store === "postgres" && postgres === undefined) return context.skip();
      const server = await open(store, []);
      const { payment, use } = await buyPass(server);
      relay.meddleWith(denying(true));
      expect([await outcomes(server), await outcomes(server)]).toEqual([["unclear"], ["unclear"]]);
      expect([await payment.state(), await use(1)]).toEqual(["settled", 200]);
    });

    it("that is the only one ends a pass, and the payment brings it back", async (context) => {
      if (store === "postgres" && postgres === undefined) return context.skip();
      const server = await open(store, []);
      const { payment, use } = await buyPass(server);
      expect(await use(1)).toBe(200);
      relay.meddleWith(denying(false));
      expect([await outcomes(server), await outcomes(server)]).toEqual([["undone"], ["lost"]]);
      expect([await payment.state(), await use(2)]).toEqual(["lost", 402]);
      expect(await payment.send()).toMatchObject({ status: 402, error: "payment_expired" });
      relay.meddleWith(null);
      const again = await payment.send();
      expect(again).toMatchObject({ status: 200, body: { call_cap: 10_000 } });
      expect([await payment.state(), await use(2), await payment.paid()]).toEqual(["settled", 200, 9_000_000n]);
      const [pass] = await server.parts.ledger.listPasses(5);
      expect(Date.parse(String((again.body as { expires_at?: string }).expires_at)) / 1000).toBe(pass?.expiresAt);
    });

    it("makes no client pay twice: a payment that another endpoint shows gets no 402", async (context) => {
      if (store === "postgres" && postgres === undefined) return context.skip();
      const server = await open(store, [chain.url]);
      const payment = await signedPayment({ chain, service: () => server });
      const { ledger } = server.parts;
      const settle = ledger.settlePayment;
      ledger.settlePayment = () => Promise.reject(new Error("the machine is gone"));
      expect((await payment.send()).status).toBe(500);
      ledger.settlePayment = settle;
      relay.meddleWith(denying(false));
      expect(await payment.send()).toMatchObject({ status: 503, error: "settlement_pending" });
      relay.meddleWith(null);
      expect((await payment.send()).status).toBe(200);
      expect(await payment.paid()).toBe(20_000n);
    });

    it("about its newest block loses no payment: it is found once it cannot be used any more", async (context) => {
      if (store === "postgres" && postgres === undefined) return context.skip();
      const server = await open(store, []);
      const payment = await signedPayment({ chain, service: () => server }, "/pass");
      relay.meddleWith(aheadUntilSent(() => relay.meddleWith(null)));
      expect(await payment.send()).toMatchObject({ status: 503, error: "settlement_pending" });
      expect(await payment.paid()).toBe(9_000_000n);
      const snapshot = await chain.control.snapshot();
      await chain.control.increaseTime({ seconds: 600 });
      await chain.control.mine({ blocks: 1 });
      lateMs = 600_000;
      expect(await outcomes(server)).toEqual(["settled"]);
      expect(await payment.send()).toMatchObject({ status: 200, body: { call_cap: 10_000 } });
      await chain.control.revert({ id: snapshot });
    });
  });
});
