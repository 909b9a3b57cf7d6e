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
      `wrappers: [{ id: u, call: push, at: any, inner: { to: to, data: to } }]\n`,
      ["RL304 17:65-17:67: `args.to` is address, bytes was expected"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, inner: { to: item.to, data: data } }]\n`,
      ["RL303 17:55-17:62: `item.to` names nothing"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, each: data, inner: { to: to, data: data } }]\n`,
      ["RL304 17:48-17:52: `args.data` is bytes, array was expected"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, each: { decode: data, as: "(addres to)" }, inner: { to: to, data: data } }]\n`,
      ["RL301 17:68-17:81: the type list does not parse: Unknown type."],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, each: { packed: data, layout: "uint8" }, inner: { to: to, data: data } }]\n`,
      ["RL312 17:72-17:79: the packed layout does not parse"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, inner: { to: to, data: data }, proof: { event: Moved, join: { frm: to } } }]\n`,
      ["RL303 17:109-17:111 from: `frm` is not among the arguments of `Moved`"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, inner: { to: to, data: data }, when: { var: to } }]\n`,
      ["RL403 17:86-17:88: `args.to` is address, a condition needs a bool"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, each: data }]\n`,
      ["RL304 17:48-17:52: `args.data` is bytes, array was expected"],
    ],
    [`wrappers: [{ id: u, call: push, at: any }]\n`, ["RL315 17:12-17:42: `inner` says where the calls are"]],
    [
      `programs: { t: { of: { '0x01': push } } }\nwrappers: [{ id: u, call: push, at: any, each: { steps: tt, codes: data, inputs: data } }]\n`,
      [
        "RL304 18:82-18:86: `args.data` is bytes, array was expected",
        "RL302 18:57-18:59 t: `tt` is no table of this file's steps",
      ],
    ],
    [
      `programs: { t: { of: { '0x01': pusch } } }\nwrappers: [{ id: u, call: push, at: any, each: { step: pusch, input: data } }]\n`,
      ["RL302 18:56-18:61 push: `pusch` is not in this file's abi"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, each: { step: push, input: to } }]\n`,
      ["RL304 17:69-17:71: `args.to` is address, bytes was expected"],
    ],
    [
      `wrappers: [{ id: u, call: push, at: any, inner: { to: to, data: data }, bubbles: { var: to } }]\n`,
      ["RL403 17:89-17:91: `args.to` is address, a condition needs a bool"],
    ],
  ])("%s", (rest, expected) => {
    const file = marketFile(rest.startsWith("members:") ? "" : rest);
    const text = rest.startsWith("members:") ? file.replace("members:\n", rest) : file;
    const { diagnostics } = compileTexts({ market: text });
    expect(diagnostics.map((one) => `${placeOf(one)}: ${one.message}`)).toEqual(expected);
  });
});

it("the contract that a step calls is asked for its checksum", () => {
  const program = `wrappers: [{ id: u, call: run, at: any, each: { steps: t, codes: codes, inputs: inputs } }]\n`;
  const text = marketFile(
    `programs: { t: { of: { '0x01': { call: '0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913' } } } }\n${program}`,
  ).replace('  push: "', '  run: "function run(bytes codes, bytes[] inputs)"\n  push: "');
  const { diagnostics } = compileTexts({ market: text });
  expect(diagnostics.map((one) => `${one.code} ${one.suggest}`)).toEqual([
    "RL205 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  ]);
});
