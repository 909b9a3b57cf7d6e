import { http } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GasWallet } from "../../src/access/facilitator/gas-wallet.ts";
import { openLocalFacilitator } from "../../src/access/facilitator/local.ts";
import { findAnvil, startChain, type TestChain, usdc } from "../support/anvil.ts";
import { type Answer, serveFacilitator } from "../support/facilitator-server.ts";
import { type MeteredServer, newDirectory, openMeteredServer } from "../support/metered-server.ts";
import { decode, encode, signPayment } from "../support/payer.ts";
import { hashOf } from "../support/sample.ts";

describe.skipIf(findAnvil() === undefined)("outages", () => {
  let chain: TestChain;
  let gasKey: `0x${string}`;
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);

  beforeAll(async () => {
    process.on("unhandledRejection", note);
    chain = await startChain();
    gasKey = await chain.createGasKey();
  });
  afterAll(async () => {
    await chain?.stop();
    process.removeListener("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  async function pay(service: MeteredServer, path: "/explain" | "/pass" = "/explain") {
    const payer = await chain.createPayer(20_000_000n);
    const send = (headers: Record<string, string>) =>
      path === "/pass" ? service.buyPass(headers) : service.explain(hashOf(3), headers);
    const required = decode((await send({})).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account: payer })) };
    const paid = async () => 20_000_000n - (await chain.balance(payer.address));
    const resend = async () => {
      const reply = await send(header);
      const body = (await reply.json()) as { error?: string };
      return { status: reply.status, error: body.error, retry: reply.headers.get("retry-after"), body, reply };
    };
    return { paid, resend };
  }

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
        rpcUrl: chain.url,
        gasKey: generatePrivateKey(),
        settings: { freeCallsPerDay: 0 },
      });
      expect(await service.access.readiness()).toEqual({
        ...{ facilitator: "ready", ledger: "ready", gas_balance_eth: "0" },
        degraded: [{ part: "gas_wallet", reason: "empty", since: expect.any(Number) }],
      });
      const { paid, resend } = await pay(service);
      expect(await resend()).toMatchObject({ status: 503, error: "payments_unavailable" });
      expect(service.gathered).toEqual([]);
      expect(await paid()).toBe(0n);
      await service.close();
    });
  });

  describe("of a facilitator elsewhere", () => {
    let server: Awaited<ReturnType<typeof serveFacilitator>>;
    let service: MeteredServer;
    const secret = "https://rpc.example/v2/SECRETKEY";

    beforeAll(async () => {
      const options = {
        network: "eip155:8453",
        asset: usdc,
        confirmationMs: 5_000,
        transport: http(chain.url, { retryCount: 0 }),
      } as const;
      const wallet = new GasWallet({ key: gasKey, transport: options.transport, pollingMs: 20, resendMs: 1_000 });
      server = await serveFacilitator(openLocalFacilitator({ ...options, wallet }));
      service = await openMeteredServer({
        rpcUrl: chain.url,
        facilitator: { kind: "http", url: server.url },
        settings: { freeCallsPerDay: 0 },
      });
    });
    beforeEach(() => server.answerWith(null));
    afterAll(async () => {
      await service?.close();
      await server?.stop();
    });

    const only =
      (which: "verify" | "settle", spoil: Answer): Answer =>
      async (path, real) =>
        path === which ? spoil(path, real) : { status: 200, body: await real() };

    it("works when nothing is wrong", async () => {
      const { paid, resend } = await pay(service);
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
      server.answerWith(only("verify", async () => spoiled));
      const { paid, resend } = await pay(service);
      const failed = await resend();
      expect(failed).toMatchObject({ status: 503, error: "payments_unavailable" });
      expect(JSON.stringify(failed.body) + JSON.stringify(service.lines)).not.toContain("SECRETKEY");
      server.answerWith(null);
      expect((await resend()).status).toBe(200);
      expect(await paid()).toBe(20_000n);
    });

    it("forgives the client what fails in an outage of ours", async () => {
      const strict = await openMeteredServer({
        rpcUrl: chain.url,
        facilitator: { kind: "http", url: server.url },
        settings: { freeCallsPerDay: 0, rateLimitPerMinute: 20 },
      });
      const { paid, resend } = await pay(strict);
      server.answerWith(only("verify", async () => ({ status: 500, body: "" })));
      for (let send = 0; send < 5; send++) expect((await resend()).status).toBe(503);
      server.answerWith(null);
      for (let send = 0; send < 5; send++) expect((await resend()).status).toBe(200);
      expect(await paid()).toBe(20_000n);
      await strict.close();
    });

    it("limits payments that are not good, however many come at once", async () => {
      const strict = await openMeteredServer({
        rpcUrl: chain.url,
        facilitator: { kind: "http", url: server.url },
        settings: { freeCallsPerDay: 0, rateLimitPerMinute: 10 },
      });
      const payer = await chain.createPayer(0n);
      const required = decode((await strict.explain(hashOf(3))).headers.get("payment-required"));
      const asked = server.requests.length;
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const payload = await signPayment({ required, account: payer, domain: { chainId: 1 } });
          return (await strict.explain(hashOf(3), { "payment-signature": encode(payload) })).status;
        }),
      );
      expect(statuses.filter((status) => status === 402)).toHaveLength(9);
      expect(statuses.filter((status) => status === 429)).toHaveLength(31);
      expect(server.requests.length - asked).toBe(9);
      await strict.close();
    });

    it("passes reasons on, but no sentences", async () => {
      server.answerWith(
        only("verify", async () => ({ status: 200, body: { isValid: false, invalidReason: `see ${secret}` } })),
      );
      const { resend } = await pay(service);
      expect(await resend()).toMatchObject({ status: 402, error: "payment_invalid" });
      server.answerWith(
        only("verify", async () => ({ status: 400, body: { isValid: false, invalidReason: "kyt_blocked" } })),
      );
      expect(await resend()).toMatchObject({ status: 402, error: "kyt_blocked" });
    });

    it.each(["/explain", "/pass"] as const)(
      "settling %s, then losing the answer: paid once, delivered",
      async (path) => {
        server.answerWith(
          only("settle", async (_path, real) => {
            await real();
            return { status: 0, body: "" };
          }),
        );
        const { paid, resend } = await pay(service, path);
        // The chain knows better than the facilitator that broke off.
        expect((await resend()).status).toBe(200);
        expect((await resend()).status).toBe(200);
        expect(await paid()).toBe(path === "/pass" ? 9_000_000n : 20_000n);
      },
    );

    it.each(["/explain", "/pass"] as const)(
      "not settling %s, unknown to us: 503, never a new challenge",
      async (path) => {
        server.answerWith(only("settle", async () => ({ status: 504, body: `timeout ${secret}` })));
        const { paid, resend } = await pay(service, path);
        for (let send = 0; send < 2; send++) {
          const unknown = await resend();
          expect(unknown).toMatchObject({ status: 503, error: "settlement_pending" });
          expect(Number(unknown.retry)).toBeGreaterThan(0);
          expect(unknown.reply.headers.get("payment-required")).toBeNull();
        }
        expect(await paid()).toBe(0n);
        server.answerWith(null);
        expect((await resend()).status).toBe(200);
        expect(await paid()).toBe(path === "/pass" ? 9_000_000n : 20_000n);
      },
    );

    it("saying that it failed: 503 while the chain may take it, and the same payment is tried again", async () => {
      const refusal = { success: false, errorReason: "out_of_luck", transaction: "", network: "eip155:8453" };
      server.answerWith(only("settle", async () => ({ status: 200, body: refusal })));
      const { paid, resend } = await pay(service);
      expect(await resend()).toMatchObject({ status: 503, error: "settlement_pending" });
      server.answerWith(null);
      expect((await resend()).status).toBe(200);
      expect(await paid()).toBe(20_000n);
    });

    it("lying about a pass: it is not activated", { timeout: 60_000 }, async () => {
      const lie = { success: true, transaction: `0x${"ab".repeat(32)}`, network: "eip155:8453" };
      server.answerWith(only("settle", async () => ({ status: 200, body: lie })));
      const { paid, resend } = await pay(service, "/pass");
      expect(await resend()).toMatchObject({ status: 503, error: "settlement_pending" });
      expect(await paid()).toBe(0n);
      expect((await service.parts.ledger.countPayments()).filter(({ product }) => product === "pass")).toContainEqual(
        expect.objectContaining({ state: "settling" }),
      );
    });

    it("is seen by reconciling what was left open", async () => {
      server.answerWith(
        only("settle", async (_path, real) => {
          await real();
          return { status: 0, body: "" };
        }),
      );
      const blind = await openMeteredServer({
        rpcUrl: chain.url,
        facilitator: { kind: "http", url: server.url },
        settings: { freeCallsPerDay: 0 },
        change: (parts) => ({
          ...parts,
          chain: {
            ...parts.chain,
            readAuthorization: (row) =>
              blinded ? Promise.reject(new Error("away")) : parts.chain.readAuthorization(row),
          },
        }),
      });
      let blinded = true;
      const { paid, resend } = await pay(blind);
      expect(await resend()).toMatchObject({ status: 503, error: "settlement_pending" });
      expect(await paid()).toBe(20_000n);
      expect((await blind.access.reconcile(0)).map(({ outcome }) => outcome)).toEqual(["unreachable"]);
      blinded = false;
      expect((await blind.access.reconcile(0)).map(({ outcome }) => outcome)).toEqual(["settled"]);
      expect(await blind.access.reconcile(0)).toEqual([]);
      expect((await resend()).status).toBe(200);
      expect(await paid()).toBe(20_000n);
      expect(blind.access.usage.counts).toMatchObject({ paid: 1, settled: 20_000n });
      await blind.close();
    });

    it("expiring unsettled is closed as failed, by the clock of the chain", async () => {
      server.answerWith(only("settle", async () => ({ status: 504, body: "" })));
      const { paid, resend } = await pay(service);
      expect((await resend()).status).toBe(503);
      const snapshot = await chain.control.snapshot();
      await chain.control.increaseTime({ seconds: 3_600 });
      await chain.control.mine({ blocks: 1 });
      expect(await resend()).toMatchObject({ status: 402, error: "payment_expired" });
      expect(await paid()).toBe(0n);
      await chain.control.revert({ id: snapshot });
    });
  });
});
