import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";

const rate = 12;

/** A bought answer is told again for free. So it counts against the rate limit, but is never lost by it. */
describe.skipIf(findAnvil() === undefined)("an answer that a payment bought before", { timeout: 60_000 }, () => {
  let chain: TestChain;
  let server: MeteredServer;
  let now: number;

  beforeAll(async () => {
    chain = await startChain();
  });
  beforeEach(async () => {
    now = Date.now();
    server = await openMeteredServer({
      rpcUrl: chain.url,
      gasKey: await chain.createGasKey(),
      settings: { freeCallsPerDay: 0, rateLimitPerMinute: rate },
      now: () => now,
      beatMs: 20,
    });
  });
  afterEach(async () => server.close());
  afterAll(async () => chain?.stop());

  type Send = (headers?: Record<string, string>) => Promise<Response>;
  const sendBatch = (count: number): Send => {
    const body = JSON.stringify({ tx_hashes: Array.from({ length: count }, (_, number) => hashOf(number)) });
    const type = { "content-type": "application/json" };
    return (headers) =>
      fetch(`${server.url}/explain/batch`, { method: "POST", headers: { ...type, ...headers }, body });
  };

  /** Signs the payment that is asked for. Gives a function that repeats the same request with the same payment. */
  async function buy(send: Send): Promise<() => Promise<Response>> {
    const required = decode((await send()).headers.get("payment-required"));
    const payload = await signPayment({ required, account: await chain.createPayer(20_000_000n) });
    return () => send({ "payment-signature": encode(payload) });
  }

  async function statuses(send: () => Promise<Response>, count: number): Promise<number[]> {
    const seen: number[] = [];
    for (let request = 0; request < count; request++) {
      const reply = await send();
      await reply.text();
      seen.push(reply.status);
    }
    return seen;
  }

  const repeat = (status: number, count: number) => Array.from({ length: count }, () => status);

  it.each<[string, () => Send]>([
    ["an explanation", () => (headers) => server.explain(hashOf(1), headers)],
    ["a pass", () => (headers) => server.buyPass(headers)],
  ])("%s", async (_name, sender) => {
    const send = await buy(sender());
    // The first one buys, which does not count; asking for the price counts apart.
    expect(await statuses(send, rate + 2)).toEqual([...repeat(200, rate + 1), 429]);
    now += 60_000;
    expect(await statuses(send, 2)).toEqual([200, 200]);
  });

  it("the lines of a batch, each a quarter", async () => {
    const send = await buy(sendBatch(8));
    // 11 are left. A repetition counts as the request plus eight quarters: 3.
    expect(await statuses(send, 6)).toEqual([...repeat(200, 5), 429]);
    now += 60_000;
    expect(await statuses(send, 1)).toEqual([200]);
  });

  it("lines beyond the credit of a payment: they cannot be asked for without end", async () => {
    const required = decode((await sendBatch(1)()).headers.get("payment-required"));
    const payload = await signPayment({ required, account: await chain.createPayer(20_000_000n) });
    const payment = { "payment-signature": encode(payload) };
    expect(await statuses(() => sendBatch(1)(payment), 1)).toEqual([200]);
    expect(await statuses(() => sendBatch(2)(payment), rate + 1)).toEqual([...repeat(402, rate), 429]);
  });
});
