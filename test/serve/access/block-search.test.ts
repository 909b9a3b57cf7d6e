import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BlockCalendar, createBlockCalendar } from "../../../src/kernel/block-calendar.ts";
import { bisect } from "../../../src/serve/access/payment/block-search.ts";
import { baseBlocks } from "../../support/labels.ts";
import { chainOf } from "./scripted-chain.ts";

const calendar = baseBlocks();

/** A chain by this calendar up to a block. `believed`: what is thought of it. */
function chainBy(kept: BlockCalendar, head: number, believed = kept) {
  const timeOf = (block: number) => kept.timeAt(BigInt(block));
  return chainOf({ time: timeOf(head), head, timeOf, calendar: believed });
}

describe("the newest block that is so many seconds old", () => {
  const denim = 53_556_127;

  it("is the newest block itself where that is none, and no other header is read", async () => {
    const { chain, headers } = chainBy(calendar, denim);
    expect([await chain.blockBefore(0), headers]).toEqual([denim, []]);
  });

  it.each([
    ["before blocks became faster", denim - 1, denim - 31],
    // The clock of the chain stands still between the last slow block and the first fast one.
    ["at the first fast block", denim, denim - 30],
    ["ten seconds later", denim + 50, denim - 25],
    ["a minute later", denim + 300, denim + 4],
    ["within a second", denim + 303, denim + 4],
    ["a month later", denim + 13_000_000, denim + 13_000_000 - 296],
  ])("%s: found with two headers", async (_name, head, found) => {
    const { chain, headers } = chainBy(calendar, head);
    expect(await chain.blockBefore(60)).toBe(found);
    expect(headers).toEqual([found, found + 1]);
    expect((await chain.timeOf(head)) - (await chain.timeOf(found))).toBeGreaterThanOrEqual(60);
    expect((await chain.timeOf(head)) - (await chain.timeOf(found + 1))).toBeLessThan(60);
  });

  it("is none where the chain is younger", async () => {
    expect(
      await chainBy(createBlockCalendar([{ fromBlock: 0n, ms: 2_000, at: 5_000 }]), 29).chain.blockBefore(60),
    ).toBe(-1);
  });

  it("is right by the times of the chain, whatever the calendar says", async () => {
    const pace = fc.constantFrom(50, 100, 200, 1_000, 2_000, 12_000);
    const paces = fc.record({
      real: pace,
      before: pace,
      changed: fc.nat(100_000),
      head: fc.nat(100_000),
      seconds: fc.nat(90_000),
    });
    await fc.assert(
      fc.asyncProperty(paces, async ({ real, before, changed, head, seconds }) => {
        const at = 1_000_000;
        const fast = { fromBlock: BigInt(changed), ms: real, at: at + Math.ceil((changed * before) / 1000) };
        const kept = createBlockCalendar([{ fromBlock: 0n, ms: before, at }, ...(changed === 0 ? [] : [fast])]);
        const { chain, headers } = chainBy(kept, head, calendar);
        const found = await chain.blockBefore(seconds);
        const age = (block: number) => kept.timeAt(BigInt(head)) - kept.timeAt(BigInt(block));
        if (found >= 0) expect(age(found)).toBeGreaterThanOrEqual(seconds);
        if (found < head) expect(age(found + 1)).toBeLessThan(seconds);
        expect(headers.length).toBeLessThan(2 * 17 + 2);
      }),
    );
  });
});

it("a search for a change finds it from any guess, and ends where there is none", async () => {
  const bracket = fc.record({ size: fc.integer({ min: 1, max: 1e9 }), change: fc.nat(), guess: fc.integer() });
  await fc.assert(
    fc.asyncProperty(bracket, fc.boolean(), async ({ size, change, guess }, isNoise) => {
      let asked = 0;
      const first = BigInt(change % size) + 1n;
      const isBefore = async (block: bigint) => {
        expect(block > 0n && block < BigInt(size)).toBe(true);
        return isNoise ? (block * 7_919n + BigInt(asked++)) % 3n === 0n : ++asked > 0 && block < first;
      };
      const found = await bisect({ before: 0n, after: BigInt(size), guess: BigInt(guess) }, isBefore);
      if (!isNoise) expect(found).toBe(first);
      expect(asked).toBeLessThan(65);
    }),
  );
});
