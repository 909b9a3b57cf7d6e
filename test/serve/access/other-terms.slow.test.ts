import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Settlement } from "../../../src/serve/access/facilitator/facilitator.ts";
import type { Parts } from "../../../src/serve/access/parts.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, nonceOf, signPayment } from "../../support/payer.ts";
import { hashes, post, price, told } from "./paid-batch.ts";

/** Two authorizations can have the same nonce, and the chain takes only one of them. The service must sell what that one pays for. */
describe.skipIf(findAnvil() === undefined)("two authorizations with one nonce", { timeout: 60_000 }, () => {
  let chain: TestChain;
  let server: MeteredServer;
  let payer: PrivateKeyAccount;
  /** The facilitator's answers to the next settlements. It sends nothing for these. */
  const words: Settlement[] = [];

  beforeAll(async () => {
    chain = await startChain();
  });
  beforeEach(async () => {
    const change = (parts: Parts): Parts => ({
      ...parts,
      facilitator: {
        ...parts.facilitator,
        settle: async (...payment) => words.shift() ?? parts.facilitator.settle(...payment),
      },
    });
    payer = await chain.createPayer(100n * price);
    const gasKey = await chain.createGasKey();
    server = await openMeteredServer({ rpcUrl: chain.url, gasKey, settings: { freeCallsPerDay: 0 }, change });
  });
  afterEach(() => server?.close());
  afterAll(() => chain?.stop());

  const ask = (count: number, headers: Record<string, string> = {}) =>
    post(server.url, hashes(...Array.from({ length: count }, (_, at) => at + 1)), headers);
  async function sign(lines: number, nonce?: string) {
    const required = decode((await ask(lines)).headers.get("payment-required"));
    const payload = await signPayment({ required, account: payer, authorization: nonce ? { nonce } : {} });
    return { header: { "payment-signature": encode(payload) }, nonce: nonceOf(payload) };
  }
  const paid = async () => 100n * price - (await chain.balance(payer.address));

  it("buy no more lines than were paid for", async () => {
    const small = await sign(1);
    const large = await sign(100, small.nonce);
    words.push({ status: "unsent", reason: "settlement_failed" });
    expect((await ask(1, small.header)).status).toBe(402);
    words.push({ status: "unknown" });
    expect((await ask(100, large.header)).status).toBe(503);
    // The large payment may be under way, so the small one is not sent as well.
    expect((await ask(1, small.header)).status).toBe(503);
    expect(await paid()).toBe(0n);
    expect((await told(await ask(100, large.header))).lines).toHaveLength(100);
    expect(await paid()).toBe(100n * price);
  });

  it("are one purchase if the first was never sent: the second one gives what it pays for", async () => {
    const small = await sign(1);
    words.push({ status: "unsent", reason: "settlement_failed" });
    expect((await ask(1, small.header)).status).toBe(402);
    const large = await sign(3, small.nonce);
    expect((await told(await ask(3, large.header))).lines).toHaveLength(3);
    expect(await paid()).toBe(3n * price);
  });
});
