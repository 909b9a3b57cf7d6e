import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { expect, it, vi } from "vitest";
import { claimMessage } from "../../../src/serve/access/payment/claim.ts";
import { publicUrl } from "../../support/metered-server.ts";
import { decode, encode, nonceOf, payingFetch, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";
import { answerTo, describeShops, hashes, post, price, told } from "./paid-batch.ts";

describeShops("a batch that is paid for", (shop) => {
  it("the official client pays for the lines at once, and gets them in order", async () => {
    const asked = hashes(1, 2, 3, 2);
    const reply = await post(shop.server.url, asked, {}, payingFetch(shop.payer));
    expect(reply.headers.get("x-svc-credit")).toBe("3");
    expect((await told(reply)).lines).toEqual(asked.map(answerTo));
    expect(await shop.spent()).toBe(3n * price);
    const { transaction } = decode(reply.headers.get("payment-response"));
    expect((await shop.chain.reader.getTransactionReceipt({ hash: transaction })).status).toBe("success");
  });

  it("a line without an answer stays as credit, and the same payment picks it up", async () => {
    const asked = hashes(11, 12, 13);
    shop.away.add(hashOf(12));
    const { header } = await shop.sign(asked);
    const first = await told(await post(shop.server.url, asked, header));
    expect(first.codes).toEqual([undefined, "upstream_unavailable", undefined]);
    expect(await shop.spent()).toBe(3n * price);
    shop.away.clear();
    // A line that was bought is told again from the ledger. The line that had no answer takes the credit, and so would another hash.
    const work = shop.server.gathered.length;
    const again = await post(shop.server.url, asked, header);
    expect(again.headers.get("x-svc-credit")).toBe("1");
    expect((await told(again)).lines).toEqual(asked.map(answerTo));
    expect(shop.server.gathered.slice(work)).toEqual([hashOf(12)]);
    expect(await told(await post(shop.server.url, asked, header))).toMatchObject({ lines: asked.map(answerTo) });
    expect(await told(await post(shop.server.url, hashes(14), header))).toMatchObject({
      status: 402,
      error: "credit_too_small",
    });
    expect(await told(await shop.server.explain(hashOf(11), header))).toMatchObject({ error: "payment_already_used" });
    expect(await shop.spent()).toBe(3n * price);
    const rows = await shop.server.parts.ledger.listPayments(1);
    expect(rows).toMatchObject([{ product: "batch", lines: 3, amount: 3n * price, state: "settled" }]);
  });

  it("a payment that no line needs is not settled, and can be used later", async () => {
    const asked = hashes(21, 22);
    for (const hash of asked) shop.away.add(hash);
    const { header, payload } = await shop.sign(asked);
    expect((await told(await post(shop.server.url, asked, header))).codes).toEqual(
      Array(2).fill("upstream_unavailable"),
    );
    expect(await shop.spent()).toBe(0n);
    expect(await shop.chain.isUsed(shop.payer.address, nonceOf(payload))).toBe(false);
    shop.away.clear();
    expect((await told(await post(shop.server.url, asked, header))).lines).toEqual(asked.map(answerTo));
    expect(await shop.spent()).toBe(2n * price);
  });

  it("many at once with one payment: paid once, and each line bought once", async () => {
    const asked = hashes(31, 32, 33, 34);
    const { header } = await shop.sign(asked);
    const replies = await Promise.all(Array.from({ length: 8 }, () => post(shop.server.url, asked, header)));
    for (const reply of replies) expect((await told(reply)).lines).toEqual(asked.map(answerTo));
    expect(await shop.spent()).toBe(4n * price);
    expect(shop.server.access.usage.counts.paid).toBeGreaterThanOrEqual(4);
  });

  it("refuses a payment for too few lines, for another product, or from another client", async () => {
    const small = await shop.sign(hashes(41, 42));
    expect(await told(await post(shop.server.url, hashes(41, 42, 43), small.header))).toMatchObject({
      status: 402,
      error: "payment_mismatch",
    });
    const single = decode((await shop.server.explain(hashOf(41))).headers.get("payment-required"));
    const other = encode(await signPayment({ required: single, account: shop.payer }));
    const wrong = await told(await post(shop.server.url, hashes(41), { "payment-signature": other }));
    expect(wrong.error).toBe("resource_mismatch");
    const odd = { value: "30000" };
    const unsettled = await signPayment({ required: small.required, account: shop.payer, authorization: odd });
    const header = { "payment-signature": encode(unsettled) };
    expect((await told(await post(shop.server.url, hashes(41), header))).error).toBe("payment_mismatch");
    expect(await shop.spent()).toBe(0n);

    const buyer = { "x-forwarded-for": "192.0.2.10" };
    const thief = { "x-forwarded-for": "198.51.100.20" };
    shop.away.add(hashOf(42));
    await told(await post(shop.server.url, hashes(41, 42), { ...small.header, ...buyer }));
    shop.away.clear();
    expect(await told(await post(shop.server.url, hashes(44), { ...small.header, ...thief }))).toMatchObject({
      status: 409,
      error: "pass_claimed_elsewhere",
    });
    const time = String(Math.floor(Date.now() / 1000));
    const nonce = nonceOf(small.payload).toLowerCase();
    const message = claimMessage({ publicUrl, nonce, time, thing: "lines" });
    const claim = { "x-svc-claim": `${time} ${await shop.payer.signMessage({ message })}` };
    const claimed = await post(shop.server.url, hashes(44), { ...small.header, ...thief, ...claim });
    expect((await told(claimed)).lines).toEqual([answerTo(hashOf(44))]);
    expect(await shop.spent()).toBe(2n * price);
  });

  it("a client that leaves in the middle has the rest as credit", async () => {
    const asked = hashes(...Array.from({ length: 40 }, (_, index) => 5_000 + index));
    const { header } = await shop.sign(asked);
    const opened = Promise.withResolvers<void>();
    shop.gate = opened.promise;
    const body = JSON.stringify({ tx_hashes: asked });
    const headers = { "content-type": "application/json", ...header };
    const sent = sendRequest(`${shop.server.url}/explain/batch`, { method: "POST", headers }).end(body);
    sent.on("error", () => {});
    const [reply] = await once(sent, "response");
    let heard = 0;
    for await (const chunk of reply) {
      heard += String(chunk).split("\n").length - 1;
      if (heard === 20) break;
    }
    sent.destroy();
    const left20 = { event: "batch", lines: 40, told: 20 };
    await vi.waitFor(() => expect(shop.server.lines).toContainEqual(expect.objectContaining(left20)));
    opened.resolve();
    shop.gate = null;
    const again = await post(shop.server.url, asked, header);
    expect(again.headers.get("x-svc-credit")).toBe("20");
    expect((await told(again)).lines).toEqual(asked.map(answerTo));
    expect(await shop.spent()).toBe(40n * price);
    const left = await post(shop.server.url, asked, header);
    expect(left.headers.get("x-svc-credit")).toBe("0");
    await left.text();
  });

  it("tells the price of one line to a request without a body", async () => {
    await shop.reopen({ freeCallsPerDay: 0 });
    const reply = await fetch(`${shop.server.url}/explain/batch`, { method: "POST" });
    const { accepts, resource } = decode(reply.headers.get("payment-required"));
    expect([reply.status, accepts[0].amount, resource.url]).toEqual([402, "20000", `${publicUrl}/explain/batch`]);
  });
});
