import { describe, expect, it } from "vitest";
import { bob, usdc } from "../../support/case-of.ts";
import { anchored, compile, one, pool } from "./stake-rule.ts";

describe("the flow of a rule", () => {
  const many = Number.MAX_SAFE_INTEGER;
  const side = { token: null, others: false, unseen: false, kind: "any" };
  it.each<[string, unknown]>([
    ["nothing", { ...side, min: 0, max: 0 }],
    ["one", { ...side, min: 1, max: 1, unseen: true }],
    ["two fungible", { ...side, min: 2, max: 2, kind: "fungible", unseen: true }],
    ["some native", { ...side, min: 1, max: many, others: true, kind: "native", unseen: true }],
    ["several erc20", { ...side, min: 2, max: many, others: true, kind: "erc20" }],
    ["one nft", { ...side, min: 1, max: 1, kind: "nft" }],
    ["any", null],
    ["{ count: 2, kind: nft }", { ...side, min: 2, max: 2, kind: "nft" }],
    ["{ min: 0 }", { ...side, min: 0, max: many, others: true }],
    ["{ max: 3, others: false }", { ...side, min: 1, max: 3, unseen: true }],
    ["{ count: 0, min: 4, max: 5 }", { ...side, min: 0, max: 0 }],
  ])("gives %s", (text, expected) => {
    const { flow } = one(`${anchored}, money: { gives: ${text} }`);
    expect(flow).toEqual({ gives: expected, gets: null, open: { gives: text === "any", gets: false } });
    const { flow: other } = one(`${anchored}, money: { gets: ${text} }`);
    expect(other).toEqual({ gives: null, gets: expected, open: { gives: false, gets: text === "any" } });
  });

  it("may be unseen only where its place is proven", () => {
    expect(one("anchor: { event: Moved }, at: made, money: { gives: one }").flow?.gives?.unseen).toBe(true);
    expect(one("anchor: { event: Moved }, at: moved, money: { gives: one }").flow?.gives?.unseen).toBe(false);
  });

  it("may ask for one token", () => {
    const { flow } = one(`${anchored}, money: { gives: { token: to } }`);
    expect(flow?.gives?.token?.({ args: [bob, usdc, 5n] } as never)).toBe(usdc);
  });

  it.each(["", "none", "one fish", "one nft more", "nft"])("is not %j", (text) => {
    expect(compile(`${anchored}, money: { gives: "${text}" }`).found).toEqual([
      expect.stringMatching(
        `^RL306 .*: \`${text}\` is no flow: write nothing, any, or one, two, some, several with fungible, native, erc20 or nft$`,
      ),
    ]);
  });
});

describe("a leg", () => {
  const context = { args: [bob, usdc, 5n] } as never;
  const legOf = (leg: string) => one(`${anchored}, money: { x: ${leg} }`).legs[0];

  it("asks for nothing that it does not say", () => {
    const leg = legOf("{ to: pool }");
    expect(leg).toEqual({
      ...{ name: "x", optional: false, many: false, standards: null, token: null, from: null, amount: null, id: null },
      to: { kind: "set", addresses: new Set(pool) },
    });
    expect(legOf("{ to: made, many: true, optional: unseen, standards: [erc20] }")).toMatchObject({
      ...{ many: true, optional: "unseen", standards: ["erc20"], to: { kind: "proof" } },
    });
  });

  it("reads its parties, its token, its amount and its id", () => {
    const leg = legOf("{ from: zero, to: from, token: to, amount: amount, id: amount }");
    const read = [leg?.from, leg?.to, leg?.token, leg?.amount, leg?.id].map((get) =>
      (get as (c: never) => unknown)(context),
    );
    expect(read).toEqual([`0x${"0".repeat(40)}`, bob, usdc, 5n, 5n]);
    const written = legOf('{ to: pool, token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }');
    expect(written?.token?.(context)).toBe(usdc);
  });
});
