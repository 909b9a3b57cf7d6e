import { expect, it, vi } from "vitest";
import type { Hash } from "../../../src/kernel/hex.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";
import { answerTo, describeShops, hashes, post, price, told } from "./paid-batch.ts";

describeShops("a batch for which free calls and a pass are there", (shop) => {
  it("takes free calls first, then the pass, then the payment, and counts only answered lines", async () => {
    await shop.reopen({ freeCallsPerDay: 2 });
    const by = { "x-forwarded-for": `192.0.2.${shop.name.length}` };
    const passHeader = { "payment-signature": "" };
    const passChallenge = decode((await shop.server.buyPass(by)).headers.get("payment-required"));
    passHeader["payment-signature"] = encode(await signPayment({ required: passChallenge, account: shop.payer }));
    const bought = await shop.server.buyPass({ ...passHeader, ...by });
    const pass = { "x-svc-pass": ((await bought.json()) as { pass_token: string }).pass_token, ...by };
    const before = await shop.spent();

    const asked = hashes(61, 62, 63, 64, 65, 66, 67);
    shop.away.add(hashOf(61));
    const { header, lines } = await shop.sign(asked, pass);
    // Two are free, three are of the pass.
    expect(lines).toBe(2);
    const reply = await post(shop.server.url, asked, { ...header, ...pass });
    expect([reply.headers.get("ratelimit")?.slice(0, 10), reply.headers.get("x-svc-pass-status")]).toEqual([
      '"free";r=0',
      "exhausted",
    ]);
    const { codes } = await told(reply);
    expect(codes).toEqual(["upstream_unavailable", ...Array(6).fill(undefined)]);
    // Six answers: two are free, three use the pass, and one of the two that were paid for is used.
    expect(await shop.spent()).toBe(before + 2n * price);
    shop.away.clear();
    const again = await post(shop.server.url, hashes(61), { ...header, ...pass });
    expect(again.headers.get("x-svc-credit")).toBe("1");
    expect((await told(again)).lines).toEqual([answerTo(hashOf(61))]);
    expect(await shop.spent()).toBe(before + 2n * price);
    expect(shop.server.access.usage.counts).toMatchObject({ free: 2, pass: 3, paid: 3 });
  });

  it("gives back calls that a batch held for lines without an answer", async () => {
    await shop.reopen({ freeCallsPerDay: 3 });
    const by = { "x-forwarded-for": `198.51.100.${shop.name.length}` };
    for (const hash of hashes(71, 72)) shop.away.add(hash);
    expect((await told(await post(shop.server.url, hashes(71, 72, 73), by))).codes).toEqual([
      "upstream_unavailable",
      "upstream_unavailable",
      undefined,
    ]);
    const left = async () => (await shop.server.explain("0x" as Hash, by)).headers.get("ratelimit")?.slice(0, 10);
    await vi.waitFor(async () => expect(await left()).toBe('"free";r=2'));
    // More lines than free calls: nothing is done, and no call is held.
    expect(await told(await post(shop.server.url, hashes(71, 72, 73), by))).toMatchObject({
      status: 402,
      error: "free_allowance_used",
    });
    await vi.waitFor(async () => expect(await left()).toBe('"free";r=2'));
  });
});
