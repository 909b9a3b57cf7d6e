import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../../src/serve/access/ledger/ledger.ts";
import { type MachineState, stateOf } from "../../../src/serve/access/ledger/rows.ts";
import { newDirectory } from "../../support/metered-server.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { root } from "../../support/shared.ts";

/** The ledger's methods that change the state of a payment. Each is one statement and names the states from which it may start. */
const steps = [
  ...(["openPayment", "takeOver", "settlePayment", "buyLine"] as const),
  ...(["confirmPayment", "undoPayment", "dropPayment", "losePayment"] as const),
];
const states = ["none", "settling", "settled", "confirmed", "failed", "lost"] as const satisfies MachineState[];

/** The tables in docs/charging.md: the meaning of each state, and every change from one state to another. */
const rows = readFileSync(join(root, "docs/charging.md"), "utf8")
  .split("\n")
  .map((line) => [...line.matchAll(/(?<=\| )[^|]+(?= \|)/g)].map(([cell]) => cell));
const codesIn = (cell = "") => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code as string);
const toldStates = rows.filter(([first, ...rest]) => rest.length === 1 && codesIn(first)[0] !== undefined);
const transitions = rows
  .filter((cells) => cells.length === 4 && steps.some((step) => codesIn(cells[0])[0] === step))
  .map(([step, from, to]) => ({ step: codesIn(step)[0], from: codesIn(from), to: codesIn(to)[0] }));

describe("the tables of states in docs/charging.md", () => {
  it("tell every state and every step of the ledger, and no others", () => {
    expect(toldStates.flatMap(([first]) => codesIn(first))).toEqual(states);
    expect(new Set(transitions.map(({ step }) => step))).toEqual(new Set(steps));
    const told = transitions.flatMap(({ from, to }) => [...from, to]);
    expect(told.filter((state) => !states.some((one) => one === state))).toEqual([]);
  });

  it("leads from every state to one in which the caller gets a final answer", () => {
    const next = (state: MachineState) => transitions.filter(({ from }) => from.includes(state)).map(({ to }) => to);
    expect(next("settling")).toEqual(expect.arrayContaining(["settled", "failed", "lost"]));
    expect(next("confirmed")).toEqual(["confirmed"]);
  });
});

let postgres: TestPostgres | undefined;
beforeAll(async () => {
  if (findPostgres() !== undefined) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.remove());

describe.each([
  ["SQLite", false],
  ["PostgreSQL", findPostgres() === undefined],
])("the ledger in %s", (name, missing) => {
  describe.skipIf(missing)("", () => {
    let ledger: Ledger;
    let keys = 0;
    beforeAll(async () => {
      const place =
        name === "SQLite"
          ? { dataDir: newDirectory() }
          : { databaseUrl: (await postgres?.createDatabase("transitions")) as string };
      ledger = await openLedger(place);
    });
    afterAll(() => ledger?.close());

    const pass = { id: "", tokenHash: "h", expiresAt: 9_000, callCap: 2 };
    const make: Record<(typeof steps)[number], (key: string, beat: number) => unknown> = {
      openPayment: (key) =>
        ledger.openPayment(
          {
            ...{ key, product: "pass", fingerprint: "f", payer: key, nonce: key, payTo: "0xcc", amount: 5n },
            ...{ validBefore: 2_000, answer: "{}", openedAt: 1_000, openedBlock: 7, senders: "0x01", buyer: null },
            ...{ lines: 2, claimKey: null, answerUntil: null },
          },
          5n,
        ),
      takeOver: (key, beat) => ledger.takeOver(key, { wallet: "0x02", beat }),
      buyLine: (key) => ledger.buyLine(key, { request: "0x01", answer: "about 0x01", now: 2_500 }),
      settlePayment: (key) =>
        ledger.settlePayment(key, { transaction: "0xaa", now: 2_000, pass: { ...pass, id: key } }),
      confirmPayment: (key) => ledger.confirmPayment(key, { transaction: "0xaa", now: 3_000 }),
      undoPayment: (key) => ledger.undoPayment(key),
      dropPayment: (key) => ledger.dropPayment(key, { reason: "r", now: 2_000 }),
      losePayment: (key) => ledger.losePayment(key, { reason: "r", now: 4_000 }),
    };
    const paths: Record<MachineState, (typeof steps)[number][]> = {
      none: [],
      settling: ["openPayment"],
      settled: ["openPayment", "settlePayment"],
      confirmed: ["openPayment", "settlePayment", "confirmPayment"],
      failed: ["openPayment", "dropPayment"],
      lost: ["openPayment", "losePayment"],
    };

    it.each(states.flatMap((state) => steps.map((step) => [step, state] as const)))(
      "%s from %s",
      async (step, state) => {
        const key = `${name}-${++keys}`;
        for (const before of paths[state]) await make[before](key, 0);
        const row = await ledger.findPayment(key);
        expect(stateOf(row)).toBe(state);
        const isAllowed = transitions.some((one) => one.step === step && one.from.includes(state));
        const to = transitions.find((one) => one.step === step && one.from.includes(state))?.to ?? state;
        await make[step](key, row?.beat ?? 0);
        const after = await ledger.findPayment(key);
        expect(stateOf(after)).toBe(to);
        if (!isAllowed) expect(after).toEqual(row);
        const bought = isAllowed && step === "buyLine" ? ["0x01"] : [];
        expect(await ledger.listLines(key)).toEqual(bought);
        // Another replica that saw the same does the step again: nothing more happens.
        await make[step](key, row?.beat ?? 0);
        expect(await ledger.findPayment(key)).toEqual(after);
        const held = await ledger.findPassOf(key);
        if (to === "settled" || to === "confirmed") expect(held).toMatchObject({ id: key, expiresAt: 9_000 });
        if (to === "lost") expect(held?.expiresAt ?? 0).toBeLessThanOrEqual(4_000);
      },
    );

    it("ends the pass of a payment that is lost after a reorganization", async () => {
      const key = `${name}-pass`;
      for (const step of ["openPayment", "settlePayment", "undoPayment", "losePayment"] as const)
        await make[step](key, 0);
      expect(await ledger.takePassCall(key, 4_000)).toBeNull();
    });

    it("buys a line for each of those that were paid for, however many ask at once", async () => {
      const key = `${name}-lines`;
      for (const step of ["openPayment", "settlePayment"] as const) await make[step](key, 0);
      const buy = (request: string, answer = `about ${request}`) => ledger.buyLine(key, { request, answer, now: 1 });
      const requests = Array.from({ length: 24 }, (_, index) => `0x${index % 6}`);
      const answers = await Promise.all(requests.map((request) => buy(request)));
      const bought = await ledger.listLines(key);
      expect(bought).toHaveLength(2);
      for (const [index, request] of requests.entries())
        expect(answers[index]).toBe(bought.includes(request) ? `about ${request}` : null);
      // What is bought stays as it was, and costs nothing more.
      expect(await buy(bought[0] as string, "another answer")).toBe(`about ${bought[0]}`);
      await ledger.undoPayment(key);
      expect(await buy("0x9")).toBeNull();
    });

    it("drops nothing that somebody else may have sent", async () => {
      const key = `${name}-shared`;
      await make.openPayment(key, 0);
      await make.takeOver(key, 0);
      await make.dropPayment(key, 0);
      expect(await ledger.findPayment(key)).toMatchObject({ state: "settling", attempts: 2, senders: "0x01 0x02" });
    });

    it("lets one of twenty take a payment over", async () => {
      const key = `${name}-crowd`;
      await make.openPayment(key, 0);
      const taken = await Promise.all(Array.from({ length: 20 }, () => make.takeOver(key, 0)));
      expect(taken.filter((beat) => beat !== null)).toEqual([1]);
      await ledger.beat(key);
      expect(await make.takeOver(key, 1)).toBeNull();
      expect(await make.takeOver(key, 2)).toBe(3);
    });
  });
});
