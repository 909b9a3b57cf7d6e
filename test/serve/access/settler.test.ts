import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Settlement } from "../../../src/serve/access/facilitator/facilitator.ts";
import type { AuthorizationState } from "../../../src/serve/access/payment/authorization-state.ts";
import { openSettler as open, paid, pending, receipt, settled, transaction, wallet } from "./settler-world.ts";

describe("after a facilitator was asked to settle", () => {
  const done: Settlement = { status: "settled", transaction: "0xinvented" };

  it("the transfer is looked for a little longer, and paid for once it shows", async () => {
    const { settler, add, pauses, settledRows, rowOf } = await open([{ state: "open" }, { state: "open" }, settled()]);
    expect(await settler.conclude(await add("a"), done)).toEqual(paid);
    expect(pauses).toEqual([100, 200]);
    expect(settledRows).toEqual(["a"]);
    expect(await rowOf("a")).toMatchObject({ state: "settled", transaction, closedAt: 2_000 });
  });

  it("the log of the transfer is looked for as long as the transfer", async () => {
    const { settler, add, pauses } = await open([{ state: "open" }, { state: "unclear" }, settled()]);
    expect(await settler.conclude(await add("a"), done)).toEqual(paid);
    expect(pauses).toEqual([100, 200]);
    const never = await open([{ state: "unclear" }]);
    await expect(never.settler.conclude(await never.add("a"), done)).rejects.toMatchObject(pending);
    expect(never.asked).toHaveLength(8);
  });

  it("it is pending when it does not show within eight looks", async () => {
    const { settler, add, pauses, asked } = await open();
    await expect(settler.conclude(await add("a"), done)).rejects.toMatchObject(pending);
    expect(pauses).toEqual([100, 200, 400, 800, 1_500, 2_500, 4_000]);
    expect(asked).toHaveLength(8);
  });

  it.each<[string, Settlement, AuthorizationState | Error, object]>([
    ["unknown, and taken", { status: "unknown" }, settled(), paid],
    [
      "unknown, and canceled",
      { status: "unknown" },
      { state: "lost", reason: "authorization_canceled" },
      { kind: "refused", reason: "authorization_canceled" },
    ],
    [
      "unsent, for a reason",
      { status: "unsent", reason: "too_late" },
      { state: "open" },
      { kind: "refused", reason: "too_late" },
    ],
    ["unknown, and open", { status: "unknown" }, { state: "open" }, pending],
    ["unknown, and unclear", { status: "unknown" }, { state: "unclear" }, pending],
    ["unknown, and no answer", { status: "unknown" }, new Error("no"), { ...pending, retryAfterSeconds: 5 }],
    [
      "unsent, for our own trouble",
      { status: "unsent", reason: null },
      { state: "open" },
      { code: "payments_unavailable", retryAfterSeconds: 30 },
    ],
  ])("%s", async (_name, said, word, expected) => {
    const { settler, add, pauses, rowOf } = await open([word]);
    expect(await settler.conclude(await add("a"), said).catch((thrown: object) => thrown)).toMatchObject(expected);
    expect(pauses).toEqual([]);
    if (said.status !== "unsent") return;
    const reason = said.reason ?? "payments_unavailable";
    expect(await rowOf("a")).toMatchObject({ state: "failed", reason, closedAt: 2_000 });
  });

  it("a payment that was unsent here and may have been sent elsewhere is looked up on the chain", async () => {
    const { settler, add, ledger } = await open([settled()]);
    const row = await add("a");
    await ledger.takeOver("a", { wallet: "0x02", beat: row.beat });
    expect(await settler.conclude(row, { status: "unsent", reason: "too_late" })).toEqual(paid);
  });
});

describe("the sender of the transfer", () => {
  it.each([
    ["our wallet", wallet, wallet, "paid"],
    ["another of our wallets", `0x01 ${wallet}`, wallet, "paid"],
    ["somebody else", wallet, "0x09", "payment_already_used"],
    ["a wallet whose name ours begins with", `${wallet}0`, wallet, "payment_already_used"],
    ["anybody, where a facilitator elsewhere was asked", "*", "0x09", "paid"],
  ])("%s", async (_name, senders, sender, expected) => {
    const { settler, add } = await open([settled(sender)]);
    const found = await settler.recall(await add("a", { senders }));
    expect("reason" in found ? found.reason : found.kind).toBe(expected);
  });
});

describe("what is known about an earlier attempt", () => {
  it("is the answer and the receipt once it is settled, without asking the chain", async () => {
    const { settler, add, rowOf, asked } = await open([settled()]);
    await settler.recall(await add("a"));
    expect(asked).toHaveLength(1);
    expect(await settler.recall(await rowOf("a"))).toEqual(paid);
    expect(asked).toHaveLength(1);
  });

  it("is the same once it is confirmed", async () => {
    const { settler, add, rowOf, ledger, asked } = await open();
    await add("a");
    await ledger.settlePayment("a", { transaction, now: 5, pass: null });
    await ledger.confirmPayment("a", { transaction, now: 6 });
    expect(await settler.recall(await rowOf("a"))).toEqual(paid);
    expect(asked).toEqual([]);
  });

  it("is what another process wrote meanwhile, no matter what the chain said", async () => {
    const { settler, add, ledger, settledRows } = await open([{ state: "lost", reason: "payment_expired" }]);
    const stale = await add("a");
    await ledger.settlePayment("a", { transaction, now: 5, pass: null });
    expect(await settler.recall(stale)).toEqual(paid);
    const joined = await open([settled("0x02")]);
    const before = await joined.add("a");
    await joined.ledger.takeOver("a", { wallet: "0x02", beat: before.beat });
    expect(await joined.settler.recall(before)).toEqual(paid);
    expect([settledRows, joined.settledRows]).toEqual([[], ["a"]]);
    const first = await open([{ state: "lost", reason: "payment_expired" }]);
    const row = await first.add("a");
    await first.ledger.losePayment("a", { reason: "authorization_canceled", now: 5 });
    expect(await first.settler.recall(row)).toEqual({ kind: "refused", reason: "authorization_canceled" });
  });

  it("is why it was lost", async () => {
    const { settler, add, rowOf } = await open([{ state: "lost", reason: "payment_expired" }]);
    const refused = { kind: "refused", reason: "payment_expired" };
    expect(await settler.recall(await add("a"))).toEqual(refused);
    expect(await settler.recall(await rowOf("a"))).toEqual(refused);
    expect(await settler.recall({ ...(await rowOf("a")), reason: null })).toEqual({
      kind: "refused",
      reason: "settlement_failed",
    });
  });

  it("is open while the chain may take it, and unsent when nothing left this service", async () => {
    const { settler, add, rowOf, ledger } = await open();
    expect(await settler.recall(await add("a"))).toEqual({ kind: "open" });
    await ledger.dropPayment("a", { reason: "too_late", now: 5 });
    expect(await settler.recall(await rowOf("a"))).toEqual({ kind: "unsent" });
  });

  it("is paid if the chain shows a payment that was thought to be unsent, and unknown while the chain is down", async () => {
    const { settler, add, rowOf, ledger } = await open([new ServiceError("payments_unavailable"), settled()]);
    await add("a");
    await ledger.dropPayment("a", { reason: "payments_unavailable", now: 5 });
    await expect(settler.recall(await rowOf("a"))).rejects.toMatchObject({ code: "payments_unavailable" });
    expect(await settler.recall(await rowOf("a"))).toEqual(paid);
    expect(await rowOf("a")).toMatchObject({ state: "settled", reason: null });
  });

  it("is the pass, if a pass was sold", async () => {
    const { settler, add } = await open([settled()]);
    const found = await settler.recall(await add("a", { product: "pass", answer: '{"seconds":60,"calls":7}' }));
    expect(found).toMatchObject({ kind: "paid", receipt });
    expect(JSON.parse((found as { answer: string }).answer)).toEqual({
      ...{ pass_token: expect.stringMatching(/^svc_/), expires_at: "1970-01-01T00:26:00Z", call_cap: 7 },
    });
  });
});

describe("a pass", () => {
  it.each([
    ["by the time of the chain", 0, 1_500, 1_500],
    ["no earlier than the payment can have been signed for", 1_000_000, 0, 913_600],
    ["no later than a day after it ends", 1_000_000, 1e15, 1_086_400],
    ["no later than a day from now", 0, 1e15, 88_400],
  ])("begins %s, whatever time an endpoint tells", async (_name, validBefore, time, begun) => {
    const { settler, add } = await open([{ ...settled(), time } as AuthorizationState]);
    const terms = '{"seconds":60,"calls":7}';
    const found = await settler.recall(await add("a", { product: "pass", answer: terms, validBefore }));
    const { expires_at } = JSON.parse((found as { answer: string }).answer) as { expires_at: string };
    expect(Date.parse(expires_at) / 1_000).toBe(begun + 60);
  });
});

describe("the payments that are looked at again", () => {
  it("are those older than so many seconds of the chain and those settled a minute ago, but none in work", async () => {
    const { settler, add, asked, rowOf } = await open([{ state: "open" }]);
    await add("old", { openedBlock: 850 });
    await add("new", { openedBlock: 851 });
    await add("busy", { openedBlock: 900 });
    const told = await settler.reconcile(30, (key) => key === "busy");
    expect(told.map(({ payment: { key }, outcome }) => [key, outcome])).toEqual([["old", "open"]]);
    expect(asked).toEqual(["old"]);
    expect((await rowOf("old")).state).toBe("settling");
  });

  it("are eight at a time", async () => {
    const { settler, add, atOnce } = await open([{ state: "open" }]);
    for (let i = 0; i < 20; i++) await add(`key ${i}`);
    expect(await settler.reconcile(0, () => false)).toHaveLength(20);
    expect(atOnce.most).toBe(8);
  });

  it.each<[string, AuthorizationState | Error, string, string]>([
    ["taken", settled(), "settled", "settled"],
    ["taken by somebody else", settled("0x09"), "lost", "failed"],
    ["canceled", { state: "lost", reason: "authorization_canceled" }, "lost", "failed"],
    ["unclear", { state: "unclear" }, "unclear", "settling"],
    ["without an answer", new Error("no"), "unreachable", "settling"],
  ])("are %s", async (_name, word, outcome, state) => {
    const { settler, add, rowOf } = await open([word]);
    await add("a", { openedBlock: 900 });
    expect((await settler.reconcile(0, () => false)).map((one) => one.outcome)).toEqual([outcome]);
    expect((await rowOf("a")).state).toBe(state);
  });

  it.each<[string, AuthorizationState, string[], object]>([
    ["a minute old", settled(wallet, 700), ["confirmed"], { state: "settled", confirmedAt: 2_000 }],
    ["not a minute old", settled(wallet, 701), [], { state: "settled", confirmedAt: null }],
    ["gone", { state: "open" }, ["undone"], { state: "settling", transaction: null }],
    ["unclear", { state: "unclear" }, ["unclear"], { state: "settled" }],
  ])("and were settled: %s", async (_name, word, outcomes, expected) => {
    const { settler, add, rowOf, ledger } = await open([word]);
    await add("a", { openedBlock: 700 });
    await add("young", { openedBlock: 701 });
    for (const key of ["a", "young"]) await ledger.settlePayment(key, { transaction, now: 5, pass: null });
    expect((await settler.reconcile(500, () => false)).map((one) => one.outcome)).toEqual(outcomes);
    expect(await rowOf("a")).toMatchObject(expected);
    expect(await rowOf("young")).toMatchObject({ state: "settled", confirmedAt: null });
  });
});
