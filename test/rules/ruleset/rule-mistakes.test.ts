import { describe, expect, it } from "vitest";
import { compileRule } from "./rule-text.ts";

describe("mistakes of a rule", () => {
  it.each<[string, string[]]>([
    ["action: stakes, anchor: { call: move }", ["RL204 18:36-18:42 stake: `stakes` is no action type"]],
    ["action: stake, anchor: { event: Movd }", ["RL302 18:60-18:64 Moved: `Movd` is not in this file's abi"]],
    ["action: stake, anchor: { event: move }", ["RL302 18:60-18:64: `move` is a function, an event was expected"]],
    ["action: stake, anchor: { call: Moved }", ["RL302 18:59-18:64: `Moved` is an event, a function was expected"]],
    [
      "action: stake, anchor: { call: move }, at: [pool, pol]",
      ["RL302 18:78-18:81 pool: `pol` is no contract role or member of this file"],
    ],
    [
      "action: stake, anchor: { event: Moved }, subject: [from, frm]",
      ["RL303 18:78-18:89 from: `frm` names nothing here"],
    ],
    [
      "action: stake, anchor: { event: Moved }, subject: amount",
      ["RL304 18:78-18:84: `args.amount` is uint, address or bytes was expected"],
    ],
    [
      "action: stake, anchor: { call: move }, money: { gives: one fish }",
      [
        "RL306 18:83-18:91: `one fish` is no flow: write nothing, any, or one, two, some, several with fungible, native, erc20 or nft",
      ],
    ],
    [
      "action: stake, anchor: { call: move }, money: { x: { token: amount } }",
      ["RL304 18:88-18:94: `args.amount` is uint, address was expected"],
    ],
    [
      "action: stake, anchor: { call: move }, money: { x: { from: nobody } }",
      ["RL303 18:79-18:95: `nobody` names nothing here"],
    ],
    [
      "action: stake, anchor: { call: move }, values: { x: { amount: amount } }",
      ["RL305 18:80-18:98: an amount needs `of`: the path of its token"],
    ],
    [
      "action: stake, anchor: { call: move }, values: { x: amount of amount }",
      ["RL304 18:80-18:96: `args.amount` is uint, address was expected"],
    ],
    [
      "action: stake, anchor: { call: move }, values: { x: { amount: amount, of: '0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913' } }",
      [
        "RL205 18:102-18:146 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913: `0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913` has a wrong EIP-55 checksum",
      ],
    ],
    [
      "action: stake, anchor: { call: move }, values: { x: { count: Movd } }",
      ["RL302 18:89-18:93 Moved: `Movd` is not in this file's abi"],
    ],
    [
      "action: stake, anchor: { event: Moved, absorbs: [Movd] }",
      ["RL302 18:77-18:81 Moved: `Movd` is not in this file's abi"],
    ],
    [
      'action: stake, anchor: { event: Moved }, when: { "==": [{ var: from }, pol] }',
      ["RL403 18:99-18:102 pool: `pol` is no address, role or `zero`"],
    ],
    [
      "action: stake, anchor: { event: Moved }, when: { addr_eqq: [{ var: from }, pool] }",
      ["RL402 18:77-18:85: `addr_eqq` is no operator"],
    ],
  ])("%s", (rule, expected) => {
    const { found } = compileRule(rule);
    expect(found).toEqual(expected);
  });
});
