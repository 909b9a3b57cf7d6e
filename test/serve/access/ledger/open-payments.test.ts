import { describe, expect, it } from "vitest";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import type { PaymentRow } from "../../../../src/serve/access/ledger/rows.ts";
import { newPlaces } from "./new-places.ts";
import { payment, rich } from "./sample-payment.ts";

const { stores } = newPlaces();

describe.each(stores)("open payments of a ledger in %s", (_name, place, missing) => {
  describe.skipIf(missing)("", () => {
    it("hold the last signature if a payment that was never sent is opened again", async () => {
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

    it("lose their answer when they failed and their time is over, and may get it again once they are settled", async () => {
      const own = await openLedger(await place());
      const add = async (key: string, parts: Parameters<typeof payment>[1]) => {
        await own.openPayment(payment(key, { payer: `0x${key}`, answer: "long", ...parts }), rich);
        return key;
      };
      const late = await add("late", { validBefore: 2_000 });
      const lost = await add("lost", { validBefore: 2_999 });
      const kept = [
        await add("young", { validBefore: 3_000 }),
        await add("old", { validBefore: 1_999 }),
        await add("pass", { validBefore: 2_000, product: "pass" }),
      ];
      for (const key of [late, ...kept]) await own.dropPayment(key, { reason: "x", now: 5 });
      await own.losePayment(lost, { reason: "x", now: 5 });
      kept.push(await add("open", { validBefore: 2_000 }), await add("settled", { validBefore: 2_000 }));
      await own.settlePayment("settled", { transaction: "0x01", now: 5, pass: null });
      await own.dropAnswers(2_000, 3_000);
      const answers = async (keys: string[]) =>
        Promise.all(keys.map(async (key) => (await own.findPayment(key))?.answer));
      expect(await answers([late, lost])).toEqual(["", ""]);
      expect(await answers(kept)).toEqual(kept.map(() => "long"));

      // An answer never replaces one that exists, and no answer is given before the chain shows the transfer.
      for (const key of [late, ...kept]) await own.giveAnswer(key, "again", 9);
      expect(await answers([late, ...kept])).toEqual(["", ...kept.map(() => "long")]);
      await own.settlePayment(late, { transaction: "0x02", now: 6, pass: null });
      await own.giveAnswer(late, "again", 9);
      expect(await answers([late])).toEqual(["again"]);
      await own.close();
    });

    it("lose an answer that tells what somebody pasted, in its time, and again after it was given again", async () => {
      const own = await openLedger(await place());
      const add = async (key: string, answerUntil: number | null, settled = true) => {
        await own.openPayment(payment(key, { payer: `0x${key}`, answer: "pasted", answerUntil }), rich);
        if (settled) await own.settlePayment(key, { transaction: "0x01", now: 5, pass: null });
      };
      await add("over", 999);
      await add("first", 500);
      await add("before", 499);
      await add("later", 1_000);
      await add("kept", null);
      await add("open", 999, false);
      await own.dropPasted(500, 1_000);
      const answers = async (...keys: string[]) =>
        Promise.all(keys.map(async (key) => (await own.findPayment(key))?.answer));
      expect(await answers("over", "first")).toEqual(["", ""]);
      expect(await answers("before", "later", "kept", "open")).toEqual(Array(4).fill("pasted"));
      await own.giveAnswer("over", "again", 2_000);
      await own.dropPasted(500, 2_000);
      expect(await answers("over")).toEqual(["again"]);
      await own.dropPasted(500, 2_001);
      expect(await answers("over")).toEqual([""]);
      await own.close();
    });

    it("are deleted where they were never sent and their time is over, and nothing else is", async () => {
      const own = await openLedger(await place());
      const add = async (key: string, parts: Parameters<typeof payment>[1] = {}) => {
        await own.openPayment(payment(key, { payer: `0x${key}`, validBefore: 1_999, ...parts }), rich);
        return key;
      };
      const drop = async (key: string) => {
        await own.dropPayment(key, { reason: "x", now: 5 });
        return key;
      };
      const gone = [await drop(await add("one")), await drop(await add("two", { product: "pass" }))];
      const kept = [
        await drop(await add("young", { validBefore: 2_000 })),
        await drop(await add("elsewhere", { senders: "*" })),
        await add("open"),
        await add("settled"),
        await add("lost"),
        await add("sent twice"),
      ];
      await own.settlePayment("settled", { transaction: "0x01", now: 5, pass: null });
      await own.losePayment("lost", { reason: "x", now: 5 });
      await own.takeOver("sent twice", { wallet: "0x02", beat: 0 });
      await drop("sent twice");
      await own.dropUnsent(2_000);
      const left = (await own.listPayments(100)).map(({ key }) => key);
      expect(left.sort()).toEqual(kept.sort());
      expect(left).not.toEqual(expect.arrayContaining(gone));
      // What is gone is new when it comes again.
      expect(await own.openPayment(payment("one", { payer: "0xone", fingerprint: "f2" }), rich)).toBe(true);
      await own.close();
    });
  });
});
