import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAnvil } from "../../support/anvil.ts";
import { openMeteredServer } from "../../support/metered-server.ts";
import { type OutageWorld, only, secret, startOutageWorld } from "./outage-world.ts";

describe.skipIf(findAnvil() === undefined)("an outage of a remote facilitator", () => {
  let world: OutageWorld;
  beforeAll(async () => {
    world = await startOutageWorld();
  });
  beforeEach(() => world.facilitator.answerWith(null));
  afterAll(() => world?.stop());

  it.each(["/explain", "/pass"] as const)("settling %s, then losing the answer: paid once, delivered", async (path) => {
    world.facilitator.answerWith(
      only("settle", async (_path, real) => {
        await real();
        return { status: 0, body: "" };
      }),
    );
    const { paid, resend } = await world.pay(world.service, path);
    // The chain shows the payment, although the facilitator broke off.
    expect((await resend()).status).toBe(200);
    expect((await resend()).status).toBe(200);
    expect(await paid()).toBe(path === "/pass" ? 9_000_000n : 20_000n);
  });

  it.each(["/explain", "/pass"] as const)(
    "not settling %s, unknown to us: 503, never a new challenge",
    async (path) => {
      world.facilitator.answerWith(only("settle", async () => ({ status: 504, body: `timeout ${secret}` })));
      const { paid, resend } = await world.pay(world.service, path);
      for (let send = 0; send < 2; send++) {
        const unknown = await resend();
        expect(unknown).toMatchObject({ status: 503, error: "settlement_pending" });
        expect(Number(unknown.retry)).toBeGreaterThan(0);
        expect(unknown.reply.headers.get("payment-required")).toBeNull();
      }
      expect(await paid()).toBe(0n);
      world.facilitator.answerWith(null);
      expect((await resend()).status).toBe(200);
      expect(await paid()).toBe(path === "/pass" ? 9_000_000n : 20_000n);
    },
  );

  it("saying that it failed: 503 while the chain may take it, and the same payment is tried again", async () => {
    const refusal = { success: false, errorReason: "out_of_luck", transaction: "", network: "eip155:8453" };
    world.facilitator.answerWith(only("settle", async () => ({ status: 200, body: refusal })));
    const { paid, resend } = await world.pay(world.service);
    expect(await resend()).toMatchObject({ status: 503, error: "settlement_pending" });
    world.facilitator.answerWith(null);
    expect((await resend()).status).toBe(200);
    expect(await paid()).toBe(20_000n);
  });

  it("lying about a pass: it is not activated", { timeout: 60_000 }, async () => {
    const lie = { success: true, transaction: `0x${"ab".repeat(32)}`, network: "eip155:8453" };
    world.facilitator.answerWith(only("settle", async () => ({ status: 200, body: lie })));
    const { paid, resend } = await world.pay(world.service, "/pass");
    expect(await resend()).toMatchObject({ status: 503, error: "settlement_pending" });
    expect(await paid()).toBe(0n);
    expect(
      (await world.service.parts.ledger.countPayments()).filter(({ product }) => product === "pass"),
    ).toContainEqual(expect.objectContaining({ state: "settling" }));
  });

  it("is found when open payments are reconciled", async () => {
    world.facilitator.answerWith(
      only("settle", async (_path, real) => {
        await real();
        return { status: 0, body: "" };
      }),
    );
    const blind = await openMeteredServer({
      rpcUrl: world.chain.url,
      facilitator: { kind: "http", url: world.facilitator.url },
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
    const { paid, resend } = await world.pay(blind);
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
    world.facilitator.answerWith(only("settle", async () => ({ status: 504, body: "" })));
    const { paid, resend } = await world.pay(world.service);
    expect((await resend()).status).toBe(503);
    const snapshot = await world.chain.control.snapshot();
    await world.chain.control.increaseTime({ seconds: 3_600 });
    await world.chain.control.mine({ blocks: 1 });
    expect(await resend()).toMatchObject({ status: 402, error: "payment_expired" });
    expect(await paid()).toBe(0n);
    await world.chain.control.revert({ id: snapshot });
  });
});
