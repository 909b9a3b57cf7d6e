import { describe, expect, it } from "vitest";
import { matchMessage, messageContext } from "../../../src/engine/match/messages/match-message.ts";
import { chain } from "../../../src/kernel/chain-profile.ts";
import { alice, bob, carol, token, usdc, vault, zero } from "../../support/case-of.ts";
import { moved } from "../../support/movements.ts";

/** A path of a rule: an argument of the message, or of the part or element that is being read. */
const at = (place: number) => (context: object) => {
  const { item, args } = context as { item?: unknown[]; args: unknown[] };
  return (item ?? args)[place];
};
const rule = (id: string, parts: object = {}) => ({
  ...{
    id,
    message: { tree: null, open: false },
    place: { kind: "contract", gate: {}, of: null },
    where: () => true,
    parts: null,
  },
  ...{ everyChain: false, allows: [], gives: [], gets: null, empowers: [], call: null, ...parts },
});
const domain = { chainId: BigInt(chain.id), verifyingContract: vault, name: "Shop", version: "1", salt: null };
const asset = (to: unknown = null) => ({
  ...{ each: null, when: null, token: at(0), nft: false, id: null },
  amounts: [at(1)],
  to,
});
const right = (each: unknown = null) => ({
  ...{ each, when: null, token: at(0), spender: () => bob, amount: at(1) },
  endless: null,
  until: null,
  id: null,
});
const named = (name: string, version: string | null) => ({ place: { kind: "named", name, version } });

interface World {
  rules?: ReturnType<typeof rule>[];
  open?: object[];
  domain?: object;
  values?: unknown[];
  types?: Map<string, object[]>;
}
/** The match for a message of alice, with a token and an amount. Only the vault is admitted. */
function matched({ rules = [rule("it")], open = [], values = [token, 5n], types = new Map(), ...of }: World) {
  const data = { domain: { ...domain, ...of.domain }, typeHash: "0x1", primaryType: "Order", types, values };
  const ruleset = { messages: new Map([["0x1", rules]]), openMessages: new Map([["Order", open]]) };
  const gates = { admits: (_gate: object, one: string, subject: string) => one === vault && subject === alice };
  return matchMessage(data as never, { ruleset, gates, tx: moved([]) } as never);
}
const idOf = (world: World) => matched(world)?.rule.id;

describe("the rule of a message", () => {
  const bare = { verifyingContract: null };
  it.each<[string, string | undefined, World]>([
    ["is that of its type", "it", {}],
    ["is none of another chain", undefined, { domain: { chainId: BigInt(chain.id) + 1n } }],
    ["is none of no chain", undefined, { domain: { chainId: null } }],
    [
      "may be one for every chain",
      "b",
      { rules: [rule("a"), rule("b", { everyChain: true })], domain: { chainId: null } },
    ],
    [
      "is none of another chain, though it may be one for every chain",
      undefined,
      { rules: [rule("b", { everyChain: true })], domain: { chainId: 1n } },
    ],
    ["is none at another contract", undefined, { domain: { verifyingContract: bob } }],
    ["is none at no contract", undefined, { domain: bare }],
    ["is none whose condition does not hold", undefined, { rules: [rule("it", { where: () => false })] }],
    ["is the first that holds", "b", { rules: [rule("a", { where: () => false }), rule("b"), rule("c")] }],
    [
      "is proven by another contract",
      "it",
      {
        rules: [rule("it", { place: { kind: "contract", gate: {}, of: () => vault } })],
        domain: { verifyingContract: bob },
      },
    ],
    [
      "is not proven by a stranger",
      undefined,
      { rules: [rule("it", { place: { kind: "contract", gate: {}, of: () => bob } })] },
    ],
    [
      "is not proven by nobody",
      undefined,
      { rules: [rule("it", { place: { kind: "contract", gate: {}, of: () => zero } })] },
    ],
    [
      "is not proven by another contract where none checks it",
      undefined,
      { rules: [rule("it", { place: { kind: "contract", gate: {}, of: () => vault } })], domain: bare },
    ],
    ["is found by its name", "it", { rules: [rule("it", named("Shop", "1"))], domain: bare }],
    ["is none of another name", undefined, { rules: [rule("it", named("Other", "1"))], domain: bare }],
    ["is none of another version", undefined, { rules: [rule("it", named("Shop", "2"))], domain: bare }],
    ["is none of that name where a contract checks it", undefined, { rules: [rule("it", named("Shop", "1"))] }],
    [
      "is none of that name with a salt",
      undefined,
      { rules: [rule("it", named("Shop", "1"))], domain: { ...bare, salt: "0x1" } },
    ],
  ])("%s", (_what, expected, world) => expect(idOf(world)).toBe(expected));

  it("may be open to further members, behind those of its type", () => {
    const item = { name: "Order", types: new Map([["Order", [{ name: "a", type: "address" }]]]), tree: null };
    const open = [rule("open", { message: item })];
    const types = new Map([
      [
        "Order",
        [
          { name: "a", type: "address" },
          { name: "b", type: "uint256" },
        ],
      ],
    ]);
    expect([idOf({ open, types }), idOf({ rules: [], open, types }), idOf({ rules: [], open })]).toEqual([
      "it",
      "open",
      undefined,
    ]);
  });
});

describe("what a message says", () => {
  const said = (parts: object, values?: unknown[]) => {
    const found = matched({ rules: [rule("it", parts)], ...(values && { values }) });
    if (found === undefined) return undefined;
    const { rule: _, context, ...rest } = found;
    const { gives, gets, recipients } = context.flow;
    const keys = (assets: typeof gives) => assets.map(({ key, amount }) => [key, amount]);
    return { ...rest, gives: keys(gives), gets: keys(gets), flow: recipients };
  };
  const nothing = {
    ...{
      rights: [],
      listed: false,
      recipients: [],
      forNothing: null,
      parts: null,
      open: false,
      powers: [],
      call: null,
    },
    ...{ gives: [], gets: [], flow: [], diverted: { assets: [], to: [] } },
  };
  const allowed = { token, spender: bob, amount: 5n, endless: false, until: null, id: null };
  const call = { each: null, from: () => alice, to: at(0), data: () => "0x12", value: null };
  const leaves = { key: token, kind: "erc20", token, tokenId: null, amount: 5n, movements: [] };
  const paid = { recipients: [bob], flow: [bob] };
  it.each<[string, object, object]>([
    ["nothing", {}, {}],
    ["what it gives", { gives: [asset()] }, { gives: [[token, 5n]] }],
    [
      "what it gives, summed, and to whom",
      { gives: [asset(() => bob), asset(() => bob)] },
      { gives: [[token, 10n]], ...paid },
    ],
    ["not that it gives to oneself", { gives: [asset(() => alice)] }, { gives: [[token, 5n]] }],
    ["what it gets", { gets: [asset()] }, { gets: [[token, 5n]] }],
    [
      "that it gives for nothing",
      { gives: [asset(() => bob)], gets: [asset(() => carol)] },
      { gives: [[token, 5n]], ...paid, forNothing: "all", diverted: { assets: [leaves], to: [carol] } },
    ],
    ["a right", { allows: [right()] }, { rights: [allowed] }],
    [
      "rights of a list",
      { allows: [right(), right({ kind: "array", get: () => [[usdc, 7n]] })] },
      { rights: [allowed, { ...allowed, token: usdc, amount: 7n }], listed: true },
    ],
    ["who gets power", { empowers: [() => bob, () => zero, () => carol] }, { powers: [bob, carol] }],
    ["the call that it holds", { call }, { call: { from: alice, to: token, value: 0n, data: "0x12" } }],
    ["no call that is none", { call: { ...call, data: () => null } }, {}],
  ])("is %s", (_what, parts, expected) => expect(said(parts)).toEqual({ ...nothing, ...expected }));

  const orders = (each: () => unknown) => ({ one: "order", many: "orders", each });
  it("is what its parts say, but for those of nothing", () => {
    const robs = {
      parts: orders(() => [
        [token, 5n, carol],
        [token, 0n, carol],
        [usdc, 7n, alice],
      ]),
      gives: [asset(() => bob)],
      gets: [asset(at(2))],
    };
    const both = {
      ...nothing,
      listed: true,
      gives: [
        [token, 5n],
        [usdc, 7n],
      ],
      gets: [[usdc, 7n]],
      ...paid,
      diverted: { assets: [leaves], to: [carol] },
    };
    expect(said(robs)).toEqual({ ...both, parts: "2 orders", forNothing: "some" });
    expect(said({ parts: orders(() => undefined) })).toEqual({ ...nothing, listed: true, parts: "0 orders" });
    const one = said({ ...robs, parts: orders(() => [[token, 5n, carol]]) });
    expect([one?.parts, one?.forNothing]).toEqual(["1 order", "all"]);
  });

  it("reads a tree as the list of its leaves", () => {
    const read: unknown[] = [];
    const where = ({ args }: { args: unknown[] }) => read.push(args[1]) > 0;
    const tree = [
      [[1], [2]],
      [[3], [4]],
    ];
    const types = (type: string) => new Map([["Order", [{ type: "address" }, { type }]]]);
    const rules = [rule("it", { message: { tree: { member: 1 } }, where })];
    for (const type of ["Leaf[2][2]", "Leaf[2]", "Leaf[2][2][2]"])
      matched({ rules, values: [token, tree], types: types(type) });
    matched({ rules, values: [token, tree] });
    expect(read).toEqual([[[1], [2], [3], [4]], tree, [1, 2, 3, 4], tree]);
  });

  it("is read of a transaction in which nothing happened", () => {
    const gates = { admits: (...given: unknown[]) => given } as never;
    const context = messageContext({ domain, values: [7n] } as never, moved([]), gates);
    expect(context).toMatchObject({ subject: alice, target: vault, args: [7n], seesGifts: true, legs: [], log: null });
    expect(context.flow).toEqual({
      ...{ account: alice, gives: [], gets: [], neutral: [], recipients: [], senders: [] },
      ...{ minted: false, burned: false, wraps: false, complete: true },
    });
    const answers = [
      context.targetFlow(),
      context.paysElsewhere(context.flow),
      context.logsWith("0x1"),
      context.logsBy(vault),
    ];
    expect(answers).toEqual([null, false, [], undefined]);
    expect([context.isBirth({} as never), context.mayCall(alice, bob)]).toEqual([false, true]);
    expect(context.admits("gate", bob)).toEqual(["gate", bob, alice]);
  });
});
