import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { callOf } from "../../support/mcp-message.ts";
import { type MeteredServer, openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const day = 86_400_000;
const left = (reply: Response) => Number(/r=(\d+)/.exec(String(reply.headers.get("ratelimit")))?.[1]);
const code = async (reply: Response) => ((await reply.json()) as { error: string }).error;

describe.skipIf(findAnvil() === undefined)("free calls come before paid ones", () => {
  let chain: TestChain;
  let gasKey: `0x${string}`;
  let server: MeteredServer;
  let now = Date.now();

  beforeAll(async () => {
    chain = await startChain();
    gasKey = await chain.createGasKey();
  });
  beforeEach(async () => {
    const gather = async (hash: ReturnType<typeof hashOf>) => {
      if (hash === hashOf(404)) throw new ServiceError("transaction_not_found");
      return caseFileOf(hash);
    };
    const settings = { freeCallsPerDay: 1, passCalls: 3 };
    server = await openMeteredServer({ rpcUrl: chain.url, gasKey, settings, gather, now: () => now });
  });
  afterEach(() => server.close());
  afterAll(() => chain?.stop());

  /** A payment for one explanation, and its payer's account. The price was told the day before, when the free call was used up. */
  async function offerPayment() {
    const payer = await chain.createPayer(20_000_000n);
    now -= day;
    await server.explain(hashOf(9));
    const required = decode((await fetch(`${server.url}/explain`, { method: "POST" })).headers.get("payment-required"));
    now += day;
    return { payer, header: { "payment-signature": encode(await signPayment({ required, account: payer })) } };
  }

  async function buyPass(): Promise<{ "x-svc-pass": string }> {
    const account = await chain.createPayer(20_000_000n);
    const required = decode((await server.buyPass()).headers.get("payment-required"));
    const reply = await server.buyPass({ "payment-signature": encode(await signPayment({ required, account })) });
    return { "x-svc-pass": ((await reply.json()) as { pass_token: string }).pass_token };
  }

  it("takes a free call and leaves the payment alone, then settles the same payment", async () => {
    const { payer, header } = await offerPayment();
    const free = await server.explain(hashOf(1), header);
    expect([free.status, left(free), free.headers.get("payment-response")]).toEqual([200, 0, null]);
    expect(await chain.balance(payer.address)).toBe(20_000_000n);
    const paid = await server.explain(hashOf(1), header);
    expect([paid.status, paid.headers.get("payment-response")]).toEqual([200, expect.any(String)]);
    expect(await chain.balance(payer.address)).toBe(19_980_000n);
  });

  it("takes a free call and none of the pass, and says what the pass has left", async () => {
    const pass = await buyPass();
    const seen = async (hash = hashOf(1)) => {
      const reply = await server.explain(hash, pass);
      return [
        reply.status,
        left(reply),
        reply.headers.get("x-svc-pass-status"),
        reply.headers.get("x-svc-pass-remaining"),
      ];
    };
    expect(await seen()).toEqual([200, 0, "valid", "3"]);
    expect(await seen()).toEqual([200, 0, "valid", "2"]);
    // A failure gives the call back: today a call of the pass, tomorrow a free call.
    expect(await seen(hashOf(404))).toEqual([404, 0, "valid", "2"]);
    now += day;
    expect(await seen(hashOf(404))).toEqual([404, 1, "valid", "2"]);
    expect(await seen()).toEqual([200, 0, "valid", "2"]);
    expect(await seen()).toEqual([200, 0, "valid", "1"]);
    now -= day;
  });

  it("takes the pass before a payment", async () => {
    const pass = await buyPass();
    const { payer, header } = await offerPayment();
    await server.explain(hashOf(1));
    const used = await server.explain(hashOf(1), { ...pass, ...header });
    expect([used.status, used.headers.get("x-svc-pass-remaining")]).toEqual([200, "2"]);
    expect(await chain.balance(payer.address)).toBe(20_000_000n);
  });

  it("follows a payment that is settled, though a call is free again; another request with it is free", async () => {
    const { payer, header } = await offerPayment();
    await server.explain(hashOf(1));
    const paid = await server.explain(hashOf(1), header);
    now += day;
    const again = await server.explain(hashOf(1), header);
    expect([again.status, left(again)]).toEqual([200, 1]);
    expect(again.headers.get("payment-response")).toBe(paid.headers.get("payment-response"));
    const other = await server.explain(hashOf(2), header);
    expect([other.status, left(other), other.headers.get("payment-response")]).toEqual([200, 0, null]);
    expect(await code(await server.explain(hashOf(2), header))).toBe("payment_already_used");
    expect(await chain.balance(payer.address)).toBe(19_980_000n);
    now -= day;
  });

  it("does the same over MCP", async () => {
    const { payer, header } = await offerPayment();
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json", ...header };
    const call = () => fetch(`${server.url}/mcp`, { method: "POST", headers, body: JSON.stringify(callOf()) });
    const free = (await (await call()).json()) as { result: { _meta?: object } };
    expect(free.result._meta).toBeUndefined();
    expect(await chain.balance(payer.address)).toBe(20_000_000n);
  });

  it("answers a request without a body with what is wrong, and with the price once no free call is left", async () => {
    const ask = async (headers: Record<string, string>) => {
      const asked = await fetch(`${server.url}/explain`, { method: "POST", headers });
      return [asked.status, left(asked), asked.headers.has("payment-required"), await code(asked)];
    };
    const kinds: Record<string, string>[] = [{}, { "content-type": "application/json" }];
    for (const headers of kinds) expect(await ask(headers)).toEqual([400, 1, false, "invalid_json"]);
    expect((await server.explain(hashOf(1))).status).toBe(200);
    for (const headers of kinds) expect(await ask(headers)).toEqual([402, 0, true, "payment_required"]);
  });
});
