import { describe, expect, it, vi } from "vitest";
import { carriedBy } from "../../src/engine/carried-acts.ts";
import type { HeldCall } from "../../src/engine/match/messages/held-calls.ts";
import { type CarriedRight, carriedRights } from "../../src/engine/messages/carried-rights.ts";
import { unlimitedThreshold } from "../../src/kernel/amount.ts";
import { alice, bob, caseOf, token, usdc } from "../support/case-of.ts";

/** The acts of a call, by its data; calls that were taken apart, in order. */
const world = vi.hoisted(() => ({
  acts: new Map<string, unknown[]>(),
  decoded: [] as unknown[],
  asked: [] as unknown[],
}));
vi.mock("../../src/engine/carried-call.ts", () => ({
  decodeCarried: (call: HeldCall) => {
    world.decoded.push([call.data, call.value]);
    return { acts: { data: call.data, actions: world.acts.get(call.data) ?? [] } };
  },
}));
vi.mock("../../src/engine/assess/grants/asked-grants.ts", () => ({ findAskedGrants: () => world.asked }));

type Action = Parameters<typeof carriedBy>[0][number];

/** An act that holds calls with these data, of which `!` has value. */
const holding = (...calls: string[]): Action =>
  ({
    rule: {
      carries: {
        each: () => calls,
        from: () => alice,
        to: () => bob,
        value: ({ item }: { item: string }) => (item.endsWith("!") ? 1n : 0n),
        data: ({ item }: { item: string }) => item.replace("!", ""),
      },
    },
    context: { calls },
  }) as never;
const plain = { rule: { carries: null }, context: {} } as unknown as Action;

/** What is told of each act that holds calls, and what was taken apart for it. */
function told(actions: readonly Action[], inner: Record<string, Action[]> = {}) {
  world.acts = new Map(Object.entries(inner));
  world.decoded = [];
  const found = carriedBy(actions, caseOf(), {} as never);
  const shown = [...found].map(([context, acts]) => [
    (context as never as { calls: string[] }).calls.join(),
    acts.map((act) => (act as never as { data: string }).data).join(),
  ]);
  return { shown, decoded: world.decoded.map((one) => (one as [string])[0]).join() };
}

const letters = (count: number) => Array.from({ length: count }, (_, i) => `0x${i}`);

describe("the calls that acts hold", () => {
  it.each<[string, Action[], Record<string, Action[]>, string[][], string]>([
    ["no act", [], {}, [], ""],
    ["an act without calls", [plain], {}, [], ""],
    ["an act with no call in its list", [holding()], {}, [["", ""]], ""],
    ["each call of an act", [plain, holding("0xa", "0xb")], {}, [["0xa,0xb", "0xa,0xb"]], "0xa,0xb"],
    [
      "each act",
      [holding("0xa"), plain, holding("0xb")],
      {},
      [
        ["0xa", "0xa"],
        ["0xb", "0xb"],
      ],
      "0xa,0xb",
    ],
    ["no call of nothing", [holding("0x", "0xa", "0x!")], {}, [["0x,0xa,0x!", "0xa,0x"]], "0xa,0x"],
    [
      "the calls inside of a call",
      [holding("0xa")],
      { "0xa": [holding("0xb")] },
      [
        ["0xa", "0xa"],
        ["0xb", "0xb"],
      ],
      "0xa,0xb",
    ],
    [
      "no call inside of that",
      [holding("0xa")],
      { "0xa": [holding("0xb")], "0xb": [holding("0xc")] },
      [
        ["0xa", "0xa"],
        ["0xb", "0xb"],
      ],
      "0xa,0xb",
    ],
  ])("are taken apart: %s", (_what, actions, inner, shown, decoded) => {
    expect(told(actions, inner)).toEqual({ shown, decoded });
  });

  it("are sixteen at most, of all acts together", () => {
    const first = letters(15);
    const one = told([holding(...first), holding("0xa", "0xb")]);
    expect(one.shown).toEqual([
      [first.join(), first.join()],
      ["0xa,0xb", "0xa"],
    ]);
    const all = letters(16);
    expect(told([holding(...all), holding("0xa")]).shown).toEqual([
      [all.join(), all.join()],
      ["0xa", ""],
    ]);
    expect(told([holding(...letters(17))]).decoded).toBe(all.join());
    expect(told([holding("0xa", ...first)], { "0xa": [holding("0xb")] }).shown.at(-1)).toEqual(["0xb", ""]);
  });

  it("are taken apart with their value", () => {
    told([holding("0xa!", "0xb")]);
    expect(world.decoded).toEqual([
      ["0xa", 1n],
      ["0xb", 0n],
    ]);
  });
});

describe("the rights that carried calls ask for", () => {
  const manager = { unlimited: 1n << 128n };
  const rightsOf = (grant: object): CarriedRight[] => {
    world.asked = [{ token, grantee: bob, owner: alice, expiration: 7n, amount: 5n, manager: null, ...grant }];
    return carriedRights([], {} as never);
  };
  const right = { token, spender: bob, owner: alice, amount: 5n, manager: null, endless: false, until: 7n, id: null };

  it.each<[string, object, object]>([
    ["an amount", {}, {}],
    ["another token without end", { token: usdc, expiration: null }, { token: usdc, until: null }],
    ["NFTs", { amount: null }, { amount: null }],
    ["nearly all", { amount: unlimitedThreshold - 1n }, { amount: unlimitedThreshold - 1n }],
    ["all", { amount: unlimitedThreshold }, { amount: unlimitedThreshold, endless: true }],
    ["more than all", { amount: unlimitedThreshold + 1n }, { amount: unlimitedThreshold + 1n, endless: true }],
    ["all at a manager", { amount: 1n << 128n, manager }, { amount: 1n << 128n, manager, endless: true }],
    ["nearly all at a manager", { amount: (1n << 128n) - 1n, manager }, { amount: (1n << 128n) - 1n, manager }],
    ["all of a manager without one", { amount: 1n << 128n }, { amount: 1n << 128n }],
  ])("are over %s", (_what, grant, expected) => {
    expect(rightsOf(grant)).toEqual([{ ...right, ...expected }]);
  });
});
