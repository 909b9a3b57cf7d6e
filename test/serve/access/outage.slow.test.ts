import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAnvil, startChain } from "../../support/anvil.ts";
import { newDirectory, openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";
import { type OutageWorld, only, secret, startOutageWorld } from "./outage-world.ts";

describe.skipIf(findAnvil() === undefined)("outages", () => {
  let world: OutageWorld;
  beforeAll(async () => {
    world = await startOutageWorld();
  });
  beforeEach(() => world.facilitator.answerWith(null));
  afterAll(() => world?.stop());

  describe("of the chain, with our own facilitator", () => {
    it("is 503 for a good payment and for a bad one, says nothing of the node, and recovers", async () => {
      const state = `${newDirectory()}/state.json`;
      const away = await startChain({ state });
      const key = await away.createGasKey();
      const service = await openMeteredServer({ rpcUrl: away.url, gasKey: key, settings: { freeCallsPerDay: 0 } });
      const payer = await away.createPayer(1_000_000n);
      const required = decode((await service.explain(hashOf(3))).headers.get("payment-required"));
      const good = encode(await signPayment({ required, account: payer }));
      const bad = encode(await signPayment({ required, account: payer, domain: { name: "USDC" } }));
      await away.stop();
      for (const header of [good, bad, good]) {
        const reply = await service.explain(hashOf(3), { "payment-signature": header });
        const text = await reply.text();
        expect([reply.status, JSON.parse(text).error]).toEqual([503, "payments_unavailable"]);
        expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(text + JSON.stringify([...reply.headers])).not.toContain(String(away.port));
      }
      expect(JSON.stringify(service.lines)).not.toContain(String(away.port));
      const back = await startChain({ state, port: away.port });
      const reply = await service.explain(hashOf(3), { "payment-signature": good });
      expect(reply.status, await reply.text()).toBe(200);
      expect(await back.balance(payer.address)).toBe(980_000n);
      await service.close();
      await back.stop();
    });

    it("asks for gas in its readiness, and charges nothing without", async () => {
      const { generatePrivateKey } = await import("viem/accounts");
      const service = await openMeteredServer({
        rpcUrl: world.chain.url,
        gasKey: generatePrivateKey(),
        settings: { freeCallsPerDay: 0 },
      });
      expect(await service.access.readiness()).toEqual({
        ...{ facilitator: "ready", ledger: "ready", gas_balance_eth: "0" },
        degraded: [{ part: "gas_wallet", reason: "empty", since: expect.any(Number) }],
      });
      const { paid, resend } = await world.pay(service);
      expect(await resend()).toMatchObject({ status: 503, error: "payments_unavailable" });
      expect(service.gathered).toEqual([]);
      expect(await paid()).toBe(0n);
      await service.close();
    });
  });

  describe("of a remote facilitator", () => {
    it("works when nothing is wrong", async () => {
      const { paid, resend } = await world.pay(world.service);
      expect((await resend()).status).toBe(200);
      expect(await paid()).toBe(20_000n);
    });

    it.each<[string, { status: number; body: unknown }]>([
      ["breaks off", { status: 0, body: "" }],
      ["answers 500 with its secrets", { status: 500, body: { error: `failed at ${secret}` } }],
      ["answers 500 as if invalid", { status: 500, body: { isValid: false, invalidReason: "unexpected_error" } }],
      ["answers with HTML", { status: 502, body: "<html>" }],
      ["answers 200 with rubbish", { status: 200, body: { hello: secret } }],
    ])("verifying: %s", async (_name, spoiled) => {
      world.facilitator.answerWith(only("verify", async () => spoiled));
      const { paid, resend } = await world.pay(world.service);
      const failed = await resend();
      expect(failed).toMatchObject({ status: 503, error: "payments_unavailable" });
      expect(JSON.stringify(failed.body) + JSON.stringify(world.service.lines)).not.toContain("SECRETKEY");
      world.facilitator.answerWith(null);
      expect((await resend()).status).toBe(200);
      expect(await paid()).toBe(20_000n);
    });

    it("does not count against the client what fails in our own outage", async () => {
      const strict = await openMeteredServer({
        rpcUrl: world.chain.url,
        facilitator: { kind: "http", url: world.facilitator.url },
        settings: { freeCallsPerDay: 0, rateLimitPerMinute: 20 },
      });
      const { paid, resend } = await world.pay(strict);
      world.facilitator.answerWith(only("verify", async () => ({ status: 500, body: "" })));
      for (let send = 0; send < 5; send++) expect((await resend()).status).toBe(503);
      world.facilitator.answerWith(null);
      for (let send = 0; send < 5; send++) expect((await resend()).status).toBe(200);
      expect(await paid()).toBe(20_000n);
      await strict.close();
    });

    it("limits payments that are not good, however many come at once", async () => {
      const strict = await openMeteredServer({
        rpcUrl: world.chain.url,
        facilitator: { kind: "http", url: world.facilitator.url },
        settings: { freeCallsPerDay: 0, rateLimitPerMinute: 10 },
      });
      const payer = await world.chain.createPayer(0n);
      const required = decode((await strict.explain(hashOf(3))).headers.get("payment-required"));
      const asked = world.facilitator.requests.length;
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const payload = await signPayment({ required, account: payer, domain: { chainId: 1 } });
          return (await strict.explain(hashOf(3), { "payment-signature": encode(payload) })).status;
        }),
      );
      expect(statuses.filter((status) => status === 402)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(30);
      expect(world.facilitator.requests.length - asked).toBe(10);
      await strict.close();
    });

    it("passes reasons on, but no sentences", async () => {
      world.facilitator.answerWith(
        only("verify", async () => ({ status: 200, body: { isValid: false, invalidReason: `see ${secret}` } })),
      );
      const { resend } = await world.pay(world.service);
      expect(await resend()).toMatchObject({ status: 402, error: "payment_invalid" });
      world.facilitator.answerWith(
        only("verify", async () => ({ status: 400, body: { isValid: false, invalidReason: "kyt_blocked" } })),
      );
      expect(await resend()).toMatchObject({ status: 402, error: "kyt_blocked" });
    });
  });
});
