import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Preview } from "../../../src/model/told/preview.ts";
import { previewerOver } from "../../gather/preview/preview-world.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, openMeteredServer, payTo, publicUrl } from "../../support/metered-server.ts";
import { decode, encode, nonceOf, payingFetch, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";

const day = 86_400_000;

describe.skipIf(findAnvil() === undefined)("paying, with a real chain and the official client", () => {
  let chain: TestChain;
  let server: MeteredServer;
  let gasKey: `0x${string}`;
  let previewer: ReturnType<typeof previewerOver>;
  let now = Date.now();

  beforeAll(async () => {
    chain = await startChain();
    gasKey = await chain.createGasKey();
    previewer = previewerOver(chain.url);
    const settings = { passCalls: 3 };
    server = await openMeteredServer({
      ...{ rpcUrl: chain.url, gasKey, settings, now: () => now },
      previewer,
    });
  });

  afterAll(async () => {
    await server?.close();
    previewer?.close();
    await chain?.stop();
  });

  it("gives 50 answers, then asks, is paid exactly the price and answers with a receipt", async () => {
    const payer = await chain.createPayer(1_000_000n);
    for (let call = 1; call <= 50; call++) {
      const free = await server.explain(hashOf(call));
      expect(free.status).toBe(200);
      expect(free.headers.get("ratelimit")).toMatch(new RegExp(`^"free";r=${50 - call};t=\\d+$`));
      expect(free.headers.get("ratelimit-policy")).toBe('"free";q=50;w=86400');
    }
    const asked = await server.explain(hashOf(51), { origin: "https://page.example" });
    expect(asked.status).toBe(402);
    expect(asked.headers.get("cache-control")).toBe("no-store");
    expect(asked.headers.get("access-control-expose-headers")).toContain("PAYMENT-REQUIRED");
    const body = await asked.text();
    expect(Buffer.from(String(asked.headers.get("payment-required")), "base64").toString()).toBe(body);
    const isChallenge = compileSchema("payment-required");
    expect(isChallenge(JSON.parse(body)), JSON.stringify(isChallenge.errors)).toBe(true);
    expect(JSON.parse(body)).toMatchObject({
      x402Version: 2,
      error: "free_allowance_used",
      resource: { url: `${publicUrl}/explain` },
      accepts: [
        { scheme: "exact", network: "eip155:8453", amount: "20000", extra: { name: "USD Coin", version: "2" } },
      ],
    });

    const before = await chain.balance(payTo);
    const paid = await server.explain(hashOf(51), {}, payingFetch(payer));
    expect(paid.status).toBe(200);
    const explanation = (await paid.json()) as { tx_hash: string };
    expect(explanation.tx_hash).toBe(hashOf(51));
    const receipt = decode(paid.headers.get("payment-response"));
    expect(receipt).toMatchObject({ success: true, network: "eip155:8453", payer: payer.address });
    const onChain = await chain.reader.getTransactionReceipt({ hash: receipt.transaction });
    expect(onChain.status).toBe("success");
    expect(await chain.balance(payer.address)).toBe(980_000n);
    expect((await chain.balance(payTo)) - before).toBe(20_000n);
  });

  it("sells a preview for the same price", async () => {
    const payer = await chain.createPayer(1_000_000n);
    const request = { from: payer.address, to: payTo, value: "5" };
    const ask = (by: typeof fetch) =>
      by(`${server.url}/preview`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      });
    const asked = await ask(fetch);
    expect(asked.status).toBe(402);
    expect(decode(asked.headers.get("payment-required"))).toMatchObject({
      resource: { url: `${publicUrl}/preview` },
      accepts: [{ amount: "20000" }],
    });
    const before = await chain.balance(payTo);
    const paid = await ask(payingFetch(payer));
    expect(paid.status).toBe(200);
    expect(((await paid.json()) as Preview).summary).toMatch(/(send|sent) 5 wei of ETH/);
    expect(decode(paid.headers.get("payment-response"))).toMatchObject({ success: true, payer: payer.address });
    expect(await chain.balance(payer.address)).toBe(980_000n);
    expect((await chain.balance(payTo)) - before).toBe(20_000n);
  });

  it("sells a pass to a client that raised its cap; it ends by calls and by time, with reasons", async () => {
    const payer = await chain.createPayer(20_000_000n);
    await expect(server.buyPass({}, payingFetch(payer))).rejects.toThrow();
    expect(await chain.balance(payer.address)).toBe(20_000_000n);

    const bought = await server.buyPass({}, payingFetch(payer, { raised: true }));
    expect(bought.status).toBe(200);
    const pass = (await bought.json()) as { pass_token: string; expires_at: string; call_cap: number };
    const isPass = compileSchema("pass");
    expect(isPass(pass), JSON.stringify(isPass.errors)).toBe(true);
    expect(pass.call_cap).toBe(3);
    // It begins at the time of the chain.
    const { timestamp } = await chain.reader.getBlock();
    expect(Date.parse(pass.expires_at)).toBe(Number(timestamp) * 1000 + 30 * day);
    expect(await chain.balance(payer.address)).toBe(11_000_000n);

    const use = () => server.explain(hashOf(7), { "x-svc-pass": pass.pass_token });
    for (const left of [2, 1, 0]) {
      const used = await use();
      expect([used.status, used.headers.get("x-svc-pass-remaining")]).toEqual([200, String(left)]);
    }
    const exhausted = await use();
    expect([exhausted.status, exhausted.headers.get("x-svc-pass-status")]).toEqual([402, "exhausted"]);
    expect(((await exhausted.json()) as { error: string }).error).toBe("pass_exhausted, free_allowance_used");

    now += 31 * day;
    const expired = await use();
    // On the new day a free call answers, and the answer still states that the pass has expired.
    expect([expired.status, expired.headers.get("x-svc-pass-status")]).toEqual([200, "expired"]);
    const unknown = await server.explain(hashOf(7), { "x-svc-pass": `${pass.pass_token.slice(0, -1)}x` });
    expect([unknown.status, unknown.headers.get("x-svc-pass-status")]).toEqual([200, "unknown"]);
    now -= 31 * day;
  });

  it("gives the same pass for the same payment, each time with a token of its own, and charges once", async () => {
    const payer = await chain.createPayer(20_000_000n);
    const required = decode((await server.buyPass()).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account: payer })) };
    const answers = [];
    for (let send = 0; send < 3; send++) answers.push(await (await server.buyPass(header)).text());
    const tokens = answers.map((answer) => JSON.parse(answer).pass_token as string);
    expect(new Set(answers.map((answer) => answer.replace(/_[0-9a-f]{64}/, ""))).size).toBe(1);
    expect(await chain.balance(payer.address)).toBe(11_000_000n);
    const used = await Promise.all(tokens.map((token) => server.explain(hashOf(7), { "x-svc-pass": token })));
    expect(used.map((reply) => reply.headers.get("x-svc-pass-status"))).toEqual(["unknown", "unknown", "valid"]);
  });

  it("settles 50 concurrent sends of one authorization once, with identical answers", async () => {
    const payer = await chain.createPayer(1_000_000n);
    const required = decode((await server.explain(hashOf(51))).headers.get("payment-required"));
    const payload = await signPayment({ required, account: payer });
    const [sent, work] = [await chain.countSent(gasKey), server.gathered.length];
    const header = { "payment-signature": encode(payload) };
    const replies = await Promise.all(Array.from({ length: 50 }, () => server.explain(hashOf(1001), header)));
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1);
    expect(new Set(replies.map((reply) => reply.headers.get("payment-response"))).size).toBe(1);
    expect((await chain.countSent(gasKey)) - sent).toBe(1);
    expect(server.gathered.length - work).toBe(1);
    expect(await chain.balance(payer.address)).toBe(980_000n);

    const later = await server.explain(hashOf(1001), header);
    expect([later.status, later.headers.get("payment-response")]).toEqual([
      200,
      replies[0]?.headers.get("payment-response"),
    ]);
    const other = await server.explain(hashOf(1002), header);
    expect([other.status, ((await other.json()) as { error: string }).error]).toEqual([402, "payment_already_used"]);
    expect(await chain.isUsed(payer.address, nonceOf(payload))).toBe(true);
    expect(await chain.balance(payer.address)).toBe(980_000n);
  });
});
