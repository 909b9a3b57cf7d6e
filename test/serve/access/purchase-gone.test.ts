import { describe, expect, it } from "vitest";
import type { Verified } from "../../../src/serve/access/payment/purchase.ts";
import { ask, broken, key, openPurchases, paid } from "./purchase-world.ts";

describe("a payment whose caller leaves", () => {
  it("is begun anew by the one that waits first, and the others wait for that one", async () => {
    const { purchases, verified, steps } = openPurchases({ rows: [undefined, undefined, {}] });
    const first = await verified();
    const [second, third] = [purchases.begin(ask()), purchases.begin(ask())];
    expect(steps()).toBe("find look verify");
    first.release(null);
    const leader = await second;
    expect(leader.kind).toBe("verified");
    expect(steps()).toBe("find look verify find look verify");
    expect(purchases.isBusy(key)).toBe(true);
    expect([await (leader as Verified).commit("x"), await third]).toEqual([paid, paid]);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("is handed on in turn while each one goes away, to the last", async () => {
    const { purchases, verified } = openPurchases();
    let leader = await verified();
    const waiting = Array.from({ length: 5 }, () => purchases.begin(ask()));
    for (const next of waiting) {
      leader.release(null);
      leader = (await next) as Verified;
      expect(leader.kind).toBe("verified");
    }
    leader.release(broken);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("is free again if no caller waits, also for another request", async () => {
    const { purchases, verified } = openPurchases();
    (await verified()).release(null);
    expect(purchases.isBusy(key)).toBe(false);
    const first = await verified();
    const waiting = purchases.begin(ask());
    first.release(null);
    const other = purchases.begin(ask({ request: "b" }));
    expect([(await waiting).kind, (await other).kind].toSorted()).toEqual(["refused", "verified"]);
  });
});
