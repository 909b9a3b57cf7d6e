import { describe, expect, it } from "vitest";
import { openLedger } from "../../../src/access/ledger/ledger.ts";
import type { PaymentRow } from "../../../src/access/ledger/rows.ts";
import { newPlaces } from "./new-places.ts";
import { payment, rich } from "./sample-payment.ts";

const { stores } = newPlaces();

describe.each(stores)("open payments of a ledger in %s", (_name, place, missing) => {
  describe.skipIf(missing)("", () => {
    it("hold what was signed last where one that was never sent is opened again", async () => {
      const ledger = await openLedger(await place());
      const first = payment("signed", { product: "batch", lines: 1 });
      const last = { ...first, amount: 60_000n, lines: 3, payTo: "0xcd", validBefore: 2_060 };
      expect(await ledger.openPayment(first, rich)).toBe(true);
      await ledger.dropPayment("signed", { reason: "x", now: 1_001 });
      expect(await ledger.openPayment(last, rich)).toBe(true);
      expect(await ledger.findPayment("signed")).toMatchObject(last);
      expect(await ledger.openPayment(first, rich)).toBe(false);
      expect(await ledger.findPayment("signed")).toMatchObject(last);
      await ledger.close();
    });

    it("are known by their payer, and listed without answers but for the terms of passes", async () => {
      const own = await openLedger(await place());
      const parts = { payer: "0xopen", openedBlock: 50, answer: "long" };
      await own.openPayment(payment("an answer", parts), rich);
      await own.openPayment(payment("a pass", { ...parts, product: "pass" }), rich);
      const has = (block: number, payer = "0xopen") => own.hasOpenPayment(payer, block);
      expect([await has(49), await has(50), await has(50, "0xother")]).toEqual([false, true, false]);
      const told = (rows: PaymentRow[]) => rows.map(({ key, answer }) => [key, answer]);
      const answers = [
        ["a pass", "long"],
        ["an answer", ""],
      ];
      expect(told(await own.listOpenPayments(50))).toEqual(answers);
      expect(await own.listOpenPayments(50)).toContainEqual(await own.findPayment("a pass"));
      for (const key of ["an answer", "a pass"])
        await own.settlePayment(key, { transaction: "0x01", now: 2, pass: null });
      expect([await has(50), told(await own.listUnconfirmed(50))]).toEqual([false, answers]);
      await own.close();
    });
  });
});
