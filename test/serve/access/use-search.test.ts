import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseBlocks } from "../../support/labels.ts";
import { type ChainSays, chainOf, nonce, payer, payTo, stranger, transaction } from "./scripted-chain.ts";

const calendar = baseBlocks();
const denim = 53_556_127;
const day = 86_400;
const timeOf = (block: number) => calendar.timeAt(BigInt(block));
const blockAt = (seconds: number) => Number(calendar.blockAt(seconds));

/** Base, seen from a block. */
const baseAt = (head: number, says: Partial<ChainSays> = {}) =>
  chainOf({ time: timeOf(head), head, timeOf, calendar, used: true, ...says });

interface Opened {
  block: number;
  /** Seconds for which the authorization is valid. */
  validFor: number;
  /** Rows of older versions do not know the block. */
  isOld?: boolean;
}

const rowOf = ({ block, validFor, isOld = false }: Opened) => ({
  ...{ payer, nonce, payTo, amount: 5n, transaction: null, openedAt: timeOf(block) },
  ...{ validBefore: timeOf(block) + validFor, openedBlock: isOld ? null : block },
});

const found = (block: number, head: number) => ({
  ...{ state: "settled", transaction, sender: stranger, block, time: timeOf(head) },
});

describe("a payment of Base that is looked for by its log", () => {
  it("is found at once while it is young: in one range, with no other header", async () => {
    for (const opened of [denim - 5, denim + 20, denim + 10_000_000]) {
      const { chain, searched, headers } = baseAt(opened + 40, { log: { block: opened + 3 } });
      const row = rowOf({ block: opened, validFor: 300 });
      expect(await chain.readAuthorization(row)).toEqual(found(opened + 3, opened + 40));
      expect([searched, headers]).toEqual([[[blockAt(timeOf(opened) - 30), opened + 40]], []]);
    }
    // Half a minute is 15 blocks before blocks became faster, and 150 now.
    expect(blockAt(timeOf(denim - 5) - 30)).toBe(denim - 20);
    expect(blockAt(timeOf(denim + 1_000) - 30)).toBe(denim + 850);
  });

  it("is found a day later, and a year later, with two headers and one range", async () => {
    for (const later of [day, 365 * day]) {
      const opened = denim + 1_000_000;
      const head = blockAt(timeOf(opened) + later);
      const { chain, searched, headers } = baseAt(head, { log: { block: opened + 9 } });
      expect(await chain.readAuthorization(rowOf({ block: opened, validFor: 300 }))).toEqual(found(opened + 9, head));
      const end = opened + 331 * 5;
      expect([searched, headers]).toEqual([[[opened - 150, end]], [end - 1, end]]);
    }
  });

  it("that was valid for a day is found by the state of the token, in the one block that used it", async () => {
    const opened = denim - 20_000;
    const block = opened + 250_000;
    const head = blockAt(timeOf(opened) + 10 * day);
    const { chain, searched, states } = baseAt(head, { log: { block }, usedFrom: block });
    expect(await chain.readAuthorization(rowOf({ block: opened, validFor: day }))).toEqual(found(block, head));
    expect(searched).toEqual([[block, block]]);
    expect(states.length).toBeLessThan(22);
  });

  it("that was valid for a day is found in ranges of 2,000 blocks where there is no old state", async () => {
    const opened = denim + 1_000;
    const block = opened + 431_000;
    const head = blockAt(timeOf(opened) + 2 * day);
    const { chain, searched, states } = baseAt(head, { log: { block }, usedFrom: null });
    expect(await chain.readAuthorization(rowOf({ block: opened, validFor: day }))).toEqual(found(block, head));
    expect(states).toHaveLength(2);
    expect(searched).toHaveLength(216);
    expect(searched[0]).toEqual([opened - 150, opened + 1_849]);
    expect(searched.every(([from], i) => i === 0 || from === (searched[i - 1]?.[1] ?? 0) + 1)).toBe(true);
  });

  it("is looked for in all ranges where the state leads to a block without its log", async () => {
    const opened = denim + 1_000;
    const head = opened + 100_000;
    const { chain, searched } = baseAt(head, { log: { block: opened + 50_000 }, usedFrom: opened + 4_000 });
    const row = rowOf({ block: opened, validFor: day });
    expect(await chain.readAuthorization(row)).toEqual(found(opened + 50_000, head));
    expect(searched[0]).toEqual([opened + 4_000, opened + 4_000]);
    expect(searched).toHaveLength(27);
  });

  it("is found where an endpoint shows few blocks at once, by the state of the token", async () => {
    const opened = denim + 1_000;
    const block = opened + 7;
    const { chain, searched } = baseAt(opened + 40, { log: { block }, usedFrom: block, rangeMax: 10 });
    const row = rowOf({ block: opened, validFor: 300 });
    expect(await chain.readAuthorization(row)).toEqual(found(block, opened + 40));
    expect(searched).toEqual([[block, block]]);
    const blind = baseAt(opened + 40, { log: { block }, usedFrom: null, rangeMax: 10 }).chain;
    await expect(blind.readAuthorization(row)).rejects.toMatchObject({ code: "payments_unavailable" });
  });

  it("and has a row of an older version is found by its time, however long ago", async () => {
    for (const later of [34, 3_600, 60 * day]) {
      const opened = denim + 2_000_000;
      const head = blockAt(timeOf(opened) + later);
      const { chain, searched } = baseAt(head, { log: { block: opened + 12 } });
      const row = rowOf({ block: opened, validFor: 60, isOld: true });
      expect(await chain.readAuthorization(row)).toEqual(found(opened + 12, head));
      expect(searched[0]?.[0]).toBe(opened - 1_500);
    }
  });

  it("and has a row of an older version is not looked for after its end, if our clock was ahead", async () => {
    const opened = denim + 2_000_000;
    const head = opened + 100;
    const row = { ...rowOf({ block: opened, validFor: 60, isOld: true }), openedAt: timeOf(head) + 40 * day };
    const young = baseAt(head, { log: { block: opened + 12 } });
    expect(await young.chain.readAuthorization(row)).toEqual(found(opened + 12, head));
    const late = baseAt(head + 20_000, { log: { block: opened + 12 } });
    expect(await late.chain.readAuthorization(row)).toEqual(found(opened + 12, head + 20_000));
    expect(late.searched[0]?.[0]).toBe(opened + (60 - 300) * 5);
  });

  it("is never looked for in more blocks than a day and its margins have", async () => {
    const says = { usedFrom: null, log: undefined };
    const head = denim + 20_000_000;
    const row = rowOf({ block: head - 5_000_000, validFor: day });
    const { chain, searched } = baseAt(head, says);
    expect(await chain.readAuthorization({ ...row, openedBlock: 1 })).toEqual({ state: "unclear" });
    const blocks = searched.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    expect(blocks).toBe((day + 300 + 31) * 5 + 1);
  });
});

/** What may happen around the block from which on blocks are faster. Numbers of seconds are after the block before them. */
const story = fc.record({
  opened: fc.integer({ min: denim - 50_000, max: denim + 50_000 }),
  validFor: fc.integer({ min: 1, max: day }),
  usedAfter: fc.double({ min: 0, max: 1, noNaN: true }),
  seenAfter: fc.integer({ min: 0, max: 40 * day }),
  isOld: fc.boolean(),
  hasOldStates: fc.boolean(),
});

it("a payment is found whenever it was used and whenever it is looked for, in few questions", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ opened, validFor, usedAfter, seenAfter, isOld, hasOldStates }) => {
      const row = rowOf({ block: opened, validFor, isOld });
      const block = opened + Math.floor(usedAfter * (blockAt(row.validBefore) - opened));
      const head = blockAt(timeOf(block) + seenAfter) + 4;
      const seen = baseAt(head, { log: { block }, usedFrom: hasOldStates ? block : null });
      expect(await seen.chain.readAuthorization(row)).toEqual(found(block, head));
      expect(seen.headers.length).toBeLessThanOrEqual(4);
      expect(seen.searched.length).toBeLessThanOrEqual(hasOldStates ? 1 : 218);
      expect(Math.max(...seen.searched.map(([from, to]) => to - from))).toBeLessThan(2_000);
    }),
    { numRuns: 60 },
  );
});

it("a payment on a chain that keeps to no calendar is found as well", async () => {
  const pace = fc.constantFrom(50, 100, 500, 1_000, 2_000, 12_000);
  const elsewhere = fc.record({ pace, opened: fc.nat(200_000), validFor: fc.integer({ min: 1, max: 3_600 }) });
  await fc.assert(
    fc.asyncProperty(
      elsewhere,
      story,
      async ({ pace, opened, validFor }, { usedAfter, seenAfter, isOld, hasOldStates }) => {
        const begin = timeOf(denim) - 10 * day;
        const timeHere = (block: number) => begin + Math.floor((block * pace) / 1000);
        const place = { payer, nonce, payTo, amount: 5n, transaction: null, openedAt: timeHere(opened) };
        const row = { ...place, validBefore: timeHere(opened) + validFor, openedBlock: isOld ? null : opened };
        const block = opened + Math.floor(usedAfter * Math.floor((validFor * 1000) / pace));
        const head = block + 4 + Math.floor((seenAfter * 1000) / pace);
        const says = { log: { block }, usedFrom: hasOldStates ? block : null };
        const { chain, headers } = baseAt(head, { ...says, time: timeHere(head), timeOf: timeHere });
        const settled = { ...found(block, 0), time: timeHere(head) };
        expect(await chain.readAuthorization(row)).toEqual(settled);
        expect(headers.length).toBeLessThan(120);
      },
    ),
    { numRuns: 60 },
  );
});
