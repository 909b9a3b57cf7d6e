import { describe, expect, it } from "vitest";
import { tierRank } from "../../src/ruleset/actions.ts";
import type { CompiledRule } from "../../src/ruleset/compiled.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const pool = ["0xa238dd80c259a72e81d7e4664a9801593f98d1c5", "0x6cb442acf35158d5eda88fe602221b67b400be3e"];
const factory = "0x420dd381b31aef6683db6b902084cb0ffece40da";
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const bob = `0x${"b0".repeat(20)}`;

function compile(rule: string, kind: "protocol" | "standard" = "protocol") {
  const { ruleset, diagnostics } = compileTexts({
    market: marketFile(`rules:\n  - { id: a, action: stake, does: "do it", ${rule} }\n`, kind),
  });
  return { rules: ruleset.rules, found: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`) };
}

function one(rule: string, kind: "protocol" | "standard" = "protocol"): CompiledRule {
  const { rules, found } = compile(rule, kind);
  expect(found).toEqual([]);
  expect(rules).toHaveLength(1);
  return rules[0] as CompiledRule;
}

const anchored = "event: Moved, at: pool";

describe("a rule", () => {
  it("has what it does not say by default", () => {
    const { protocol, status, who, actsFor, legsFirst, flow, legs, absorbs, captures, carries, by } = one(anchored);
    expect({ protocol, status, who, actsFor, legsFirst, flow, legs, absorbs, captures, carries, by }).toEqual({
      ...{ protocol: "Market", status: "success", who: [], actsFor: null, legsFirst: false, flow: null, legs: [] },
      ...{ absorbs: [], captures: new Map(), carries: null, by: null },
    });
    const { attempt, yields, defers, control, controlRank, overrides, exchanges, file } = one(anchored);
    expect({ attempt, yields, defers, control, controlRank, overrides, exchanges, file }).toEqual({
      ...{ attempt: null, yields: false, defers: false, control: false, controlRank: 8, overrides: [] },
      ...{ exchanges: false, file: "rules/market.yaml" },
    });
    expect([one(anchored).premise({} as never), one(anchored).where({} as never)]).toEqual([true, true]);
  });

  it("has what it says", () => {
    const { yields, defers, by, overrides } = one(
      `${anchored}, yields: true, defers: true, by: a keeper, overrides: [b, other/c]`,
    );
    expect({ yields, defers, by, overrides }).toEqual({
      ...{ yields: true, defers: true, by: "a keeper", overrides: ["market/b", "other/c"] },
    });
  });

  it("names its protocol by name, else by id, and none where nothing proves its place", () => {
    expect(one("event: Moved, at: moved").protocol).toBe("Market");
    expect(one("event: Moved, at: any").protocol).toBeNull();
    expect(one(anchored, "standard").protocol).toBeNull();
    const unnamed = marketFile(`rules:\n  - { id: a, action: stake, does: "do it", ${anchored} }\n`);
    const { ruleset } = compileTexts({ market: unnamed.replace("name: Market\n", "") });
    expect(ruleset.rules[0]?.protocol).toBe("market");
  });

  it("counts up to nine legs that must be there", () => {
    const legs = (count: number, rest = "") =>
      Array.from({ length: count }, (_, i) => `l${i}: { from: subject${rest} }`).join(", ");
    const counted = (text: string) => one(`${anchored}, legs: { ${text} }`).specificity.legs;
    expect(counted(`${legs(2)}, m: { to: subject, optional: true }, n: { to: subject, optional: unseen }`)).toBe(2);
    expect([counted(legs(9)), counted(legs(10)), counted(legs(2, ", optional: true"))]).toEqual([9, 9, 0]);
  });

  it("says on whose behalf it was, by one path or several", () => {
    const context = { args: [bob, usdc, 5n], legs: [{ from: bob }] } as never;
    const read = (rule: string) => one(`${anchored}, ${rule}`).who.map((get) => get(context));
    expect([read("who: args.from"), read("who: [args.to, args.from]")]).toEqual([[bob], [usdc, bob]]);
    const legs = "legs: { x: { from: subject } }";
    const [direct, byLeg] = [one(`${anchored}, acts_for: args.to`), one(`${anchored}, ${legs}, acts_for: legs.x.from`)];
    expect([direct.actsFor?.(context), direct.legsFirst, byLeg.actsFor?.(context), byLeg.legsFirst]).toEqual([
      ...[usdc, false, bob, true],
    ]);
  });

  it("that changes control is told before mere allowances, where it was done and not only tried", () => {
    const { rules, found } = compile(`call: move, at: pool, control: owner, attempts: push`);
    expect(found).toEqual([]);
    const standing = rules.map(({ status, tier, control, controlRank }) => [status, tier, control, controlRank]);
    const stake = tierRank("protocol");
    expect(standing).toEqual([
      ["success", stake, true, 2],
      ["reverted", stake, false, 8],
    ]);
    const weak = compileTexts({
      market: marketFile(
        'rules:\n  - { id: a, action: contract_interaction, does: "do it", call: move, at: pool, control: removed }\n',
      ),
    }).ruleset.rules[0];
    expect([weak?.tier, weak?.controlRank]).toEqual([tierRank("control"), 7]);
  });

  it("absorbs further logs, of its own emitters unless it says others", () => {
    const { absorbs } = one(`${anchored}, absorbs: [Moved, { event: Moved, at: factory }]`);
    expect(absorbs.map(({ event, gate }) => [event.name, gate])).toEqual([
      ["Moved", { kind: "set", addresses: new Set(pool) }],
      ["Moved", { kind: "set", addresses: new Set([factory]) }],
    ]);
    expect(compile(`${anchored}, absorbs: [Moved, { event: Moved, at: nobody }]`).found).toEqual([
      "RL302 18:85-18:113: `nobody` is no contract role or member of this file",
    ]);
  });

  it("has the contracts and members of its file as its home", () => {
    expect(one("event: Moved, at: any").home).toMatchObject({
      kind: "either",
      gates: [
        { kind: "set", addresses: new Set([...pool, factory]) },
        { kind: "proof", member: { role: "made" } },
      ],
    });
    const bare = `protocol: bare\nname: Bare\nkind: standard\nabi: { Ping: "event Ping(address indexed who)" }\nrules:\n  - { id: a, action: stake, event: Ping, does: "do it" }\n`;
    expect(compileTexts({ bare }).ruleset.rules[0]?.home).toEqual({ kind: "either", gates: [] });
  });
});

describe("the anchor of a rule", () => {
  const strip = ({ rules }: ReturnType<typeof compile>) => rules.map(({ anchor }) => anchor);
  const set = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) });

  it.each<[string, object[]]>([
    [anchored, [{ kind: "event", gate: set(...pool), companion: null }]],
    [
      "event: Moved, at: pool, call: [move, push]",
      [
        {
          kind: "event",
          gate: set(...pool),
          companion: { call: [{ name: "move" }, { name: "push" }], gate: set(...pool) },
        },
      ],
    ],
    [
      "event: Moved, at: pool, call: move, call_at: factory",
      [{ kind: "event", gate: set(...pool), companion: { call: [{ name: "move" }], gate: set(factory) } }],
    ],
    [
      "call: [move, any, plain], at: pool",
      [
        { kind: "call", call: { name: "move", step: false }, gate: set(...pool) },
        { kind: "call", call: null, gate: set(...pool) },
        { kind: "call", call: { kind: "function", name: "plain", hash: "0x", step: false }, gate: set(...pool) },
      ],
    ],
    ["transfer: { to: pool }", [{ kind: "transfer", from: { kind: "any" }, to: set(...pool), standards: [] }]],
    [
      "transfer: { from: factory, to: pool, standards: [erc721] }",
      [{ kind: "transfer", from: set(factory), to: set(...pool), standards: ["erc721"] }],
    ],
    ["authorization: set", [{ kind: "authorization", clears: false, signed: false }]],
    ["authorization: cleared", [{ kind: "authorization", clears: true, signed: false }]],
    ["authorization: set, acts_for: authority", [{ kind: "authorization", clears: false, signed: true }]],
    ["flow: { gives: some }", [{ kind: "none" }]],
  ])("of %s", (rule, expected) => {
    const compiled = compile(rule);
    expect(compiled.found).toEqual([]);
    expect(strip(compiled)).toMatchObject(expected);
    expect(compiled.rules).toHaveLength(expected.length);
  });

  it("that is a plain send has no arguments, whatever is sent", () => {
    const { anchor } = one("call: plain, at: pool");
    if (anchor.kind !== "call" || anchor.call === null) throw new Error("a call was expected");
    expect([anchor.call.read("0x12"), anchor.call.inputs, anchor.call.signature]).toEqual([
      ...[[], { kind: "tuple", names: [], items: [], dynamic: false, words: 0 }, ""],
    ]);
  });

  it("decides which paths the rule may read", () => {
    const getter = (rule: string) => compile(rule).found.map((line) => line.slice(line.indexOf(": ") + 2));
    expect(getter("event: Moved, at: pool, call: [move, push], who: input.to")).toEqual([
      "`input.to` needs a decoded call beside the event",
    ]);
    expect(getter("event: Moved, at: pool, who: input.to")).toEqual([
      "`input.to` needs a decoded call beside the event",
    ]);
    expect(getter("event: Moved, at: pool, call: push, who: input.to")).toEqual([]);
    expect(getter("call: push, at: pool, who: [args.to, legs.x.to], legs: { x: { to: pool } }")).toEqual([]);
    expect(getter("call: any, at: pool, who: args.to")).toEqual(["`args.to` needs a decoded anchor"]);
    const counted = `{ uint_gt: [{ var: count.Moved }, "1"] }`;
    expect(getter(`call: push, at: pool, where: ${counted}`)).toEqual([]);
  });

  it("is the gate of the logs that it counts, and any where it has none", () => {
    const counted = `where: { uint_gt: [{ var: count.Moved }, "0"] }`;
    const asked = (rule: string) => {
      const gates: unknown[] = [];
      const topics = ["", "", ""];
      const context = {
        logsWith: () => [{ topics, address: bob }],
        admits: (gate: unknown) => gates.push(gate) > 0,
      } as never;
      const compiled = one(`${rule}, ${counted}`);
      expect([compiled.premise(context), compiled.where(context)]).toEqual([true, true]);
      return gates;
    };
    expect(asked(anchored)).toEqual([set(...pool)]);
    expect(asked("transfer: { to: pool }")).toEqual([{ kind: "any" }]);
  });
});

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
    const { flow } = one(`${anchored}, flow: { gives: ${text} }`);
    expect(flow).toEqual({ gives: expected, gets: null, open: { gives: text === "any", gets: false } });
    const { flow: other } = one(`${anchored}, flow: { gets: ${text} }`);
    expect(other).toEqual({ gives: null, gets: expected, open: { gives: false, gets: text === "any" } });
  });

  it("may be unseen only where its place is proven", () => {
    expect(one("event: Moved, at: made, flow: { gives: one }").flow?.gives?.unseen).toBe(true);
    expect(one("event: Moved, at: moved, flow: { gives: one }").flow?.gives?.unseen).toBe(false);
  });

  it("may ask for one token", () => {
    const { flow } = one(`${anchored}, flow: { gives: { token: args.to } }`);
    expect(flow?.gives?.token?.({ args: [bob, usdc, 5n] } as never)).toBe(usdc);
  });

  it.each(["", "none", "one fish", "one nft more", "nft"])("is not %j", (text) => {
    expect(compile(`${anchored}, flow: { gives: "${text}" }`).found).toEqual([
      expect.stringMatching(
        `^RL306 .*: \`${text}\` is no flow: write nothing, any, or one, two, some, several with fungible, native, erc20 or nft$`,
      ),
    ]);
  });
});

describe("a leg", () => {
  const context = { args: [bob, usdc, 5n] } as never;
  const legOf = (leg: string) => one(`${anchored}, legs: { x: ${leg} }`).legs[0];

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
    const leg = legOf("{ from: zero, to: args.from, token: args.to, amount: args.amount, id: args.amount }");
    const read = [leg?.from, leg?.to, leg?.token, leg?.amount, leg?.id].map((get) =>
      (get as (c: never) => unknown)(context),
    );
    expect(read).toEqual([`0x${"0".repeat(40)}`, bob, usdc, 5n, 5n]);
    const written = legOf('{ to: pool, token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }');
    expect(written?.token?.(context)).toBe(usdc);
  });
});
