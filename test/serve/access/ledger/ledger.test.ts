import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TakenCall } from "../../../../src/serve/access/ledger/calls/taken-call.ts";
import type { Ledger } from "../../../../src/serve/access/ledger/ledger.ts";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import type { PaymentRow } from "../../../../src/serve/access/ledger/rows.ts";
import type { LedgerSettings } from "../../../../src/serve/settings/payment-settings.ts";
import { findPostgres } from "../../../support/postgres.ts";
import { newPlaces } from "./new-places.ts";
import { fresh, payment, rich } from "./sample-payment.ts";

const { stores, server } = newPlaces();

describe.each(stores)("the ledger in %s", (_name, place, missing) => {
  describe.skipIf(missing)("", () => {
    let ledger: Ledger;
    let settings: LedgerSettings;
    beforeAll(async () => {
      settings = await place();
      ledger = await openLedger(settings);
    });
    afterAll(() => ledger?.close());

    it("is opened again with its content, and migrated once", async () => {
      const first = await openLedger(settings);
      (await first.takeFree("again", 1, 5))?.charge();
      await first.close();
      const second = await openLedger(settings);
      const taken = await second.takeFree("again", 1, 5);
      expect(taken?.count).toBe(2);
      taken?.charge();
      await second.close();
      expect(await ledger.readFree("again", 1)).toBe(2);
    });

    it("counts free calls like a counter, in any order of taking and giving back", async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom("take", "charge", "give"), { maxLength: 30 }),
          fc.nat(6),
          async (steps, cap) => {
            const client = `model-${++run}`;
            const held: TakenCall[] = [];
            let charged = 0;
            for (const step of steps) {
              if (step === "take") {
                const taken = await ledger.takeFree(client, 7, cap);
                expect(taken?.count ?? null).toBe(held.length + charged < cap ? held.length + charged + 1 : null);
                if (taken !== null) held.push(taken);
              } else if (step === "charge") {
                held.pop()?.charge();
                charged = (await ledger.readFree(client, 7)) - held.length;
              } else {
                const last = held.pop();
                if (last !== undefined) expect(await last.giveBack()).toBe(held.length + charged);
              }
              expect(await ledger.readFree(client, 7)).toBe(held.length + charged);
            }
          },
        ),
        { numRuns: 25 },
      );
    });

    it("gives exactly the cap to 200 requests at once, each number once", async () => {
      const taken = await Promise.all(Array.from({ length: 200 }, async () => ledger.takeFree("crowd", 1, 50)));
      const given = taken.flatMap((call) => call?.count ?? []);
      expect(given.toSorted((left, right) => left - right)).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    });

    it("forgets days that are over", async () => {
      const other = await openLedger(settings);
      for (const day of [10, 11, 12]) (await other.takeFree("old", day, 5))?.charge();
      await other.close();
      await ledger.dropFreeBefore(12);
      expect([await ledger.readFree("old", 11), await ledger.readFree("old", 12)]).toEqual([0, 1]);
    });

    it("opens a payment for one only, and again only when it failed and asks the same", async () => {
      const opened = await Promise.all(Array.from({ length: 20 }, () => ledger.openPayment(payment("one"), rich)));
      expect(opened.filter(Boolean)).toHaveLength(1);
      const held = await ledger.findPayment("one");
      expect(held).toEqual({
        ...payment("one"),
        state: "settling",
        closedAt: null,
        transaction: null,
        reason: null,
        ...fresh,
      });
      await ledger.dropPayment("one", { reason: "no_gas", now: 1_001 });
      expect(await ledger.findPayment("one")).toMatchObject({ state: "failed", reason: "no_gas", closedAt: 1_001 });
      expect(await ledger.openPayment(payment("one", { fingerprint: "f2" }), rich)).toBe(false);
      expect(await ledger.openPayment(payment("one", { answer: "new", openedAt: 1_005 }), rich)).toBe(true);
      expect(await ledger.findPayment("one")).toMatchObject({
        state: "settling",
        answer: "new",
        reason: null,
        closedAt: null,
      });
    });

    it("settles once, also a failed payment, and never fails a settled one", async () => {
      await ledger.openPayment(payment("two"), rich);
      await ledger.dropPayment("two", { reason: "x", now: 1 });
      expect(await ledger.settlePayment("two", { transaction: "0x01", now: 2, pass: null })).toBe(true);
      expect(await ledger.settlePayment("two", { transaction: "0x02", now: 3, pass: null })).toBe(false);
      await ledger.losePayment("two", { reason: "late", now: 4 });
      expect(await ledger.findPayment("two")).toMatchObject({
        state: "settled",
        transaction: "0x01",
        closedAt: 2,
        reason: null,
      });
    });

    it("activates a pass with its payment, once, and not without", async () => {
      const pass = { id: "p1", tokenHash: "h1", expiresAt: 5_000, callCap: 2 };
      await ledger.settlePayment("nobody", { transaction: "0x01", now: 1, pass });
      expect(await ledger.findPass("p1")).toBeUndefined();
      await ledger.openPayment(payment("three", { product: "pass", amount: 9_000_000n }), rich);
      await ledger.settlePayment("three", { transaction: "0x03", now: 10, pass });
      await ledger.settlePayment("three", { transaction: "0x03", now: 99, pass: { ...pass, expiresAt: 9_999 } });
      const active = { ...pass, paymentKey: "three", createdAt: 10, used: 0 };
      expect(await ledger.findPass("p1")).toEqual(active);
      expect(await ledger.findPassOf("three")).toEqual(active);
      const first = await ledger.takePassCall("p1", 4_999);
      expect(first?.count).toBe(1);
      expect(await ledger.takePassCall("p1", 5_000)).toBeNull();
      expect((await ledger.takePassCall("p1", 4_999))?.count).toBe(0);
      expect(await ledger.takePassCall("p1", 4_999)).toBeNull();
      expect(await first?.giveBack()).toBe(1);
      expect(await ledger.takePassCall("p2", 1)).toBeNull();
    });

    it("lists open payments, the newest first, and never failed ones", async () => {
      await ledger.openPayment(payment("old", { openedBlock: 100 }), rich);
      await ledger.openPayment(payment("new", { openedBlock: 900 }), rich);
      await ledger.openPayment(payment("dropped", { openedBlock: 200 }), rich);
      await ledger.dropPayment("dropped", { reason: "x", now: 101 });
      const keys = async (block: number) =>
        (await ledger.listOpenPayments(block)).map(({ key }) => key).filter((key) => /^(old|new|dropped)$/.test(key));
      expect(await keys(99)).toEqual([]);
      expect(await keys(500)).toEqual(["old"]);
      expect(await keys(900)).toEqual(["new", "old"]);
    });

    it.each([1, 2])("opens no more payments at once than the balance covers: %d", async (covered) => {
      const other = await openLedger(settings);
      const balance = BigInt(covered) * 20_000n + 5_000n;
      const poor = (key: string, round: number) =>
        payment(`${key} ${covered} ${round}`, { payer: `0x${covered}${round}` });
      for (let round = 0; round < 5; round++) {
        // Opens all connections first, so that the payments arrive at the same moment.
        await Promise.all([ledger, other].flatMap((one) => Array.from({ length: 10 }, () => one.findPayment("x"))));
        const open = (at: number) => [ledger, other][at % 2]?.openPayment(poor(`${at}`, round), balance);
        const opened = await Promise.all(Array.from({ length: 10 }, (_, at) => open(at)));
        expect(opened.filter(Boolean)).toHaveLength(covered);
        expect(await ledger.openPayment(poor("last", round), balance)).toBe(false);
        expect(await ledger.findPayment(poor("last", round).key)).toBeUndefined();
      }
      await other.close();
    });

    it("names each wallet that may have sent a payment once", async () => {
      const wallets = ["0x12", "0x1", "0x2", "0x1A", "0x1a", "*", "%", "0x12", "0x1", "0x2", "*", "0x1a", "*", "%"];
      await ledger.openPayment(payment("retried", { senders: "0x12" }), rich);
      for (const [beat, wallet] of wallets.entries()) {
        expect(await ledger.takeOver("retried", { wallet, beat })).toBe(beat + 1);
        const named = [...new Set(["0x12", ...wallets.slice(0, beat + 1)])].join(" ");
        expect(await ledger.findPayment("retried")).toMatchObject({ senders: named, attempts: beat + 2 });
      }
    });

    it("names it only once if a failed payment is opened again", async () => {
      const seen: string[] = [];
      for (const senders of ["0x12", "0x12", "0x1", "*", "0x1", "*", "0x12"]) {
        expect(await ledger.openPayment(payment("reopened", { senders }), rich)).toBe(true);
        await ledger.dropPayment("reopened", { reason: "no_gas", now: 1_001 });
        seen.push(((await ledger.findPayment("reopened")) as PaymentRow).senders);
      }
      const all = "0x12 0x1 *";
      expect(seen).toEqual(["0x12", "0x12", "0x12 0x1", all, all, all, all]);
    });

    it("sums what was sold", async () => {
      const totals = await ledger.countPayments();
      expect(totals).toContainEqual({ product: "pass", state: "settled", payments: 1, amount: 9_000_000n });
      expect((await ledger.listPayments(2)).map(({ openedAt }) => openedAt)).toHaveLength(2);
      expect(await ledger.listPasses(10)).toHaveLength(1);
    });
  });
});

describe("a ledger that is not there", () => {
  it("says so", async () => {
    await expect(openLedger({ databaseUrl: "postgres://nobody@127.0.0.1:1/none" })).rejects.toMatchObject({
      code: "ledger_unavailable",
    });
    await expect(openLedger({ dataDir: "/dev/null/ledger" })).rejects.toThrow();
  });

  it.skipIf(stores.length < 2 || findPostgres() === undefined)(
    "fails while the server is away, and recovers with it",
    async () => {
      const databaseUrl = (await server()?.createDatabase("away")) as string;
      const ledger = await openLedger({ databaseUrl });
      expect((await ledger.takeFree("x", 1, 5))?.count).toBe(1);
      await server()?.stop();
      await expect(ledger.takeFree("x", 1, 5)).rejects.toMatchObject({ code: "ledger_unavailable" });
      await server()?.restart();
      expect((await ledger.takeFree("x", 1, 5))?.count).toBe(2);
      await ledger.close();
    },
  );
});
