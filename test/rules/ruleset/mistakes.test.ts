import { describe, expect, it } from "vitest";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const messages = `  Vote: "message Vote(address voter, uint256 amount, Item[] items, Item first) Item(address token, uint160 amount)"
  Plain: "message Plain(address who)"
`;

function told(text: string): string[] {
  return compileTexts({ market: text }).diagnostics.map((one) => `${placeOf(one)}: ${one.message}`);
}

describe("mistakes of a rule about a message", () => {
  it.each<[string, string[]]>([
    ["action: governance, sign: Vote", []],
    [
      "action: governance, sign: Vote, domain: { name: X }",
      ["RL316 20:81-20:92: `domain` stands for messages that no contract verifies; it has no `at`"],
    ],
    [
      "action: governance, sign: Vote, parts: { each: args.items, rule: c, one: order, many: orders }",
      ["RL316 20:106-20:107 a: `c` is no rule of this file about a message"],
    ],
    [
      "action: governance, sign: Vote, parts: { each: args.voter, rule: b, one: order, many: orders }",
      ["RL304 20:88-20:98: `args.voter` is address, array was expected"],
    ],
    [
      "action: governance, sign: Vote, parts: { each: args.first, rule: b, one: order, many: orders }",
      ["RL304 20:88-20:98: `args.first` is tuple, array was expected"],
    ],
    [
      "action: governance, sign: Vote, gives: { token: args.voter }",
      ["RL316 20:80-20:101: the `amount` of a token is missing"],
    ],
    [
      "action: governance, sign: Vote, gives: { amount: args.amount }",
      ["RL316 20:80-20:103: an asset is a `token` or an `nft`"],
    ],
    [
      "action: governance, sign: Vote, gives: [{ token: args.voter, nft: args.voter }]",
      ["RL316 20:81-20:119: an asset is a `token` or an `nft`"],
    ],
    [
      "action: governance, sign: Vote, allows: { token: args.amount, spender: args.voter, amount: args.voter }",
      [
        "RL304 20:90-20:101: `args.amount` is uint, address was expected",
        "RL304 20:132-20:142: `args.voter` is address, uint was expected",
      ],
    ],
    [
      "action: governance, sign: Vote, allows: [{ each: args.items, token: item.tokn, spender: args.voter }]",
      ["RL303 20:109-20:118 token: `item.tokn` names nothing: there is no `tokn` among token, amount"],
    ],
    [
      "action: governance, sign: Vote, empowers: [args.amount]",
      ["RL304 20:84-20:95: `args.amount` is uint, address was expected"],
    ],
    ["action: governence, sign: Vote", ["RL204 20:49-20:59 governance: `governence` is no action type"]],
    ["action: governance, sign: Voet", ["RL302 20:67-20:71 Vote: `Voet` is not in this file's abi"]],
    ["action: governance, sign: move", ["RL302 20:67-20:71: `move` is a function, a message was expected"]],
    [
      "action: governance, call: Vote",
      ["RL302 20:67-20:71: `Vote` is a message, which only rules under `messages` take"],
    ],
  ])("%s", (rule, expected) => {
    const rules = `rules:
  - { id: a, at: pool, does: "sign it", ${rule} }
  - { id: b, at: pool, does: "sign it", action: governance, sign: Plain }
`;
    expect(told(marketFile(rules).replace('  move: "', () => `${messages}  move: "`))).toEqual(expected);
  });
});

describe("mistakes of a rule and of hints", () => {
  it.each<[string, string[]]>([
    [
      "grants: [{ event: Moved, at: made, owner: from, token: to, spender: to, amount: amount }]\n",
      ["RL303 17:30-17:34: contract roles of this file are expected here"],
    ],
    [
      "grants: [{ event: Moved, at: pool, owner: from, token: to, spender: amount }]\n",
      ["RL303 17:69-17:75: `amount` is not an address among the arguments of `Moved`"],
    ],
    [
      "fees: [{ event: Moved, at: pool, from: from.x, to: to }]\n",
      ["RL303 17:40-17:46 from: `from.x` is not an address among the arguments of `Moved`"],
    ],
    [
      "unwrap: [{ id: u, call: push, inner: { to: args.to, data: args.data }, each: { steps: t, codes: args.data, inputs: args.data } }]\n",
      [
        "RL304 17:116-17:125: `args.data` is bytes, array was expected",
        "RL302 17:87-17:88: `t` is no table of this file's steps",
      ],
    ],
    [
      "rules:\n  - { id: a, action: stake, event: Moved, at: '0xA238Dd80C259a72e81d7e4664a9801593F98d1c5', does: \"do it\" }\n",
      [
        "RL302 18:47-18:91 pool: an address stands here; a role was expected, under which `contracts` lists the address",
      ],
    ],
    [
      "rules:\n  - { id: a, action: stake, event: Moved, at: '0x1111111111111111111111111111111111111111', does: \"do it\" }\n",
      ["RL302 18:47-18:91: an address stands here; a role was expected, under which `contracts` lists the address"],
    ],
    [
      'rules:\n  - { id: a, action: stake, call: move, at: pool, legs: { x: { from: args.amount, amount: args.who } }, does: "do it" }\n',
      [
        "RL304 18:70-18:81: `args.amount` is uint, address was expected",
        "RL303 18:91-18:99: `args.who` names nothing: there is no `who` among amount",
      ],
    ],
  ])("%s", (rest, expected) => {
    expect(told(marketFile(rest))).toEqual(expected);
  });
});
