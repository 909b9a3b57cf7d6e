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
    ["action: governance, message: Vote", []],
    [
      "action: governance, message: Vote, domain: { name: X }",
      ["RL316 20:83-20:94: `domain` stands for messages that no contract verifies; it has no `at`"],
    ],
    [
      "action: governance, message: Vote, parts: { each: items, rule: c, one: order, many: orders }",
      ["RL316 20:103-20:104 a: `c` is no rule of this file about a message"],
    ],
    [
      "action: governance, message: Vote, parts: { each: voter, rule: b, one: order, many: orders }",
      ["RL304 20:90-20:95: `args.voter` is address, array was expected"],
    ],
    [
      "action: governance, message: Vote, parts: { each: first, rule: b, one: order, many: orders }",
      ["RL304 20:90-20:95: `args.first` is tuple, array was expected"],
    ],
    [
      "action: governance, message: Vote, gives: { token: voter }",
      ["RL316 20:82-20:98: the `amount` of a token is missing"],
    ],
    [
      "action: governance, message: Vote, gives: { amount: amount }",
      ["RL316 20:82-20:100: an asset is a `token` or an `nft`"],
    ],
    [
      "action: governance, message: Vote, gives: [{ token: voter, nft: voter }]",
      ["RL316 20:83-20:111: an asset is a `token` or an `nft`"],
    ],
    [
      "action: governance, message: Vote, allows: { token: amount, spender: voter, amount: voter }",
      [
        "RL304 20:92-20:98: `args.amount` is uint, address was expected",
        "RL304 20:124-20:129: `args.voter` is address, uint was expected",
      ],
    ],
    [
      "action: governance, message: Vote, allows: [{ each: items, token: item.tokn, spender: voter }]",
      ["RL303 20:106-20:115 token: `item.tokn` names nothing: there is no `tokn` among token, amount"],
    ],
    [
      "action: governance, message: Vote, empowers: [amount]",
      ["RL304 20:86-20:92: `args.amount` is uint, address was expected"],
    ],
    ["action: governence, message: Vote", ["RL204 20:48-20:58 governance: `governence` is no action type"]],
    ["action: governance, message: Voet", ["RL302 20:69-20:73 Vote: `Voet` is not in this file's abi"]],
    ["action: governance, message: move", ["RL302 20:69-20:73: `move` is a function, a message was expected"]],
    [
      "action: governance, anchor: { call: Vote }",
      ["RL302 20:76-20:80: `Vote` is a message, which only rules under `messages` take"],
    ],
  ])("%s", (rule, expected) => {
    const about = `  - { id: a, at: pool, say: "sign it", ${rule} }\n`;
    const rules = `${rule.includes("anchor:") ? `rules:\n${about}` : ""}messages:
${rule.includes("anchor:") ? "" : about}  - { id: b, at: pool, say: "sign it", action: governance, message: Plain }
`;
    expect(told(marketFile(rules).replace('  move: "', () => `${messages}  move: "`))).toEqual(expected);
  });
});

describe("mistakes of a rule and of hints", () => {
  it.each<[string, string[]]>([
    [
      `rights: [{ event: Moved, at: made, owner: from, token: to, spender: to, amount: amount }]\n`,
      ["RL303 17:30-17:34: contract roles of this file are expected here"],
    ],
    [
      `rights: [{ event: Moved, at: pool, owner: from, token: to, spender: amount }]\n`,
      ["RL303 17:69-17:75: `amount` is not an address among the arguments of `Moved`"],
    ],
    [
      "fees: [{ event: Moved, at: pool, from: from.x, to: to }]\n",
      ["RL303 17:40-17:46 from: `from.x` is not an address among the arguments of `Moved`"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, inner: { to: to, data: data }, each: { steps: t, codes: data, inputs: data } }]\n`,
      [
        "RL304 17:112-17:116: `args.data` is bytes, array was expected",
        "RL302 17:88-17:89: `t` is no table of this file's steps",
      ],
    ],
    [
      `rules:\n  - { id: a, action: stake, anchor: { event: Moved }, at: '0xA238Dd80C259a72e81d7e4664a9801593F98d1c5', say: "do it" }\n`,
      [
        "RL302 18:59-18:103 pool: an address stands here; a role was expected, under which `contracts` lists the address",
      ],
    ],
    [
      `rules:\n  - { id: a, action: stake, anchor: { event: Moved }, at: '0x1111111111111111111111111111111111111111', say: "do it" }\n`,
      ["RL302 18:59-18:103: an address stands here; a role was expected, under which `contracts` lists the address"],
    ],
    [
      `rules:\n  - { id: a, action: stake, anchor: { call: move }, at: pool, money: { x: { from: amount, amount: amount.x } }, say: "do it" }\n`,
      [
        "RL304 18:83-18:89: `args.amount` is uint, address was expected",
        "RL303 18:99-18:107: `args.amount.x` asks `x` of a value that has no parts",
      ],
    ],
  ])("%s", (rest, expected) => {
    expect(told(marketFile(rest))).toEqual(expected);
  });
});
