import { describe, expect, it } from "vitest";
import {
  answer,
  broken,
  challenge,
  client,
  free,
  openBatches,
  paid,
  payment,
  receipt,
  refused,
  told,
  unused,
} from "./batch-world.ts";

describe("a batch with a payment from before", () => {
  const followed = ["known?", `spent ${client}`, "begun for 1"];
  const recalled = `spent 0.25 of ${client}`;

  it("tells the lines that it bought, and buys others with the rest", async () => {
    const { begin, notes, asked } = openBatches({ known: true, begins: [paid], lines: 3, bought: ["a", "x"] });
    const batch = await begin(["a", "b"], { payment });
    expect(told(batch)).toMatchObject({ unsettledBeyond: null, left: 1, credit: { left: 1, receipt } });
    expect(batch.credit()?.bought).toEqual(new Set(["a", "x"]));
    expect(await batch.credit()?.recall("a")).toBe("old a");
    expect(await batch.credit()?.recall("b")).toBeNull();
    expect(await batch.charge("b", answer)).toBe("bought answer");
    expect(asked).toHaveLength(1);
    await batch.end();
    // Lines that were bought before are told again for free, so they count against the rate limit. The charge of a new line takes back what
    // the request itself counted.
    const bought = [expect.stringMatching(/^bought/), `refunded ${client}`];
    expect(notes).toEqual([...followed, recalled, recalled, ...bought]);
  });

  it("holds no free calls for lines that it bought", async () => {
    const { begin, notes } = openBatches({ free: 5, known: true, begins: [paid], bought: ["a", "b"] });
    const batch = await begin(["a", "b", "c"], { payment });
    expect(batch.quota).toEqual({ free: free(4) });
    await batch.end();
    expect(notes).toEqual([...followed, "free given back"]);
  });

  it("is told that the credit is too small, with the lines that are missing", async () => {
    const { admit, notes, counts } = openBatches({ free: 1, known: true, begins: [paid], lines: 2, bought: ["a"] });
    const outcome = await admit(["a", "b", "c", "d"], { payment });
    expect(outcome).toEqual(challenge(["credit_too_small"], 2, { free: free(0) }));
    expect(notes).toEqual([...followed, `spent 0.25 of ${client}`, "free given back"]);
    expect(counts()).toEqual({ refused: 1 });
  });

  it("has no credit if the payment pays for no lines", async () => {
    const { admit } = openBatches({ known: true, begins: [paid], lines: null, bought: ["x"] });
    expect(await admit(["a"], { payment })).toEqual(challenge(["credit_too_small"], 1, { free: free(0) }));
  });

  it("is refused if the payment was lost", async () => {
    const { admit, notes } = openBatches({ free: 5, known: true, begins: [refused], status: "expired" });
    const quota = { free: free(5), pass: { status: "expired" } };
    const outcome = await admit(["a", "b"], { payment, passToken: "token" });
    expect(outcome).toEqual(challenge(["pass_expired", "payment_expired"], 2, quota));
    expect(notes).toEqual(["known?", `spent ${client}`, "begun for 1"]);
  });

  it("does not spend a request when its end cannot be told", async () => {
    const { admit, notes } = openBatches({ known: true, begins: [broken] });
    await expect(admit(["a"], { payment })).rejects.toBe(broken);
    expect(notes).toEqual([...followed, `refunded ${client}`]);
  });

  it("counts as new if it was dropped unsent a moment ago", async () => {
    const { begin, notes, released } = openBatches({ known: true, begins: ["verified", "verified"] });
    const batch = await begin(["a", "b"], { payment });
    expect(batch.unsettledBeyond).toBe(0);
    expect(notes).toEqual([...followed, `refunded ${client}`, "released", `spent ${client}`, "begun for 2"]);
    expect(released).toMatchObject([unused]);
  });

  it("is not looked for if the payment has no name", async () => {
    const { admit, notes } = openBatches({ key: null, begins: [refused] });
    expect(await admit(["a"], { payment })).toMatchObject({ kind: "challenged" });
    expect(notes).toEqual([`spent ${client}`, "begun for 1"]);
    const taken = openBatches({ key: null, begins: ["verified"] });
    await expect(taken.admit(["a"], { payment })).rejects.toThrow("a payment that is taken has a name");
  });
});
