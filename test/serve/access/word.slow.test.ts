import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, newDirectory, openMeteredServer } from "../../support/metered-server.ts";
import { decode } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";
import { claim, invented, settling, signedPayment, startFacilitator } from "./doubted-payment.ts";

/** What a facilitator says decides nothing. What our own endpoint shows decides. */
describe.skipIf(findAnvil() === undefined)(
  "the word of a facilitator, and that of the chain",
  { timeout: 60_000 },
  () => {
    let chain: TestChain;
    let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
    let service: MeteredServer;
    let dataDir: string;
    let now = Date.now();

    beforeAll(async () => {
      chain = await startChain();
      facilitator = await startFacilitator(chain);
    });
    const open = (settings = {}) =>
      openMeteredServer({
        rpcUrl: chain.url,
        facilitator: { kind: "http", url: facilitator.url },
        ledger: { dataDir },
        settings: { freeCallsPerDay: 0, ...settings },
        now: () => now,
        beatMs: 20,
      });
    beforeEach(async () => {
      now = Date.now();
      dataDir = newDirectory();
      service = await open();
    });
    afterEach(async () => {
      facilitator.answerWith(null);
      await service.close();
    });
    afterAll(async () => {
      await facilitator?.stop();
      await chain?.stop();
    });

    const pay = (path?: "/explain" | "/pass") => signedPayment({ chain, service: () => service }, path);

    /** The facilitator says that it settled nothing. It settles when the test calls the returned function. */
    function settleLater(): () => Promise<unknown> {
      const later: (() => Promise<object>)[] = [];
      facilitator.answerWith(
        settling(async (_path, real) => {
          later.push(real);
          return claim(false, "");
        }),
      );
      return async () => later[0]?.();
    }

    /** The process dies after it was paid and before it wrote that down. */
    async function dieUnwritten(send: () => Promise<{ status: number }>): Promise<void> {
      const { ledger } = service.parts;
      const settle = ledger.settlePayment;
      ledger.settlePayment = () => Promise.reject(new Error("the machine is gone"));
      expect((await send()).status).toBe(500);
      ledger.settlePayment = settle;
    }

    /** Time passes on the chain until every open authorization has expired. */
    async function expire(): Promise<void> {
      await chain.control.increaseTime({ seconds: 600 });
      await chain.control.mine({ blocks: 1 });
    }

    it.each(["/explain", "/pass"] as const)("an invented transaction for %s settles nothing", async (path) => {
      facilitator.answerWith(settling(async () => claim(true, invented)));
      const { send, state, paid } = await pay(path);
      const snapshot = await chain.control.snapshot();
      for (let sends = 0; sends < 2; sends++) {
        expect(await send()).toMatchObject({ status: 503, error: "settlement_pending" });
        expect(await state()).toBe("settling");
      }
      await expire();
      expect((await service.access.reconcile(0)).map(({ outcome }) => outcome)).toEqual(["lost"]);
      expect(await state()).toBe("lost");
      expect(await send()).toMatchObject({ status: 402, error: "payment_expired" });
      expect(await paid()).toBe(0n);
      expect(service.access.usage.counts).toMatchObject({ settled: 0n, passes_sold: 0 });
      await chain.control.revert({ id: snapshot });
    });

    it("an invented transaction beside a real one: the receipt shows the real one", async () => {
      facilitator.answerWith(
        settling(async (_path, real) => {
          await real();
          return claim(true, invented);
        }),
      );
      const { send, paid } = await pay();
      const { status, receipt } = await send();
      expect(status).toBe(200);
      const { transaction } = decode(receipt);
      expect(transaction).not.toBe(invented);
      expect((await chain.reader.getTransactionReceipt({ hash: transaction })).status).toBe("success");
      expect(await paid()).toBe(20_000n);
    });

    it.each(["/explain", "/pass"] as const)(
      '"no" for %s, and the transfer later: 503, then delivered',
      async (path) => {
        const later = settleLater();
        const { send, paid } = await pay(path);
        expect(await send()).toMatchObject({ status: 503, error: "settlement_pending" });
        await later();
        expect((await send()).status).toBe(200);
        expect((await send()).status).toBe(200);
        expect(await paid()).toBe(path === "/pass" ? 9_000_000n : 20_000n);
      },
    );

    it('"no", and the transfer later: closed in the background', async () => {
      const later = settleLater();
      const { send, state } = await pay();
      expect((await send()).status).toBe(503);
      expect(await service.access.reconcile(0)).toMatchObject([{ outcome: "open" }]);
      await later();
      expect(await service.access.reconcile(0)).toMatchObject([{ outcome: "settled" }]);
      expect(await state()).toBe("settled");
    });

    it("a settlement is confirmed once it lies deep in the chain", async () => {
      const { send, state, row } = await pay();
      expect((await send()).status).toBe(200);
      expect(await service.access.reconcile(0)).toEqual([]);
      expect(await state()).toBe("settled");
      await chain.pass(61, 2_000);
      expect(await service.access.reconcile(0)).toMatchObject([{ outcome: "confirmed" }]);
      expect(await state()).toBe("confirmed");
      const confirmed = await row();
      expect(await service.access.reconcile(0)).toEqual([]);
      expect(await row()).toEqual(confirmed);
      expect((await send()).status).toBe(200);
    });

    it("a pass ends if a reorganization took its transfer back for good", async () => {
      const { send, state } = await pay("/pass");
      const before = await chain.control.snapshot();
      const { body } = await send();
      const use = () => service.explain(hashOf(3), { "x-svc-pass": String(body.pass_token) });
      expect((await use()).status).toBe(200);
      await chain.control.revert({ id: before });
      await chain.pass(61, 2_000);
      expect(await service.access.reconcile(0)).toMatchObject([{ outcome: "undone" }]);
      expect(await state()).toBe("settling");
      const snapshot = await chain.control.snapshot();
      await expire();
      expect(await service.access.reconcile(0)).toMatchObject([{ outcome: "lost" }]);
      expect(await send()).toMatchObject({ status: 402, error: "payment_expired" });
      expect((await use()).headers.get("x-svc-pass-status")).toBe("expired");
      await chain.control.revert({ id: snapshot });
    });

    it("a transfer that a reorganization moved is settled again", async () => {
      const { send, state, paid } = await pay();
      const before = await chain.control.snapshot();
      expect((await send()).status).toBe(200);
      await chain.control.revert({ id: before });
      await chain.pass(61, 2_000);
      await service.access.reconcile(0);
      expect(await state()).toBe("settling");
      expect((await send()).status).toBe(200);
      expect(await state()).toBe("settled");
      expect(await paid()).toBe(20_000n);
    });

    it.each([-3_600_000, 3_600_000, 40 * 86_400_000])(
      "a clock that is wrong by %s ms while a pass is paid, then corrected, loses nothing",
      async (wrong) => {
        facilitator.answerWith(
          settling(async (_path, real) => {
            await real();
            return { status: 0, body: "" };
          }),
        );
        now += wrong;
        const { send, state, paid } = await pay("/pass");
        await dieUnwritten(send);
        await chain.control.mine({ blocks: 400 });
        now -= wrong;
        await service.close();
        service = await open();
        expect((await send()).status).toBe(200);
        expect(await state()).toBe("settled");
        expect(await paid()).toBe(9_000_000n);
      },
    );

    it("500 payments that failed do not keep an open one waiting", async () => {
      const { send, state, row } = await pay();
      await dieUnwritten(send);
      const { ledger } = service.parts;
      const { state: _state, closedAt: _closed, transaction: _hash, reason: _reason, ...like } = { ...(await row()) };
      for (let count = 0; count < 500; count++) {
        const key = `failed-${count}`;
        const validBefore = Math.floor(now / 1000) + 80_000;
        await ledger.openPayment({ ...(like as Required<typeof like>), key, validBefore } as never, 10n ** 15n);
        await ledger.dropPayment(key, { reason: "invalid_exact_evm_insufficient_balance", now: 0 });
      }
      expect(await service.access.reconcile(0)).toMatchObject([{ outcome: "settled" }]);
      expect(await state()).toBe("settled");
    });

    it("follows a payment that has a row, no matter what is sold now", async () => {
      const { send, paid } = await pay();
      expect((await send()).status).toBe(200);
      await service.close();
      service = await open({ priceExplain: 50_000n, publicUrl: "https://moved.example" });
      expect((await send()).status).toBe(200);
      expect(await paid()).toBe(20_000n);
    });
  },
);
