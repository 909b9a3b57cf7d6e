import { describe, expect, it } from "vitest";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { elementsOf } from "../../../src/rules/ruleset/capture-parts.ts";
import type { Elements } from "../../../src/rules/ruleset/compiled.ts";
import type { MessageRule, SignedAsset, SignedRight } from "../../../src/rules/ruleset/message-rule.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const pool = ["0xa238dd80c259a72e81d7e4664a9801593f98d1c5", "0x6cb442acf35158d5eda88fe602221b67b400be3e"];
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const alice = `0x${"a1".repeat(20)}`;
const bob = `0x${"b0".repeat(20)}`;
const messages = `  Order: "message Order(address maker, address token, uint160 amount, uint256 least, uint48 until, bytes data, bool on, Item[] items) Item(address token, uint256 amount, bool on)"
  Orders: "message Orders(Order[] orders, address maker) Order(address maker, address token, uint160 amount, uint256 least, uint48 until, bytes data, bool on, Item[] items) Item(address token, uint256 amount, bool on)"
`;

/** A file with the rule `a`, and others behind it. */
function compile(rule: string, others: readonly string[] = [], kind: "protocol" | "standard" = "protocol") {
  const rules = [`id: a, ${rule}`, ...others].map(
    (one) => `  - { ${one.includes("action:") ? "" : "action: governance, "}does: "sign it", ${one} }\n`,
  );
  const text = marketFile(`rules:\n${rules.join("")}`, kind).replace('  move: "', () => `${messages}  move: "`);
  const { ruleset, files, diagnostics } = compileTexts({ market: text });
  const found = diagnostics.map((one) => `${placeOf(one)}: ${one.message}`);
  return { ruleset, rules: files.flatMap((file) => file.messages), found };
}

function one(rule: string, others?: readonly string[], kind?: "protocol" | "standard"): MessageRule {
  const { rules, found } = compile(rule, others, kind);
  expect(found).toEqual([]);
  return rules[0] as MessageRule;
}

const items: Value[] = [
  [usdc, 4n, true],
  [bob, 5n, false],
];
const args: Value[] = [alice, usdc, 7n, 6n, 99n, "0x12", true, items];
const context = { args } as never;
const inItem = { args, item: items[0] } as never;

/** The values that a right or an asset reads from the message, and from the first of its items. */
function readAll(part: object, from: never = context): [string, unknown][] {
  return Object.entries(part).map(([name, get]) => [name, typeof get === "function" ? get(from) : get]);
}
const right = (rule: string) => Object.fromEntries(readAll(one(rule).allows[0] as SignedRight)) as object;
const asset = (rule: string, from = context) => {
  const { amounts, ...rest } = one(rule).gives[0] as SignedAsset;
  return { ...Object.fromEntries(readAll(rest, from)), amounts: amounts.map((get) => get(from)) } as object;
};

describe("a rule about a message", () => {
  it("has what it does not say by default", () => {
    const { id, file, protocol, action, tier, strength, yields, parts, place, ...rest } = one("at: pool, sign: Order");
    expect({ id, file, protocol, action, tier, strength, yields, parts, place }).toEqual({
      ...{ id: "market/a", file: "rules/market.yaml", protocol: "Market", action: "governance" },
      ...{ tier: tierRank("protocol"), strength: 3, yields: false, parts: null },
      place: { kind: "contract", gate: { kind: "set", addresses: new Set(pool) }, of: null },
    });
    const { captures, allows, gives, gets, empowers, call, does } = rest;
    expect({ captures, allows, gives, gets, empowers, call, does: does.text }).toEqual({
      ...{ captures: new Map(), allows: [], gives: [], gets: null, empowers: [], call: null, does: "sign it" },
    });
    expect([rest.where({} as never), rest.version().length]).toEqual([true, 12]);
  });

  it("names its protocol by name, and none in a standard or at a place that nothing proves", () => {
    expect(one("at: pool, sign: Order", [], "standard").protocol).toBeNull();
    expect([one("at: any, sign: Order").protocol, one("at: moved, sign: Order").protocol]).toEqual([null, "Market"]);
    expect(one("at: pool, sign: Order, action: contract_interaction").tier).toBe(tierRank("act"));
    expect([one("at: any, sign: Order").strength, one("at: any, sign: Order").tier]).toEqual([0, tierRank("flow")]);
    const { protocol, strength, place } = one("sign: Order, domain: { name: Somebody }");
    expect([protocol, strength, place]).toEqual(["Market", 3, { kind: "named", name: "Somebody", version: null }]);
    expect(one('sign: Order, domain: { name: Somebody, version: "2" }').place).toMatchObject({ version: "2" });
  });

  it("has what it says", () => {
    const said = one(
      "at: pool, sign: Order, place: args.token, yields: true, where: { var: args.on }, capture: { x: { text: domain.name } }, empowers: [args.maker, args.token], carries: { from: args.maker, to: args.token, value: args.least, data: args.data }",
    );
    expect([said.yields, said.where(context), [...said.captures.keys()]]).toEqual([true, true, ["x"]]);
    expect(said.place.kind === "contract" && said.place.of?.(context)).toBe(usdc);
    expect(said.empowers.map((get) => get(context))).toEqual([alice, usdc]);
    expect(one("at: pool, sign: Order, empowers: args.maker").empowers.map((get) => get(context))).toEqual([alice]);
    expect(readAll(said.call ?? {})).toEqual([
      ...[
        ["each", null],
        ["from", alice],
        ["to", usdc],
        ["data", "0x12"],
        ["value", 6n],
      ],
    ]);
    const bare = one("at: pool, sign: Order, carries: { from: args.maker, to: args.token, data: args.data }");
    expect(bare.call?.value).toBeNull();
  });
});

describe("a right of a message", () => {
  const none = { each: null, when: null, amount: null, until: null, id: null, endless: null };
  it.each<[string, object]>([
    ["{ token: args.token, spender: args.maker }", { ...none, token: usdc, spender: alice }],
    [
      "{ token: args.token, spender: args.maker, amount: args.amount, until: args.until, id: args.least }",
      { ...none, token: usdc, spender: alice, amount: 7n, endless: (1n << 160n) - 1n, until: 99n, id: 6n },
    ],
    [
      "{ token: args.token, spender: args.maker, amount: args.least }",
      { ...none, token: usdc, spender: alice, amount: 6n },
    ],
    [
      '{ token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", spender: args.maker, when: { var: args.on } }',
      { ...none, token: usdc, spender: alice, when: true },
    ],
  ])("%s", (entry, expected) => {
    expect(right(`at: pool, sign: Order, allows: ${entry}`)).toEqual(expected);
  });

  it("is one for each element of a list, and several stand in a row", () => {
    const rule = one(
      "at: pool, sign: Order, allows: [{ each: args.items, when: { var: item.on }, token: item.token, spender: args.maker, amount: item.amount }, { token: args.token, spender: args.maker }]",
    );
    const [each, plain] = rule.allows.map((part) => Object.fromEntries(readAll(part, inItem)));
    expect(each).toEqual({
      ...{
        each: rule.allows[0]?.each,
        when: true,
        token: usdc,
        spender: alice,
        amount: 4n,
        endless: null,
        until: null,
      },
      id: null,
    });
    expect(elementsOf(rule.allows[0]?.each as Elements, inItem as never)).toEqual(items);
    expect(plain).toMatchObject({ each: null, token: usdc });
  });
});

describe("an asset of a message", () => {
  const none = { each: null, when: null, nft: false, id: null, to: null, amounts: [] };
  it.each<[string, object]>([
    ["{ token: args.token, amount: args.least }", { ...none, token: usdc, amounts: [6n] }],
    ["{ token: args.token, amount: [args.least, args.amount] }", { ...none, token: usdc, amounts: [6n, 7n] }],
    ["{ nft: args.token }", { ...none, token: usdc, nft: true }],
    [
      "{ nft: args.token, id: args.least, to: args.maker, amount: args.amount }",
      { ...none, token: usdc, nft: true, id: 6n, to: alice, amounts: [7n] },
    ],
  ])("%s", (entry, expected) => {
    expect(asset(`at: pool, sign: Order, gives: ${entry}`)).toEqual(expected);
    const gets = one(`at: pool, sign: Order, gives: { nft: args.token }, gets: [${entry}]`);
    expect([gets.gives.length, gets.gets?.map(({ nft }) => nft)]).toEqual([1, [entry.includes("nft")]]);
  });

  it("is one for each element of a list", () => {
    const entry = "{ each: args.items, when: { var: item.on }, token: item.token, amount: item.amount }";
    const { each, ...rest } = asset(`at: pool, sign: Order, gives: [${entry}]`, inItem) as { each?: Elements };
    expect({ ...rest, each: null }).toEqual({ ...none, when: true, token: usdc, amounts: [4n] });
    expect(elementsOf(each as Elements, inItem as never)).toEqual(items);
  });

  it("is that of another rule, for each message of a list", () => {
    const rule = one("at: pool, sign: Orders, parts: { each: args.orders, rule: b, one: order, many: orders }", [
      "id: c, at: pool, sign: Order, gives: { nft: args.maker }",
      "id: b, at: pool, sign: Order, gives: { token: args.token, amount: args.amount }, gets: { token: args.token, amount: args.least, to: args.maker }",
    ]);
    expect(rule.parts).toMatchObject({ one: "order", many: "orders" });
    expect(rule.parts?.each({ args: [[args], bob] } as never)).toEqual([args]);
    expect(rule.gives.map(({ token, amounts }) => [token(context), amounts[0]?.(context)])).toEqual([[usdc, 7n]]);
    expect(rule.gets?.map(({ to, amounts }) => [to?.(context), amounts[0]?.(context)])).toEqual([[alice, 6n]]);
  });
});

describe("a rule about a message is refused", () => {
  const list = "a message carries one call; a list of them is told by the rule about that call";
  it.each<[string, string[], number]>([
    [
      "at: pool, sign: Order, carries: { each: args.items, from: args.maker, to: item.token, data: args.data }",
      [list],
      1,
    ],
    [
      "at: pool, sign: Order, carries: { from: args.maker, to: args.token, data: args.maker }",
      ["`args.maker` is address, bytes was expected"],
      1,
    ],
    [
      "at: pool, sign: Order, carries: { from: args.maker, to: args.data, data: args.data }",
      ["`args.data` is bytes, address was expected"],
      1,
    ],
    [
      "at: pool, sign: Order, carries: { from: args.data, to: args.maker, data: args.data }",
      ["`args.data` is bytes, address was expected"],
      1,
    ],
    [
      "at: pool, sign: Orders, parts: { each: args.orders, rule: b, one: order, many: orders }",
      ["`b` is no rule of this file about a message"],
      0,
    ],
    [
      "at: pool, sign: Orders, parts: { each: args.orders, rule: a, one: order, many: orders }",
      ["`a` is no rule of this file about a message"],
      0,
    ],
    [
      "at: pool, sign: Order, place: args.least, where: { var: args.on }",
      ["`args.least` is uint, address was expected"],
      1,
    ],
    ["at: pool, sign: Order, where: { var: tx.creates }", ["`tx.creates` cannot be read here"], 1],
  ])("%s", (rule, expected, kept) => {
    const { rules, found } = compile(rule, ["id: b, at: pool, call: move"]);
    expect(found.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual(expected);
    expect(rules.filter(({ id }) => id === "market/a")).toHaveLength(kept);
    if (rule.includes("carries: { from")) expect(rules[0]?.call).toBeNull();
  });

  it.each([
    "allows: { token: args.data, spender: args.maker }",
    "allows: { token: args.maker, spender: args.data }",
    "gives: { token: args.data, amount: args.least }",
    "gives: { nft: args.token, token: args.token, amount: args.least }",
  ])("and without its right or asset: %s", (entry) => {
    const { rules, found } = compile(`at: pool, sign: Order, ${entry}`);
    expect(found).toHaveLength(1);
    expect(rules.map(({ allows, gives }) => [allows, gives])).toEqual([[[], []]]);
  });
});
