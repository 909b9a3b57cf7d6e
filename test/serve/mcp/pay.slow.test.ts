import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { findAnvil } from "../../support/anvil.ts";
import { type ConnectMcp, mcpClients } from "../../support/mcp-client.ts";
import { callOf, modernCallOf, modernHeaders } from "../../support/mcp-message.ts";
import type { MeteredServer } from "../../support/metered-server.ts";
import { decode, encode, payingFetch, signPayment } from "../../support/payer.ts";
import { explanationOf, hashOf } from "../../support/sample.ts";
import { isChallenge, type PaidServer, readAnswer, startPaidServer, unknownHash } from "./paid-server.ts";

describe.skipIf(findAnvil() === undefined)("paying over MCP, with a real chain", () => {
  let world: PaidServer;
  beforeAll(async () => {
    world = await startPaidServer();
  });
  afterAll(() => world?.stop());

  it("asks a caller without a revision with status 402, on both paths", async () => {
    for (const message of [callOf({ arguments: { tx_hash: hashOf(0x100) } }), callOf({ task: { ttl: 1 } })]) {
      const response = await world.post(message);
      expect(response.status).toBe(402);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const body = await response.text();
      expect(Buffer.from(String(response.headers.get("payment-required")), "base64").toString()).toBe(body);
      expect(isChallenge(JSON.parse(body)), JSON.stringify(isChallenge.errors)).toBe(true);
    }
    const pass = await world.post(callOf({ name: "buy_pass", arguments: {} }));
    expect([pass.status, (await readAnswer(pass)).accepts[0].amount]).toEqual([402, "9000000"]);
  });

  it("asks a caller with a revision inside of the result, as the revision wants it", async () => {
    const legacy = await world.post(callOf(), { "mcp-protocol-version": "2025-11-25" });
    const modern = await world.post(modernCallOf(), modernHeaders());
    expect([legacy.status, modern.status]).toEqual([200, 200]);
    expect(legacy.headers.get("payment-required")).toBe(modern.headers.get("payment-required"));
    const [old, now] = [(await readAnswer(legacy)).result, (await readAnswer(modern)).result];
    expect([old.resultType, now.resultType]).toEqual([undefined, "complete"]);
    expect(now.structuredContent).toEqual(decode(modern.headers.get("payment-required")));
    expect(old.structuredContent).toEqual(now.structuredContent);
  });

  it("is paid by @x402/fetch through status 402", async () => {
    const payer = await world.chain.createPayer(1_000_000n);
    const by = payingFetch(payer);
    const message = callOf({ arguments: { tx_hash: hashOf(0x101) } });
    const response = await world.post(message, {}, { by });
    expect(response.status).toBe(200);
    const { result } = await readAnswer(response);
    expect(result.structuredContent).toEqual(explanationOf(hashOf(0x101)));
    expect(decode(response.headers.get("payment-response"))).toEqual(result._meta["x402/payment-response"]);
    expect(await world.chain.balance(payer.address)).toBe(980_000n);
  });

  it("counts a payment that comes both ways once, and takes the one in _meta", async () => {
    const payer = await world.chain.createPayer(1_000_000n);
    const message = (number: number, meta?: object) =>
      callOf({ arguments: { tx_hash: hashOf(number) }, ...(meta ? { _meta: meta } : {}) });
    const required = await readAnswer(await world.post(message(0x102)));
    const [first, second] = [
      await signPayment({ required, account: payer }),
      await signPayment({ required, account: payer }),
    ];
    const twice = await world.post(message(0x102, { "x402/payment": first }), { "payment-signature": encode(first) });
    expect((await readAnswer(twice)).result.structuredContent.tx_hash).toBe(hashOf(0x102));
    expect(await world.chain.balance(payer.address)).toBe(980_000n);
    const other = await world.post(message(0x103, { "x402/payment": second }), { "payment-signature": encode(first) });
    expect((await readAnswer(other)).result.structuredContent.tx_hash).toBe(hashOf(0x103));
    expect(await world.chain.balance(payer.address)).toBe(960_000n);
  });

  it("gives over both servers what one payment bought", async () => {
    const payer = await world.chain.createPayer(1_000_000n);
    const asked = await world.server.explain(hashOf(0x104));
    const payload = await signPayment({ required: (await asked.json()) as never, account: payer });
    const overHttp = await world.server.explain(hashOf(0x104), { "payment-signature": encode(payload) });
    const overMcp = await world.post(
      callOf({ arguments: { tx_hash: hashOf(0x104) }, _meta: { "x402/payment": payload } }),
    );
    expect(await overMcp.text()).toContain(`"structuredContent":${await overHttp.text()}`);
    expect(await world.chain.balance(payer.address)).toBe(980_000n);
  });

  it("takes a pass from the header that a client is set up with", async () => {
    const payer = await world.chain.createPayer(10_000_000n);
    const bought = await world.server.buyPass({}, payingFetch(payer, { raised: true }));
    const { pass_token } = (await bought.json()) as { pass_token: string };
    const client = await (mcpClients["client 1.x"] as ConnectMcp)(`${world.server.url}/mcp`, {
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init?.headers)), "x-svc-pass": pass_token },
        }),
    });
    const answer = await client.call("explain_transaction", { tx_hash: hashOf(0x105) });
    expect(answer._meta?.["svc/pass"]).toEqual({ status: "valid", remaining: 1 });
    await client.close();
  });

  it("counts free calls together with HTTP", async () => {
    const own = await world.open({ freeCallsPerDay: 2 });
    const left = ({ status, headers }: Response) => [status, /r=(\d+)/.exec(String(headers.get("ratelimit")))?.[1]];
    expect(left(await own.explain(hashOf(1)))).toEqual([200, "1"]);
    expect(left(await world.post(callOf({ arguments: { tx_hash: unknownHash } }), {}, { at: own }))).toEqual([
      200,
      "1",
    ]);
    expect(left(await world.post(callOf({ arguments: {} }), {}, { at: own }))).toEqual([200, "1"]);
    expect(left(await world.post(callOf(), {}, { at: own }))).toEqual([200, "0"]);
    expect(left(await world.post(callOf(), {}, { at: own }))).toEqual([402, "0"]);
    expect(
      left(await world.post(callOf({ task: { ttl: 1 } }), { "mcp-protocol-version": "2025-11-25" }, { at: own })),
    ).toEqual([200, "0"]);
    expect((await own.explain(hashOf(1))).status).toBe(402);
    await own.close();
  });

  it("slows down a caller that only costs", async () => {
    const own = await world.open({ rateLimitPerMinute: 3 });
    const texts: string[] = [];
    for (let call = 0; call < 6; call++) {
      const response = await world.post(
        callOf({ arguments: {} }),
        { "mcp-protocol-version": "2025-11-25" },
        { at: own },
      );
      texts.push((await readAnswer(response)).result.content[0].text);
    }
    expect(texts.slice(0, 3).every((text) => text.startsWith("invalid_tx_hash: "))).toBe(true);
    expect(texts.at(-1)).toMatch(/^rate_limited: /);
    await own.close();
  });

  it.each([
    ["the outcome of a settlement is not known", "settle", "settlement_pending"],
    ["nobody can verify", "verify", "payments_unavailable"],
  ] as const)("does not ask again when %s", async (_what, step, code) => {
    const own = await world.open(
      {},
      {
        change: (parts: MeteredServer["parts"]) => ({
          ...parts,
          facilitator: {
            ...parts.facilitator,
            [step]: async () => {
              if (step === "settle") return { status: "unknown" };
              throw new ServiceError("payments_unavailable");
            },
          },
        }),
      },
    );
    const payer = await world.chain.createPayer(1_000_000n);
    const required = await readAnswer(await world.post(callOf(), {}, { at: own }));
    const payload = await signPayment({ required, account: payer });
    const meta = { "x402/payment": payload };
    for (const [message, headers] of [
      [callOf({ _meta: meta }), {}],
      [callOf({ _meta: meta, task: { ttl: 1 } }), {}],
      [modernCallOf({ _meta: meta }), modernHeaders()],
    ] as const) {
      const response = await world.post(message, headers, { at: own });
      expect([response.status, response.headers.get("payment-required")]).toEqual([200, null]);
      const { result } = await readAnswer(response);
      expect([result.isError, result.structuredContent]).toEqual([true, undefined]);
      expect(JSON.parse(result.content[1].text)).toMatchObject({ error: code, retryable: true });
    }
    await own.close();
  });

  it("gives nothing for free while the ledger is away", async () => {
    const own = await world.open(
      { freeCallsPerDay: 5 },
      {
        change: (parts: MeteredServer["parts"]) => ({
          ...parts,
          ledger: {
            ...parts.ledger,
            takeFree: () => {
              throw new ServiceError("ledger_unavailable");
            },
          },
        }),
      },
    );
    const { result } = await readAnswer(await world.post(callOf(), {}, { at: own }));
    expect(result.content[0].text).toMatch(/^ledger_unavailable: /);
    expect(own.gathered).toEqual([]);
    await own.close();
  });
});
