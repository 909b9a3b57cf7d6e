import { describe, expect, it } from "vitest";
import { compileRule } from "./rule-text.ts";

describe("mistakes of a rule", () => {
  it.each<[string, string[]]>([
    ["action: stakes, call: move", ["RL204 18:37-18:43 stake: `stakes` is no action type"]],
    ["action: stake, event: Movd", ["RL302 18:51-18:55 Moved: `Movd` is not in this file's abi"]],
    ["action: stake, event: move", ["RL302 18:51-18:55: `move` is a function, an event was expected"]],
    ["action: stake, call: Moved", ["RL302 18:50-18:55: `Moved` is an event, a function was expected"]],
    [
      "action: stake, call: move, at: [pool, pol]",
      ["RL302 18:67-18:70 pool: `pol` is no contract role or member of this file"],
    ],
    [
      "action: stake, event: Moved, who: [args.from, args.frm]",
      ["RL303 18:75-18:83 from: `args.frm` names nothing: there is no `frm` among from, to, amount"],
    ],
    [
      "action: stake, event: Moved, who: args.amount",
      ["RL304 18:63-18:74: `args.amount` is uint, address or bytes was expected"],
    ],
    [
      "action: stake, call: move, flow: { gives: one fish }",
      [
        "RL306 18:71-18:79: `one fish` is no flow: write nothing, any, or one, two, some, several with fungible, native, erc20 or nft",
      ],
    ],
    [
      "action: stake, call: move, legs: { x: { token: args.amount } }",
      ["RL304 18:76-18:87: `args.amount` is uint, address was expected"],
    ],
    ["action: stake, call: move, legs: { x: { from: nobody } }", ["RL303 18:75-18:81: `nobody` names nothing"]],
    [
      "action: stake, call: move, capture: { x: { amount: args.amount } }",
      ["RL305 18:70-18:93: an amount needs `of`: the path of its token"],
    ],
    [
      "action: stake, call: move, capture: { x: { amount: args.amount, of: args.amount } }",
      ["RL304 18:97-18:108: `args.amount` is uint, address was expected"],
    ],
    [
      "action: stake, call: move, capture: { x: { amount: args.amount, of: '0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913' } }",
      [
        "RL205 18:97-18:141 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913: `0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913` has a wrong EIP-55 checksum",
      ],
    ],
    [
      "action: stake, call: move, capture: { x: { count: Movd } }",
      ["RL302 18:79-18:83 Moved: `Movd` is not in this file's abi"],
    ],
    ["action: stake, event: Moved, absorbs: [Movd]", ["RL302 18:68-18:72 Moved: `Movd` is not in this file's abi"]],
    [
      "action: stake, event: Moved, where: { addr_eq: [{ var: args.from }, pol] }",
      ["RL403 18:97-18:100 pool: `pol` is no address, role or `zero`"],
    ],
    [
      "action: stake, event: Moved, where: { addr_eqq: [{ var: args.from }, pool] }",
      ["RL402 18:67-18:75 addr_eq: `addr_eqq` is no operator"],
    ],
  ])("%s", (rule, expected) => {
    const { found } = compileRule(rule);
    expect(found).toEqual(expected);
  });
});
