import { describe, expect, it } from "vitest";
import type { BatchCall } from "../../../src/serve/access/batch/batch-payment.ts";
import {
  answer,
  type BatchWorld,
  broken,
  challenge,
  client,
  free,
  openBatches,
  paid,
  payer,
  payment,
  receipt,
  refused,
  told,
  unused,
} from "./batch-world.ts";

describe("a batch that free calls and a pass cover", () => {
  it("is charged line by line, free calls first, and the rest is given back", async () => {
    const { begin, notes, counts } = openBatches({ free: 2, pass: 5 });
    const batch = await begin(["a", "b", "c", "d"], { passToken: "token" });
    expect(told(batch)).toEqual({ kind: "admitted", unsettledBeyond: null, left: null, credit: null });
    expect(batch.quota).toEqual({ free: free(0), pass: { status: "valid", remaining: 3 } });
    for (const request of ["a", "b", "c"]) expect(await batch.charge(request, answer)).toBe(answer);
    expect(notes).toEqual(["free charged", "free charged", "pass charged"]);
    await batch.end();
    expect(notes.slice(3)).toEqual(["pass given back"]);
    await batch.end();
    expect(notes).toHaveLength(4);
    expect(counts()).toEqual({ free: 2, pass: 1 });
  });

  it("leaves a payment alone that is not needed", async () => {
    const { begin, notes, counts } = openBatches({ free: 2 });
    const batch = await begin(["a", "b"], { payment });
    expect(told(batch)).toEqual({ kind: "admitted", unsettledBeyond: null, left: null, credit: null });
    expect(batch.quota).toEqual({ free: free(0) });
    await batch.end();
    expect(notes).toEqual(["known?", "free given back", "free given back"]);
    expect(counts()).toEqual({});
  });

  it("has no line that nothing covers", async () => {
    const { begin, counts } = openBatches({ free: 1 });
    const batch = await begin(["a"]);
    await batch.charge("a", answer);
    await expect(batch.charge("b", answer)).rejects.toMatchObject({ code: "line_not_paid" });
    expect(counts()).toEqual({ free: 1 });
  });

  it("holds nothing when the ledger fails after they were taken", async () => {
    const { admit, notes } = openBatches({ free: 2, readFails: true });
    await expect(admit(["a", "b"], { payment })).rejects.toBe(broken);
    expect(notes).toEqual(["known?", "free given back", "free given back"]);
  });

  it("counts its work against the pass, the payer, or else the client", async () => {
    const workers = await Promise.all(
      [{}, { passToken: "token" }, { payment }].map(async (call) => {
        const { begin } = openBatches({ free: 1, pass: 1 });
        return (await begin("payment" in call ? ["a", "b"] : ["a"], call)).worker;
      }),
    );
    expect(workers).toEqual([client, "pass token", `payer ${payer}`]);
  });
});

/** A call was held for nothing. */
const vain = `spent 0.25 of ${client}`;
const unpaid = `unpaid ${client}`;

describe("a batch that has to be paid for", () => {
  it.each<[string, BatchWorld, Partial<BatchCall>, string[], number, string[]]>([
    ["without a payment", { free: 1 }, {}, ["free_allowance_used"], 1, [unpaid]],
    [
      "with a pass that nobody knows",
      { free: 1, status: "unknown" },
      { passToken: "token" },
      ["pass_unknown", "free_allowance_used"],
      1,
      [unpaid],
    ],
    [
      "with a payment that is refused",
      { begins: [refused] },
      { payment },
      ["payment_expired"],
      2,
      ["known?", `spent ${client}`, "begun for 2"],
    ],
    [
      "with a payment and a pass that is over",
      { free: 1, status: "expired", begins: [refused] },
      { payment, passToken: "token" },
      ["pass_expired", "payment_expired"],
      1,
      ["known?", `spent ${client}`, "begun for 1", vain, "free given back"],
    ],
  ])("is asked for a payment: %s", async (_name, world, call, reasons, count, notes) => {
    const parts = openBatches(world);
    const status = call.passToken && { status: world.status };
    // Nothing is held where nothing is paid.
    const left = call.payment === undefined ? 1 : 0;
    const quota = { free: free(left), ...(status && { pass: status }) };
    expect(await parts.admit(["a", "b"], call)).toEqual(challenge(reasons, count, quota));
    expect(parts.notes).toEqual(notes);
    expect(parts.counts()).toEqual(call.payment === undefined ? { challenged: 1 } : { refused: 1 });
  });

  it("is told what a pass and free calls do not cover, and when to come again", async () => {
    const { admit, notes } = openBatches({ free: 1, pass: 1, unpaidWait: 7 });
    const quota = { free: free(1), pass: { status: "valid", remaining: 1 } };
    const asked = challenge(["free_allowance_used"], 3, quota, 7);
    expect(await admit(["a", "b", "c", "d", "e"], { passToken: "token" })).toEqual(asked);
    expect(notes).toEqual([unpaid]);
  });

  it("has no payment checked for a client that sends too many", async () => {
    for (const known of [false, true]) {
      const { admit, notes } = openBatches({ known, paymentsWait: 7 });
      await expect(admit(["a"], { payment })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 7 });
      expect(notes).toEqual(["known?"]);
    }
  });

  it("offers a new payment for the lines that nothing else covers, and says which client asks", async () => {
    const { begin, asked, notes } = openBatches({ free: 1 });
    const batch = await begin(["a", "b", "c"], { payment, claim: "claim" });
    expect(told(batch)).toEqual({ kind: "admitted", unsettledBeyond: 1, left: null, credit: null });
    const request = { product: "batch", resource: "/explain/batch", request: "", payment, client, claim: "claim" };
    expect(asked).toEqual([{ ...request, lines: 2 }]);
    expect(notes).toEqual(["known?", `spent ${client}`, "begun for 2"]);
  });

  it("does not spend a request when the payment cannot be checked, and holds nothing then", async () => {
    const { admit, notes, counts } = openBatches({ free: 1, begins: [broken] });
    await expect(admit(["a", "b"], { payment })).rejects.toBe(broken);
    expect(notes).toEqual(["known?", `spent ${client}`, "begun for 1", `refunded ${client}`, "free given back"]);
    expect(counts()).toEqual({});
  });

  it("settles the payment once, and buys its lines with it", async () => {
    const { begin, notes, counts } = openBatches({ free: 1, lines: 2 });
    const batch = await begin(["a", "b", "c"], { payment });
    notes.length = 0;
    expect(await batch.settle()).toBeNull();
    expect(notes).toEqual(['committed ""', `refunded ${client}`]);
    expect(told(batch)).toMatchObject({ unsettledBeyond: null, left: 2, credit: { receipt, left: 2 } });
    await expect(batch.settle()).rejects.toThrow("a batch settles the payment that it was admitted with, once");
    notes.length = 0;
    expect(await batch.charge("a", answer)).toBe(answer);
    expect(batch.creditLeft()).toBe(2);
    expect(await batch.charge("b", answer)).toBe("bought answer");
    expect(batch.creditLeft()).toBe(1);
    expect(await batch.charge("c", answer)).toBe("bought answer");
    expect(await batch.charge("d", answer)).toBe("bought answer");
    expect(batch.creditLeft()).toBe(0);
    const line = (request: string) => `bought ${JSON.stringify(["key", { request, answer: "answer", now: 2_000 }])}`;
    await batch.end();
    expect(notes).toEqual(["free charged", line("b"), line("c"), line("d")]);
    expect(counts()).toEqual({ free: 1, paid: 3 });
  });

  it("has no line beyond the credit", async () => {
    const { begin, counts } = openBatches({ buys: null });
    const batch = await begin(["a"], { payment });
    await batch.settle();
    await expect(batch.charge("a", answer)).rejects.toMatchObject({ code: "line_not_paid" });
    expect(batch.creditLeft()).toBe(3);
    expect(counts()).toEqual({});
  });

  it("is over when settling refuses the payment, or fails", async () => {
    const first = openBatches({ commits: refused });
    const batch = await first.begin(["a", "b", "c"], { payment, passToken: "token" });
    expect(await batch.settle()).toEqual(challenge(["payment_expired"], 3, { free: free(0) }));
    expect(first.notes).toEqual(["known?", `spent ${client}`, "begun for 3", 'committed ""']);
    expect(first.counts()).toEqual({ refused: 1 });
    const second = openBatches({ commits: broken });
    const other = await second.begin(["a"], { payment });
    await expect(other.settle()).rejects.toBe(broken);
    expect(second.notes.slice(3)).toEqual(['committed ""', `refunded ${client}`]);
    await other.end();
    expect(second.notes).toHaveLength(5);
  });

  it("is asked, when settling refuses the payment, for no more than the lines that nothing else covers", async () => {
    const { begin } = openBatches({ free: 1, pass: 1, commits: refused });
    const batch = await begin(["a", "b", "c"], { payment, passToken: "token" });
    expect(await batch.settle()).toEqual(challenge(["payment_expired"], 1, { free: free(0) }));
  });

  it("takes a payment for settled that another request settled meanwhile", async () => {
    const { begin, notes } = openBatches({ begins: [paid] });
    const batch = await begin(["a"], { payment });
    expect(told(batch)).toMatchObject({ unsettledBeyond: null, left: 3, credit: { receipt, left: 3 } });
    expect(notes.slice(3)).toEqual([]);
    await batch.charge("a", answer);
    await batch.charge("b", answer);
    const bought = expect.stringMatching(/^bought/);
    expect(notes.slice(3)).toEqual([bought, `refunded ${client}`, bought]);
  });

  it("is refused as a whole if the payment pays for fewer lines", async () => {
    const { admit, notes, counts } = openBatches({ free: 1, begins: [paid], lines: 2 });
    const asked = challenge(["credit_too_small"], 3, { free: free(0) });
    expect(await admit(["a", "b", "c", "d"], { payment })).toEqual(asked);
    expect(notes.slice(3)).toEqual([vain, "free given back"]);
    expect(counts()).toEqual({ refused: 1 });
  });

  it("needs nothing for lines that the payment has bought meanwhile", async () => {
    const { begin } = openBatches({ begins: [paid], lines: 2, bought: ["a", "b"] });
    const batch = await begin(["a", "b"], { payment });
    expect(await batch.credit()?.recall("b")).toBe("old b");
    expect(batch.creditLeft()).toBe(0);
  });

  it("lets go of a payment that was not needed in the end", async () => {
    const parts = openBatches({ free: 1 });
    const batch = await parts.begin(["a", "b"], { payment });
    await batch.end();
    await batch.end();
    expect(parts.notes.slice(3)).toEqual([`refunded ${client}`, "released", "free given back"]);
    expect(batch.unsettledBeyond).toBeNull();
    for (const cause of parts.released) expect(cause).toMatchObject(unused);
  });
});
