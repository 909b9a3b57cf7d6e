import { describe, expect, it } from "vitest";
import type { PaymentRow } from "../../../src/serve/access/ledger/rows.ts";
import type { PurchaseRequest } from "../../../src/serve/access/payment/attempt.ts";
import type { Refused } from "../../../src/serve/access/payment/payment.ts";
import type { Recalled } from "../../../src/serve/access/payment/settler.ts";
import {
  alreadyUsed,
  ask,
  fingerprintOf,
  openPurchases,
  paid,
  payload,
  requirements,
  unavailable,
} from "./purchase-world.ts";

const late: Refused = { kind: "refused", reason: "payment_expired" };

describe("a payment from before", () => {
  it("tells its result to every client that sends it, and buys nothing else", async () => {
    const { purchases, steps } = openPurchases({ rows: [{ state: "settled" }], recalled: [paid] });
    expect(await purchases.begin(ask())).toEqual(paid);
    expect(steps()).toBe("find recall");
    expect(await purchases.begin(ask({ request: "b" }))).toEqual(alreadyUsed);
    expect(steps()).toBe("find recall find");
  });

  it("counts as new again if nothing was ever sent for it", async () => {
    const { verified, steps } = openPurchases({ rows: [{ state: "failed" }], recalled: [{ kind: "unsent" }] });
    await verified();
    expect(steps()).toBe("find recall look verify");
  });

  it.each<[PurchaseRequest["product"], Recalled, string]>([
    ["explain", paid, "find recall"],
    ["pass", paid, "find recall claim renew"],
    ["batch", paid, "find recall claim"],
    ["batch", late, "find recall"],
  ])("gives what a %s bought only to the buyer", async (product, recalled, steps) => {
    const fingerprint = fingerprintOf(product, "a");
    const row = { state: "settled", fingerprint } as const;
    const parts = openPurchases({ rows: [row], recalled: [recalled] });
    const given = product === "pass" ? { ...recalled, answer: "a new token" } : recalled;
    expect(await parts.purchases.begin(ask({ product }))).toEqual(given);
    expect(parts.steps()).toBe(steps);
    const stranger = openPurchases({ rows: [row], recalled: [recalled], claimFails: true });
    const told = await stranger.purchases.begin(ask({ product })).catch(({ code }) => code);
    expect(told).toEqual(steps.includes("claim") ? "pass_claimed_elsewhere" : recalled);
    expect(stranger.steps()).not.toContain("renew");
  });

  it.each<[PurchaseRequest["product"], Partial<PaymentRow>]>([
    ["explain", { state: "settled" }],
    ["explain", {}],
    ["pass", {}],
    ["batch", { state: "failed" }],
  ])("tells nothing to who did not sign it, and is not sent for him: %s %j", async (product, row) => {
    const rows = [{ ...row, fingerprint: fingerprintOf(product, "a") }];
    const { purchases, steps } = openPurchases({ rows, recalled: [paid], forged: true });
    const refused = { kind: "refused", reason: "invalid_exact_evm_signature" };
    expect(await purchases.begin(ask({ product }))).toEqual(refused);
    expect(steps()).toBe("find");
    const known = product !== "explain" && row.state !== "failed";
    expect(await purchases.knows(ask({ product }))).toBe(known);
  });

  it("that is under way is told to nobody who waits for it without the payer's signature", async () => {
    const { purchases, verified } = openPurchases({ rows: [undefined, {}], forged: true });
    const purchase = await verified();
    const waiting = purchases.begin(ask());
    expect(await purchase.commit("x")).toEqual(paid);
    expect(await waiting).toEqual({ kind: "refused", reason: "invalid_exact_evm_signature" });
  });

  it("gives all who wait for it the same new token of its pass", async () => {
    const row = { state: "settled", fingerprint: fingerprintOf("pass", "a") } as const;
    const { purchases, notes } = openPurchases({ rows: [row], recalled: [paid] });
    await Promise.all([1, 2, 3].map(() => purchases.begin(ask({ product: "pass" }))));
    expect(notes.filter(([name]) => name === "renew")).toHaveLength(1);
    await purchases.begin(ask({ product: "pass" }));
    expect(notes.filter(([name]) => name === "renew")).toHaveLength(2);
  });
});

describe("a payment that somebody works on", () => {
  const openState: Recalled[] = [{ kind: "open" }];

  it("is taken over after three silent beats", async () => {
    const { purchases, notes } = openPurchases({
      rows: [{}, { beat: 6 }, { beat: 6 }],
      recalled: openState,
      takeOvers: [7],
    });
    expect(await purchases.begin(ask())).toEqual(paid);
    const look = [
      ["pause", 40],
      ["find", true],
    ];
    expect(notes).toEqual([
      ...[["find", true], ["recall", "settling"], ...look, ...look, ...look, ...look],
      ["takeOver", { wallet: "0x77", beat: 6 }],
      ["settle", payload, requirements],
      ["conclude", 6, { status: "unknown" }],
    ]);
  });

  it("is taken over after one, where the ledger is a file for one process", async () => {
    const { purchases, steps } = openPurchases({
      ...{ database: "sqlite", rows: [{}, { beat: 6 }], recalled: openState, takeOvers: [7] },
    });
    expect(await purchases.begin(ask())).toEqual(paid);
    expect(steps()).toBe("find recall pause find pause find takeOver settle conclude");
  });

  it("is looked up again if another replica was faster", async () => {
    const { purchases, notes } = openPurchases({ rows: [{}], recalled: openState, takeOvers: [null, 6] });
    expect(await purchases.begin(ask())).toEqual(paid);
    expect(notes.filter(([name]) => name === "pause")).toHaveLength(4);
  });

  it.each([
    ["amount", { amount: 499n }],
    ["receiver", { payTo: `0x${"45".repeat(20)}` }],
    ["time", { validBefore: 101 }],
  ])("is not sent in another form that was signed with its nonce: another %s", async (_name, terms) => {
    const { purchases, steps } = openPurchases({ rows: [terms], recalled: openState, takeOvers: [1] });
    await expect(purchases.begin(ask())).rejects.toMatchObject({ code: "settlement_pending" });
    expect(steps()).toBe(`find recall${" pause find".repeat(15)}`);
  });

  it.each<[Recalled, object]>([
    [paid, paid],
    [late, late],
    [{ kind: "unsent" }, unavailable],
  ])("is told once it is closed: %j", async (end, expected) => {
    const { purchases, steps } = openPurchases({ rows: [{}, { state: "failed" }], recalled: [{ kind: "open" }, end] });
    expect(await purchases.begin(ask()).catch((thrown: object) => thrown)).toMatchObject(expected);
    expect(steps()).toBe("find recall pause find recall");
  });

  it("is pending after fifteen beats", async () => {
    const rows = Array.from({ length: 30 }, (_, beat) => ({ beat }));
    const { purchases, notes } = openPurchases({ rows, recalled: openState, takeOvers: [1] });
    const pending = { code: "settlement_pending", retryAfterSeconds: 3 };
    await expect(purchases.begin(ask())).rejects.toMatchObject(pending);
    expect(notes.filter(([name]) => name === "pause")).toHaveLength(15);
  });
});
