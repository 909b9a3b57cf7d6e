import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Hash } from "../../../src/kernel/hex.ts";
import type { Parts } from "../../../src/serve/access/parts.ts";
import { findAnvil, startChain, type TestChain, untilAnswering } from "../../support/anvil.ts";
import { type MeteredServer, type MeteredServerOptions, openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const price = 20_000n;

describe.skipIf(findAnvil() === undefined)("payments of one payer", { timeout: 60_000 }, () => {
  let chain: TestChain;
  let server: MeteredServer;

  beforeAll(async () => {
    chain = await startChain();
  });
  afterEach(() => server?.close());
  afterAll(() => chain?.stop());

  async function open(options: Pick<MeteredServerOptions, "gather" | "change">) {
    const gasKey = await chain.createGasKey();
    server = await openMeteredServer({ rpcUrl: chain.url, gasKey, settings: { freeCallsPerDay: 0 }, ...options });
  }
  async function payerWith(units: bigint) {
    const account = await chain.createPayer(units);
    const required = decode((await server.explain(hashOf(1))).headers.get("payment-required"));
    const sign = async () => ({ "payment-signature": encode(await signPayment({ required, account })) });
    return { sign, left: () => chain.balance(account.address) };
  }
  const said = async (reply: Response) => [reply.status, ((await reply.json()) as { error?: string }).error];

  it("are not called uncovered while one is paid already and the endpoint cannot show how", async () => {
    let blind = true;
    const change = (parts: Parts): Parts => ({
      ...parts,
      chain: {
        ...parts.chain,
        readAuthorization: async (row) => (blind ? { state: "unclear" } : parts.chain.readAuthorization(row)),
      },
    });
    await open({ change });
    const { sign, left } = await payerWith(2n * price);
    const [first, second, third] = [await sign(), await sign(), await sign()];
    expect(await said(await server.explain(hashOf(1), first))).toEqual([503, "settlement_pending"]);
    expect(await left()).toBe(price);
    const told = await server.explain(hashOf(2), second);
    expect(told.headers.get("payment-required")).toBeNull();
    expect(Number(told.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await said(told)).toEqual([503, "payments_unavailable"]);
    expect(await left()).toBe(price);
    blind = false;
    expect((await server.explain(hashOf(1), first)).status).toBe(200);
    expect((await server.explain(hashOf(2), second)).status).toBe(200);
    expect(await left()).toBe(0n);
    expect((await server.explain(hashOf(3), third)).status).toBe(402);
  });

  it("sent twice at once: the second one goes on when the first one goes away, and it is paid once", async () => {
    const gate = Promise.withResolvers<void>();
    const gather = async (hash: Hash) => {
      await gate.promise;
      return caseFileOf(hash);
    };
    let looks = 0;
    const change = (parts: Parts): Parts => {
      const readFree: Parts["ledger"]["readFree"] = (...of) => {
        looks++;
        return parts.ledger.readFree(...of);
      };
      return { ...parts, ledger: { ...parts.ledger, readFree } };
    };
    await open({ gather, change });
    const { sign, left } = await payerWith(2n * price);
    const payment = await sign();
    const leaving = new AbortController();
    const by: typeof fetch = (url, init) => fetch(url, { ...init, signal: leaving.signal });
    const first = server.explain(hashOf(1), payment, by).catch(() => "gone");
    await until(() => server.gathered.length === 1);
    looks = 0;
    const second = server.explain(hashOf(1), payment);
    // The last step before it waits for the first one.
    await until(() => looks === 1);
    leaving.abort();
    expect(await first).toBe("gone");
    await until(() => server.gathered.length === 2);
    gate.resolve();
    const reply = await second;
    expect([reply.status, ((await reply.json()) as { tx_hash: string }).tx_hash]).toEqual([200, hashOf(1)]);
    expect(await left()).toBe(price);
  });
});

const until = (isSo: () => boolean) =>
  untilAnswering(async () => {
    if (!isSo()) throw new Error("not yet");
  });
