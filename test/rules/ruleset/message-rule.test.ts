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
    (one) => `  - { ${one.includes("action:") ? "" : "action: governance, "}say: "sign it", ${one} }\n`,
  );
  const listed = (name: string, isOf: boolean) => {
    const some = rules.filter((one) => one.includes("message:") === isOf);
    return some.length === 0 ? "" : `${name}:\n${some.join("")}`;
  };
  const text = marketFile(`${listed("rules", false)}${listed("messages", true)}`, kind).replace(
    '  move: "',
    () => `${messages}  move: "`,
  );
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
    const { id, file, protocol, action, tier, strength, yields, parts, place, ...rest } =
      one("at: pool, message: Order");
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
    expect(one("at: pool, message: Order", [], "standard").protocol).toBeNull();
    expect([one("at: any, message: Order").protocol, one("at: moved, message: Order").protocol]).toEqual([
      null,
      "Market",
    ]);
    expect(one("at: pool, message: Order, action: contract_interaction").tier).toBe(tierRank("act"));
    expect([one("at: any, message: Order").strength, one("at: any, message: Order").tier]).toEqual([
      0,
      tierRank("flow"),
    ]);
    const { protocol, strength, place } = one("message: Order, domain: { name: Somebody }");
    expect([protocol, strength, place]).toEqual(["Market", 3, { kind: "named", name: "Somebody", version: null }]);
    expect(one('message: Order, domain: { name: Somebody, version: "2" }').place).toMatchObject({ version: "2" });
  });

  it("has what it says", () => {
    const said = one(
      "at: pool, message: Order, place: token, after: everything, when: { var: on }, values: { x: domain.name as text }, empowers: [maker, token], carries: { from: maker, to: token, value: least, data: data }",
    );
    expect([said.yields, said.where(context), [...said.captures.keys()]]).toEqual([true, true, ["x"]]);
    expect(said.place.kind === "contract" && said.place.of?.(context)).toBe(usdc);
    expect(said.empowers.map((get) => get(context))).toEqual([alice, usdc]);
    expect(one("at: pool, message: Order, empowers: maker").empowers.map((get) => get(context))).toEqual([alice]);
    expect(readAll(said.call ?? {})).toEqual([
      ...[
        ["each", null],
        ["from", alice],
        ["to", usdc],
        ["data", "0x12"],
        ["value", 6n],
      ],
    ]);
    const bare = one("at: pool, message: Order, carries: { from: maker, to: token, data: data }");
    expect(bare.call?.value).toBeNull();
  });
});

describe("a right of a message", () => {
  const none = { each: null, when: null, amount: null, until: null, id: null, endless: null };
  it.each<[string, object]>([
    ["{ token: token, spender: maker }", { ...none, token: usdc, spender: alice }],
    [
      "{ token: token, spender: maker, amount: amount, until: until, id: least }",
      { ...none, token: usdc, spender: alice, amount: 7n, endless: (1n << 160n) - 1n, until: 99n, id: 6n },
    ],
    ["{ token: token, spender: maker, amount: least }", { ...none, token: usdc, spender: alice, amount: 6n }],
    [
      '{ token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", spender: maker, when: { var: on } }',
      { ...none, token: usdc, spender: alice, when: true },
    ],
  ])("%s", (entry, expected) => {
    expect(right(`at: pool, message: Order, allows: ${entry}`)).toEqual(expected);
  });

  it("is one for each element of a list, and several stand in a row", () => {
    const rule = one(
      "at: pool, message: Order, allows: [{ each: items, when: { var: item.on }, token: item.token, spender: maker, amount: item.amount }, { token: token, spender: maker }]",
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
    ["{ token: token, amount: least }", { ...none, token: usdc, amounts: [6n] }],
    ["{ token: token, amount: [least, amount] }", { ...none, token: usdc, amounts: [6n, 7n] }],
    ["{ nft: token }", { ...none, token: usdc, nft: true }],
    [
      "{ nft: token, id: least, to: maker, amount: amount }",
      { ...none, token: usdc, nft: true, id: 6n, to: alice, amounts: [7n] },
    ],
  ])("%s", (entry, expected) => {
    expect(asset(`at: pool, message: Order, gives: ${entry}`)).toEqual(expected);
    const gets = one(`at: pool, message: Order, gives: { nft: token }, gets: [${entry}]`);
    expect([gets.gives.length, gets.gets?.map(({ nft }) => nft)]).toEqual([1, [entry.includes("nft")]]);
  });

  it("is one for each element of a list", () => {
    const entry = "{ each: items, when: { var: item.on }, token: item.token, amount: item.amount }";
    const { each, ...rest } = asset(`at: pool, message: Order, gives: [${entry}]`, inItem) as { each?: Elements };
    expect({ ...rest, each: null }).toEqual({ ...none, when: true, token: usdc, amounts: [4n] });
    expect(elementsOf(each as Elements, inItem as never)).toEqual(items);
  });

  it("is that of another rule, for each message of a list", () => {
    const rule = one("at: pool, message: Orders, parts: { each: orders, rule: b, one: order, many: orders }", [
      "id: c, at: pool, message: Order, gives: { nft: maker }",
      "id: b, at: pool, message: Order, gives: { token: token, amount: amount }, gets: { token: token, amount: least, to: maker }",
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
    ["at: pool, message: Order, carries: { each: items, from: maker, to: item.token, data: data }", [list], 1],
    [
      "at: pool, message: Order, carries: { from: maker, to: token, data: maker }",
      ["`args.maker` is address, bytes was expected"],
      1,
    ],
    [
      "at: pool, message: Order, carries: { from: maker, to: data, data: data }",
      ["`args.data` is bytes, address was expected"],
      1,
    ],
    [
      "at: pool, message: Order, carries: { from: data, to: maker, data: data }",
      ["`args.data` is bytes, address was expected"],
      1,
    ],
    [
      "at: pool, message: Orders, parts: { each: orders, rule: b, one: order, many: orders }",
      ["`b` is no rule of this file about a message"],
      0,
    ],
    [
      "at: pool, message: Orders, parts: { each: orders, rule: a, one: order, many: orders }",
      ["`a` is no rule of this file about a message"],
      0,
    ],
    ["at: pool, message: Order, place: least, when: { var: on }", ["`args.least` is uint, address was expected"], 1],
    ["at: pool, message: Order, when: { var: tx.creates }", ["`tx.creates` cannot be read here"], 1],
  ])("%s", (rule, expected, kept) => {
    const { rules, found } = compile(rule, ["id: b, at: pool, anchor: { call: move }"]);
    expect(found.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual(expected);
    expect(rules.filter(({ id }) => id === "market/a")).toHaveLength(kept);
    if (rule.includes("carries: { from")) expect(rules[0]?.call).toBeNull();
  });

  it.each([
    "allows: { token: data, spender: maker }",
    "allows: { token: maker, spender: data }",
    "gives: { token: data, amount: least }",
    "gives: { nft: token, token: token, amount: least }",
  ])("and without its right or asset: %s", (entry) => {
    const { rules, found } = compile(`at: pool, message: Order, ${entry}`);
    expect(found).toHaveLength(1);
    expect(rules.map(({ allows, gives }) => [allows, gives])).toEqual([[[], []]]);
  });
});
