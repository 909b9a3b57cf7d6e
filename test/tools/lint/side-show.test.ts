import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import { transferTopic } from "../../../src/kernel/token-standards.ts";
import { sideShows } from "../../../src/tools/lint/mutation/mutate.ts";
import { nativeTrace } from "../../../src/tools/lint/mutation/planted-event.ts";
import { forgers } from "../../../src/tools/lint/mutation/stranger.ts";
import { log, move, originalOf, outcomeOf, pool, subject, usdc, word } from "./forged-case.ts";

const { thief, victim, front } = forgers;

describe("a side show", () => {
  it("is the loss of somebody else, before and after the example's logs", () => {
    const native = move(0, { standard: "native", token: null, log: -1, amount: 7n });
    const shows = sideShows(originalOf({ movements: [native, move(1)] }));
    const loss = {
      address: usdc,
      topics: [transferTopic, word(victim), word(thief)],
      data: word((10n ** 10n).toString(16)),
    };
    expect(shows.map(({ kind, change, caseFile: { receipt } }) => [kind, change, receipt])).toEqual([
      ["side-show", "before somebody else's loss", { status: "0x1", logs: [log, loss] }],
      ["side-show", "after somebody else's loss", { status: "0x1", logs: [loss, log] }],
    ]);
    expect(shows[0]?.caseFile.transaction).toEqual({
      ...{ hash: "0x12", type: "0x2", from: victim, to: front, value: "0x0", input: "0x12345678" },
    });
    const internal_transfers = [{ type: "call", from: subject, to: pool, value: "7", success: true }];
    expect(shows[0]?.caseFile.trace).toEqual({ source: "internal_transfers", provider: "example", internal_transfers });
    expect(nativeTrace(originalOf({ movements: [move(1)] })).internal_transfers).toEqual([]);
  });

  it("is not made of what reverted, nor without a token", () => {
    expect(sideShows(originalOf({ status: "reverted" }))).toEqual([]);
    expect(sideShows(originalOf({ logs: [{ ...log, address: usdc }] }))).toEqual([]);
  });

  it("is seen through where the victim and the loss are told", () => {
    const judge = (summary: string, ...violations: string[]) =>
      sideShows(originalOf())[0]?.judge(outcomeOf({ summary, violations }));
    const told = `${shorten(victim)} lost it to ${shorten(thief)}.`;
    expect(judge(`It went to ${shorten(thief)}.`)).toBe("the victim is not told");
    expect(judge(`${shorten(victim)} lost it.`)).toBe("the loss is not told");
    expect(judge(told)).toBeNull();
    expect(judge(told, `law 2: ${checksum(thief)}`)).toBeNull();
    expect(judge(told, "law 1", `law 2: ${checksum(victim)}`)).toBe(`law 2: ${checksum(victim)}`);
  });
});
