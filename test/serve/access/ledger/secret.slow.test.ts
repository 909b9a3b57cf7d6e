import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { type Ledger, openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { toClient } from "../../../../src/serve/access/quota/client-address.ts";
import { createFreeCalls } from "../../../../src/serve/access/quota/free-calls.ts";
import { createPasses } from "../../../../src/serve/access/quota/pass.ts";
import { findAnvil, startChain } from "../../../support/anvil.ts";
import { newDirectory, openMeteredServer } from "../../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../../support/payer.ts";
import { hashOf } from "../../../support/sample.ts";
import { payment, rich } from "./sample-payment.ts";

const [old, young] = ["the secret before, long enough for all", "the secret of now, long enough for all"] as const;
const now = () => 1_000_000;
/** The line of the log for the operator. */
const changed = { event: "pass_secret", outcome: "changed" };

async function withLedger(work: (ledger: Ledger) => Promise<void>): Promise<void> {
  const ledger = await openLedger({ dataDir: newDirectory() });
  await work(ledger);
  await ledger.close();
}

/** Another token of the pass in this answer. */
const sameAs = (answer: string) => expect.stringContaining(String(JSON.parse(answer).pass_token).slice(0, 29));

describe("a new PASS_SECRET beside the one before", () => {
  it("keeps passes good and tells the same token again", () =>
    withLedger(async (ledger) => {
      const before = createPasses({ ledger, secrets: [old], now });
      await ledger.openPayment(payment("one", { product: "pass" }), rich);
      const issued = before.issue("one", { seconds: 100, calls: 5 }, 1_000);
      await ledger.settlePayment("one", { transaction: "0x01", now: 1_000, pass: issued });
      const pass = await ledger.findPassOf("one");
      if (pass === undefined) throw new Error("there is no pass");
      const token = String(before.describe(pass)?.pass_token);

      const after = createPasses({ ledger, secrets: [young, old], now });
      expect(await after.look(token)).toEqual({ status: "valid", remaining: 5 });
      expect(after.describe(pass)?.pass_token).toBe(token);
      const next = after.issue("two", { seconds: 100, calls: 5 }, 1_000);
      expect(next).toEqual(
        createPasses({ ledger, secrets: [young], now }).issue("two", { seconds: 100, calls: 5 }, 1_000),
      );

      // Without the previous secret the token still works. But the service cannot tell it again, and it tells no other token in its place.
      const alone = createPasses({ ledger, secrets: [young], now });
      expect(await alone.look(token)).toEqual({ status: "valid", remaining: 5 });
      expect(() => alone.describe(pass)).toThrow("the operator changed its key");

      // The operator is told so, as long as the pass is good.
      const later = createPasses({ ledger, secrets: [young], now: () => 1_100_000 });
      const shown = [before, after, alone, later].map((passes) => passes.canShow());
      expect(await Promise.all(shown)).toEqual([true, true, false, true]);
    }));

  it("knows the free calls that were used under the one before", () =>
    withLedger(async (ledger) => {
      const client = toClient("203.0.113.1");
      const before = createFreeCalls({ ledger, perDay: 3, secrets: [old], now });
      for (let call = 0; call < 2; call++) (await before.take(client)).call?.charge();
      const after = createFreeCalls({ ledger, perDay: 3, secrets: [young, old], now });
      expect(await after.read(client)).toMatchObject({ limit: 3, remaining: 1 });
      const last = await after.take(client);
      expect(last.quota.remaining).toBe(0);
      expect(await after.take(client)).toMatchObject({ call: null, quota: { remaining: 0 } });
      expect(await last.call?.giveBack()).toMatchObject({ remaining: 1 });
    }));

  it.skipIf(findAnvil() === undefined)(
    "is a restart like any other for who bought a pass",
    { timeout: 60_000 },
    async () => {
      const chain = await startChain();
      const gasKey = await chain.createGasKey();
      const ledger = { dataDir: newDirectory() };
      const open = (settings: object) =>
        openMeteredServer({ rpcUrl: chain.url, gasKey, ledger, settings: { freeCallsPerDay: 0, ...settings } });
      const first = await open({ passSecret: old });
      const account = await chain.createPayer(20_000_000n);
      const required = decode((await first.buyPass()).headers.get("payment-required"));
      const secret = "the secret of the buyer";
      const payment = { "payment-signature": encode(await signPayment({ required, account })) };
      const header = { ...payment, "x-svc-claim-secret": secret };
      const key = createHash("sha256").update(secret).digest("hex");
      const bought = await (await first.buyPass({ ...payment, "x-svc-claim-key": key })).text();
      expect(first.access.usage.counts).toMatchObject({ paid: 1, passes_sold: 1 });
      await first.close();

      const second = await open({ passSecret: young, passSecretPrevious: old });
      const again = await second.buyPass(header);
      const { pass_token } = (await again.json()) as { pass_token: string };
      expect([again.status, pass_token]).toEqual([200, sameAs(bought)]);
      // What is delivered again is not sold again.
      expect(second.access.usage.counts).toMatchObject({ paid: 0, passes_sold: 0, settled: 0n });
      const used = await second.explain(hashOf(1), { "x-svc-pass": pass_token });
      expect([used.status, used.headers.get("x-svc-pass-remaining")]).toEqual([200, "9999"]);
      await second.close();

      // The secret before is lost: the buyer and the operator are told so, and the buyer gets the pass when it is back.
      const third = await open({ passSecret: young });
      third.access.start();
      await vi.waitFor(() => expect(third.lines).toContainEqual(expect.objectContaining(changed)));
      expect((await third.access.readiness()).degraded).toContainEqual(
        expect.objectContaining({ part: "ledger", reason: "pass_secret" }),
      );
      const lost = await third.buyPass(header);
      expect([lost.status, await lost.json()]).toEqual([
        503,
        expect.objectContaining({ error: "pass_not_shown", retryable: true }),
      ]);
      await third.close();
      const fourth = await open({ passSecret: old });
      fourth.access.start();
      expect((await fourth.access.readiness()).degraded).toEqual([]);
      expect(fourth.lines).not.toContainEqual(expect.objectContaining(changed));
      expect(await (await fourth.buyPass(header)).json()).toMatchObject({ pass_token: sameAs(bought) });
      await fourth.close();
      await chain.stop();
    },
  );
});
