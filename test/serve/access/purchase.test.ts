import { afterEach, describe, expect, it, vi } from "vitest";
import type { PaymentRow } from "../../../src/serve/access/ledger/rows.ts";
import type { PurchaseRequest } from "../../../src/serve/access/payment/attempt.ts";
import type { Paid } from "../../../src/serve/access/payment/payment.ts";
import type { Verified } from "../../../src/serve/access/payment/purchase.ts";
import {
  alreadyUsed,
  ask,
  broken,
  client,
  fingerprintOf,
  key,
  nonce,
  openPurchases,
  type PurchaseWorld,
  paid,
  payer,
  payload,
  payTo,
  requirements,
  unavailable,
} from "./purchase-world.ts";

/** A payment of a kind that is not taken. */
const codeless = ask({ payment: { authorization: null } as never });

describe("the name of a payment", () => {
  it("is its authorization, if it has one", () => {
    const { purchases } = openPurchases();
    expect(purchases.keyOf(ask())).toBe(key);
    expect(purchases.keyOf(codeless)).toBeNull();
  });

  it.each<[string, Partial<PaymentRow> | undefined, boolean]>([
    ["nothing", undefined, false],
    ["a failed one", { state: "failed" }, false],
    ["one under way", {}, true],
    ["a settled one", { state: "settled" }, true],
    ["one of another request", { fingerprint: "other" }, false],
  ])("is known where the ledger has %s", async (_name, row, known) => {
    expect(await openPurchases({ rows: [row] }).purchases.knows(ask())).toBe(known);
  });

  it("is known without the ledger while it is worked on for the same request", async () => {
    const { purchases, notes, verified } = openPurchases();
    expect(await purchases.knows(codeless)).toBe(false);
    expect(notes).toEqual([]);
    expect(purchases.isBusy(key)).toBe(false);
    await verified();
    expect(purchases.isBusy(key)).toBe(true);
    notes.length = 0;
    expect(await purchases.knows(ask())).toBe(true);
    expect(notes).toEqual([]);
    expect(await purchases.knows(ask({ request: "b" }))).toBe(false);
    expect(notes).toEqual([]);
  });
});

describe("a new payment", () => {
  it("is looked for, checked on chain, then shown to the facilitator", async () => {
    const { notes, verified } = openPurchases();
    await verified();
    expect(notes).toEqual([
      ["find", true],
      ["look", { payer, nonce }],
      ["verify", payload, requirements],
    ]);
  });

  it.each<[string, PurchaseWorld, PurchaseRequest, string, string]>([
    ["of a kind that is not taken", {}, codeless, "unsupported_payload_type", ""],
    ["that does not match", { mismatch: "payment_mismatch" }, ask(), "payment_mismatch", "find"],
    [
      "that the facilitator refuses",
      { verdict: { valid: false, reason: "bad_signature" } },
      ask(),
      "bad_signature",
      "find look verify find",
    ],
    ["that was used", { view: { used: true } }, ask(), "invalid_exact_evm_nonce_already_used", "find look verify find"],
    [
      "that was used, which a facilitator tells in other words",
      { view: { used: true }, verdict: { valid: false, reason: "simulation_failed" } },
      ask(),
      "invalid_exact_evm_nonce_already_used",
      "find look verify find",
    ],
    [
      "that the balance does not cover",
      { view: { balance: 499n } },
      ask(),
      "invalid_exact_evm_insufficient_balance",
      "find look verify find",
    ],
  ])("is refused: one %s", async (_name, world, request, reason, steps) => {
    const parts = openPurchases(world);
    expect(await parts.purchases.begin(request)).toEqual({ kind: "refused", reason });
    expect(parts.steps()).toBe(steps);
    expect(parts.purchases.isBusy(key)).toBe(false);
  });

  it("that was settled while it was checked gets its answer from the ledger", async () => {
    const { purchases, steps } = openPurchases({
      rows: [undefined, { state: "settled" }],
      recalled: [paid],
      view: { used: true },
    });
    expect(await purchases.begin(ask())).toEqual(paid);
    expect(steps()).toBe("find look verify find recall");
  });

  it("that the chain took after its answer was dropped is worked on again, and charged once", async () => {
    const { purchases, notes, steps } = openPurchases({
      rows: [{ state: "failed" }],
      recalled: [{ ...paid, answer: "" }],
    });
    const purchase = await purchases.begin(ask());
    expect(purchase.kind).toBe("verified");
    expect(await (purchase as Verified).commit("made again")).toEqual({ ...paid, answer: "made again" });
    expect(steps()).toBe("find recall answer");
    expect(notes.at(-1)).toEqual(["answer", true, "made again", 95_400]);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("is free again when checking it fails", async () => {
    const { purchases } = openPurchases({ verdict: broken });
    const both = await Promise.allSettled([purchases.begin(ask()), purchases.begin(ask())]);
    expect(both).toMatchObject([{ reason: broken }, { reason: broken }]);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("is free again when its work gave nothing, and waiting callers get the reason", async () => {
    const { purchases, verified, notes } = openPurchases();
    const purchase = await verified();
    const waiting = purchases.begin(ask());
    expect(await purchases.begin(ask({ request: "b" }))).toEqual(alreadyUsed);
    purchase.release(broken);
    await expect(waiting).rejects.toBe(broken);
    expect(purchases.isBusy(key)).toBe(false);
    expect(notes).toHaveLength(3);
  });
});

describe("the row of a payment", () => {
  it.each<[string, Partial<PurchaseRequest>, object]>([
    [
      "for what somebody pasted",
      { isPasted: true },
      { product: "explain", buyer: null, claimKey: null, answerUntil: 95_400, lines: null },
    ],
    ["for an answer", {}, { product: "explain", buyer: null, claimKey: null, answerUntil: null, lines: null }],
    [
      "for a pass",
      { product: "pass" },
      { product: "pass", buyer: `true ${client}`, claimKey: null, answerUntil: null, lines: null },
    ],
    [
      "for a batch that is bound to a secret",
      { product: "batch", claimKey: "hash" },
      { product: "batch", buyer: `true ${client}`, claimKey: "hash", answerUntil: null, lines: 4 },
    ],
  ])("%s is written before it is settled", async (_name, parts, expected) => {
    const { opened, verified, notes, purchases } = openPurchases({ rows: [undefined, { beat: 8 }] });
    const purchase = await verified(parts);
    notes.length = 0;
    expect(await purchase.commit("new answer")).toMatchObject({ kind: "paid", receipt: paid.receipt });
    const row = {
      ...{ key, fingerprint: fingerprintOf(String(parts.product ?? "explain"), "a"), payer, nonce, payTo },
      ...{ amount: 500n, validBefore: 100, answer: "new answer", openedAt: 9_000, openedBlock: 77, senders: "0x77" },
    };
    expect(opened).toEqual([[{ ...row, ...expected }, 500n]]);
    expect(notes.slice(0, 3)).toEqual([
      ["find", true],
      ["settle", payload, requirements],
      ["conclude", 8, { status: "unknown" }],
    ]);
    // Whoever opened the row is its buyer and needs no proof.
    expect(notes.slice(3)).toEqual(parts.product === "pass" ? [["renew"]] : []);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("that somebody else wrote is followed", async () => {
    const { verified } = openPurchases({ opens: false, rows: [undefined, { state: "settled" }], recalled: [paid] });
    expect(await (await verified()).commit("new answer")).toEqual(paid);
  });

  it("that somebody else dropped this moment is no refusal", async () => {
    const { verified, purchases } = openPurchases({
      opens: false,
      rows: [undefined, { state: "failed" }],
      recalled: [{ kind: "unsent" }],
    });
    await expect((await verified()).commit("x")).rejects.toMatchObject(unavailable);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("gives all waiting callers the same result", async () => {
    const { verified, purchases } = openPurchases({ rows: [undefined, {}] });
    const purchase = await verified();
    const waiting = purchases.begin(ask());
    expect([await purchase.commit("x"), await waiting]).toEqual([paid, paid]);
    const failing = openPurchases({ rows: [undefined, {}], concluded: broken });
    const other = await failing.verified();
    const following = failing.purchases.begin(ask());
    const ends = await Promise.allSettled([other.commit("x"), following]);
    expect(ends).toMatchObject([{ reason: broken }, { reason: broken }]);
    expect(failing.purchases.isBusy(key)).toBe(false);
  });
});

describe("the signs of life while a payment is settled", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(["settled", "failed"])("are given until it is %s", async (end) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const concluded = Promise.withResolvers<Paid>();
    const { verified, notes } = openPurchases({ rows: [undefined, {}], concluded: concluded.promise });
    const committed = (await verified()).commit("x").catch((thrown: unknown) => thrown);
    await new Promise((resolve) => setImmediate(resolve));
    expect(notes.at(-1)?.[0]).toBe("conclude");
    vi.advanceTimersByTime(80);
    expect(notes.slice(-2)).toEqual([
      ["beat", true],
      ["beat", true],
    ]);
    if (end === "settled") concluded.resolve(paid);
    else concluded.reject(broken);
    expect(await committed).toEqual(end === "settled" ? paid : broken);
    expect(vi.getTimerCount()).toBe(0);
  });
});
