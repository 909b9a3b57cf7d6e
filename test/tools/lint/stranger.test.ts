import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import type { CaseOutcome } from "../../../src/tools/lint/mutation/case-outcome.ts";
import { forgers, isFlagged, isLossTold, judgeLoss, plainToken } from "../../../src/tools/lint/mutation/stranger.ts";
import { labels, outcomeOf, pool, subject, usdc, weth } from "./forged-case.ts";

const { thief, victim } = forgers;

describe("what is told of a loss", () => {
  it.each<[string, boolean, boolean]>([
    [`It went to ${shorten(thief)}.`, false, true],
    [`It went to ${checksum(thief)}.`, false, true],
    ["It went to somebody.", false, false],
    ["It went to 3 recipients.", false, true],
    ["It and 1 more asset went away.", true, true],
    ["It and 12 more assets went away.", true, true],
    ["It and 12 more assets went away.", false, false],
    ["It and more assets went away.", true, false],
  ])("%s (partial: %s): %s", (summary, partial, told) => {
    expect(isLossTold(outcomeOf({ summary, partial }), thief)).toBe(told);
  });

  it("is told by the summary or by a flag", () => {
    expect(isFlagged(outcomeOf({ flags: ["first", `to ${checksum(thief)}`] }), thief)).toBe(true);
    expect(isFlagged(outcomeOf({ summary: shorten(thief) }), thief)).toBe(true);
    expect(isFlagged(outcomeOf({ flags: ["first", `to ${checksum(victim)}`] }), thief)).toBe(false);
    expect(isFlagged(outcomeOf(), thief)).toBe(false);
  });

  it("is judged for whom the answer is about", () => {
    const clean = outcomeOf();
    const judge = (outcome: CaseOutcome, account = subject) => judgeLoss(outcome, account, thief, clean);
    const named = `It went to ${shorten(thief)}.`;
    expect(judge(clean)).toBe("the stranger is not told");
    expect(judge(clean, victim)).toBeNull();
    expect(judge(outcomeOf({ acts: [victim] }), victim)).toBe("the stranger is not told");
    expect(judge(outcomeOf({ summary: "It went to 3 recipients." }))).toBeNull();
    expect(judge(outcomeOf({ summary: named }))).toBeNull();
    for (const account of [subject, thief]) {
      const violations = [`law 3: ${checksum(account)} is hidden`];
      expect(judge(outcomeOf({ summary: named, violations }))).toBe(violations[0]);
    }
    expect(judge(outcomeOf({ summary: named, violations: [`law 3: ${checksum(pool)}`] }))).toBeNull();
  });

  it("is of a well-known token that the case does not touch, and not of wrapped ether", () => {
    const plain = (...addresses: string[]) =>
      plainToken(labels as never, { receipt: { logs: addresses.map((address) => ({ address })) } } as never)?.address;
    expect([plain(), plain(pool, weth), plain(usdc.toUpperCase().replace("0X", "0x"))]).toEqual([
      usdc,
      usdc,
      undefined,
    ]);
  });
});
