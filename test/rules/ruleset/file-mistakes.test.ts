import { describe, expect, it } from "vitest";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

describe("mistakes of a file beside its rules", () => {
  it.each<[string, string[]]>([
    [
      "members:\n  x: { registry: { contract: factry, read: isPool } }\n",
      ["RL302 10:30-10:36 factory: `factry` is no contract role of this file"],
    ],
    [
      "members:\n  x: { registry: { contract: factory, read: Moved } }\n",
      ["RL302 10:45-10:50: `Moved` is an event, a function was expected"],
    ],
    [
      "members:\n  x: { created: { contract: factory, event: Moved, argument: frm } }\n",
      ["RL303 10:62-10:65 from: `frm` is not among the arguments of `Moved`"],
    ],
    [
      'members:\n  x: { create2: { deployer: factry, init_code_hash: "0x1111111111111111111111111111111111111111111111111111111111111111", reads: [isPool] } }\n',
      ["RL302 10:29-10:35 factory: `factry` is no contract role of this file"],
    ],
    [
      "subjects: [{ event: Moved, at: pool, subject: amount }]\n",
      ["RL303 17:47-17:53: `amount` is not an address among the arguments of `Moved`"],
    ],
    [
      "accounts: [{ event: Moved, at: pool, created: amount }]\n",
      ["RL303 17:47-17:53: `amount` is not an address among the arguments of `Moved`"],
    ],
    [
      "accounts: [{ event: Movd, at: pool, created: to }]\n",
      ["RL302 17:21-17:25 Moved: `Movd` is not in this file's abi"],
    ],
    [
      "fees: [{ event: Moved, at: pool, from: frm, to: to }]\n",
      ["RL303 17:40-17:43 from: `frm` is not an address among the arguments of `Moved`"],
    ],
    [
      "fees: [{ event: Moved, at: pool, from: from, token: to, amount: from }]\n",
      ["RL303 17:65-17:69: `from` is not an integer among the arguments of `Moved`"],
    ],
    [
      "fees: [{ event: Moved, at: pool, from: from, token: to }]\n",
      ["RL303 17:8-17:57: a fee names `paid`, or `from` with `to`, or `from` with `token` and `amount`"],
    ],
    [
      "fees: [{ event: Movd, at: pool, from: from, to: to }]\n",
      ["RL302 17:17-17:21 Moved: `Movd` is not in this file's abi"],
    ],
    [
      "unwrap: [{ id: u, call: push, inner: { to: args.to, data: args.to } }]\n",
      ["RL304 17:59-17:66: `args.to` is address, bytes was expected"],
    ],
    [
      "unwrap: [{ id: u, call: push, inner: { to: item.to, data: args.data } }]\n",
      ["RL303 17:44-17:51: `item.to` names nothing"],
    ],
    [
      "unwrap: [{ id: u, call: push, each: args.data, inner: { to: args.to, data: args.data } }]\n",
      ["RL304 17:37-17:46: `args.data` is bytes, array was expected"],
    ],
    [
      'unwrap: [{ id: u, call: push, each: { decode: args.data, as: "(addres to)" }, inner: { to: args.to, data: args.data } }]\n',
      ["RL301 17:62-17:75: the type list does not parse: Unknown type."],
    ],
    [
      'unwrap: [{ id: u, call: push, each: { packed: args.data, layout: "uint8" }, inner: { to: args.to, data: args.data } }]\n',
      ["RL312 17:66-17:73: the packed layout does not parse"],
    ],
    [
      "unwrap: [{ id: u, call: push, inner: { to: args.to, data: args.data }, proof: { event: Moved, join: { frm: args.to } } }]\n",
      ["RL303 17:108-17:115 from: `frm` is not among the arguments of `Moved`"],
    ],
    [
      "unwrap: [{ id: u, call: push, inner: { to: args.to, data: args.data }, when: { var: args.to } }]\n",
      ["RL403 17:85-17:92: `args.to` is address, a condition needs a bool"],
    ],
    [
      "unwrap: [{ id: u, call: push, each: args.data }]\n",
      ["RL304 17:37-17:46: `args.data` is bytes, array was expected"],
    ],
    ["unwrap: [{ id: u, call: push }]\n", ["RL315 17:10-17:31: `inner` says where the calls are"]],
    [
      "steps: { t: { of: { '0x01': push } } }\nunwrap: [{ id: u, call: push, each: { steps: tt, codes: args.data, inputs: args.data } }]\n",
      [
        "RL304 18:76-18:85: `args.data` is bytes, array was expected",
        "RL302 18:46-18:48 t: `tt` is no table of this file's steps",
      ],
    ],
    [
      "steps: { t: { of: { '0x01': pusch } } }\nunwrap: [{ id: u, call: push, each: { step: pusch, input: args.data } }]\n",
      ["RL302 18:45-18:50 push: `pusch` is not in this file's abi"],
    ],
    [
      "unwrap: [{ id: u, call: push, each: { step: push, input: args.to } }]\n",
      ["RL304 17:58-17:65: `args.to` is address, bytes was expected"],
    ],
    [
      "unwrap: [{ id: u, call: push, inner: { to: args.to, data: args.data }, bubbles: { var: args.to } }]\n",
      ["RL403 17:88-17:95: `args.to` is address, a condition needs a bool"],
    ],
  ])("%s", (rest, expected) => {
    const file = marketFile(rest.startsWith("members:") ? "" : rest);
    const text = rest.startsWith("members:") ? file.replace("members:\n", rest) : file;
    const { diagnostics } = compileTexts({ market: text });
    expect(diagnostics.map((one) => `${placeOf(one)}: ${one.message}`)).toEqual(expected);
  });
});

it("the contract that a step calls is asked for its checksum", () => {
  const program = "unwrap: [{ id: u, call: run, each: { steps: t, codes: args.codes, inputs: args.inputs } }]\n";
  const text = marketFile(
    `steps: { t: { of: { '0x01': { call: '0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913' } } } }\n${program}`,
  ).replace('  push: "', '  run: "function run(bytes codes, bytes[] inputs)"\n  push: "');
  const { diagnostics } = compileTexts({ market: text });
  expect(diagnostics.map((one) => `${one.code} ${one.suggest}`)).toEqual([
    "RL205 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  ]);
});
