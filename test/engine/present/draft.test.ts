import { describe, expect, it } from "vitest";
import { actsMax, cuts, roomsOf, type SummaryDraft } from "../../../src/engine/present/draft.ts";

describe("the room of a summary", () => {
  const list = (count: number) => Array.from({ length: count }, () => ({ text: "x", untrusted: false })) as never[];
  const draft = (counts: { controls?: number; losses?: number; acts?: number; beside?: number }, remark = false) => {
    const { controls = 0, losses = 0, acts = 0, beside = 0 } = counts;
    const lists = { controls: list(controls), losses: list(losses), acts: list(acts), beside: list(beside) };
    return { ...lists, remark: remark ? { text: "r", untrusted: false } : null } as unknown as SummaryDraft;
  };
  const all = { controls: 8, losses: 8, acts: 3, beside: 8 };

  it.each([
    [draft(all), 0, ["6 4 0 4", "3 2 0 2", "1 1 0 1"]],
    [draft({ ...all, controls: 1, losses: 0 }), 1, ["1 0 1 4"]],
    [draft({ ...all, controls: 1, losses: 0 }), 2, []],
    [draft({ ...all, controls: 1, losses: 1 }), 1, []],
    [draft({ acts: actsMax }), 3, ["0 0 3 0"]],
    [draft({ acts: 4 }), 3, []],
    [draft({ acts: 4 }), 2, ["0 0 2 0"]],
    [draft({ acts: 2 }, true), 1, []],
    [draft({ acts: 2 }, true), 0, ["0 0 0 0", "0 0 0 0", "0 0 0 0"]],
  ])("%#: is tried from the most to the least", (given, shown, rooms) => {
    const tried = roomsOf(given, shown).map(
      ({ controls, losses, acts, beside }) => `${controls} ${losses} ${acts} ${beside}`,
    );
    expect(tried).toEqual(rooms);
  });

  it("leaves something out if a list is longer than its room", () => {
    const room = { controls: 2, losses: 2, acts: 0, beside: 2 };
    const cut = (counts: object) => cuts(draft({ controls: 2, losses: 2, beside: 2, acts: 3, ...counts }), room);
    expect([{}, { controls: 3 }, { losses: 3 }, { beside: 3 }].map(cut)).toEqual([false, true, true, true]);
  });
});
