import { describe, expect, it } from "vitest";
import { key, openPurchases, paid, payer, payTo, unavailable } from "./purchase-world.ts";

describe("the row of a payment for which the balance is short", () => {
  it("is not written if the balance does not cover everything under way", async () => {
    const { verified, notes, opened, purchases } = openPurchases({ opens: false, others: [[payTo]] });
    const purchase = await verified();
    notes.length = 0;
    expect(await purchase.commit("x")).toEqual({
      ...{ kind: "refused", reason: "invalid_exact_evm_insufficient_balance" },
    });
    // Only payments that were opened before the block of the balance can already have reduced it.
    const look = ["find", "find", "open?"];
    expect(notes.map(([name]) => name)).toEqual([...look, ...look]);
    expect(notes).toContainEqual(["open?", 76]);
    expect(opened).toHaveLength(2);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it.each([
    ["at the first look", [[payTo, payer]], 1],
    ["at the second look", [[], [payer]], 2],
  ])("is no refusal where the balance may lack already what is under way: %s", async (_name, others, tries) => {
    const { verified, opened, purchases } = openPurchases({ opens: false, others });
    await expect((await verified()).commit("x")).rejects.toMatchObject(unavailable);
    expect(opened).toHaveLength(tries);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("is written if a payment that counted twice is settled by then", async () => {
    const { verified, opened } = openPurchases({ opens: [false, true], rows: [undefined, undefined, undefined, {}] });
    expect(await (await verified()).commit("x")).toEqual(paid);
    expect(opened).toHaveLength(2);
  });

  it("that another replica writes between two tries is followed", async () => {
    const rows = [undefined, undefined, undefined, { state: "settled" as const }];
    const { verified } = openPurchases({ opens: false, rows, recalled: [paid] });
    expect(await (await verified()).commit("x")).toEqual(paid);
  });
});
