import { describe, expect, it } from "vitest";
import { tierRank } from "../../src/ruleset/actions.ts";
import { specificityText } from "../../src/ruleset/precedence.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

function compile(rule: string, kind: "protocol" | "standard" = "protocol") {
  const { ruleset, diagnostics } = compileTexts({
    market: marketFile(`rules:\n  - { id: a, does: "do it", ${rule} }\n`, kind),
  });
  return { rules: ruleset.rules, found: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`) };
}

function standing(rule: string): [number, string][] {
  const { rules, found } = compile(rule);
  expect(found).toEqual([]);
  return rules.map((one) => [one.tier, specificityText(one.specificity)]);
}

const protocol = tierRank("protocol");
const flow = tierRank("flow");

describe("standing is read off the rule", () => {
  it.each<[string, [number, string][]]>([
    ["action: stake, event: Moved, at: pool", [[protocol, "320"]]],
    ["action: stake, event: Moved, at: pool, call: move", [[protocol, "330"]]],
    ["action: stake, event: Moved, at: made", [[protocol, "220"]]],
    ["action: stake, event: Moved, at: [pool, made]", [[protocol, "220"]]],
    ["action: stake, event: Moved, at: moved", [[protocol, "120"]]],
    ["action: stake, event: Moved, at: any", [[flow, "020"]]],
    ["action: stake, event: Moved", [[flow, "020"]]],
    ["action: stake, event: Moved, at: any, call: move, call_at: pool", [[protocol, "330"]]],
    ["action: stake, call: move, at: pool", [[protocol, "310"]]],
    [
      "action: stake, call: [move, push], at: pool",
      [
        [protocol, "310"],
        [protocol, "310"],
      ],
    ],
    ["action: stake, call: any, at: pool", [[protocol, "300"]]],
    ["action: stake, transfer: { to: pool }", [[protocol, "310"]]],
    ["action: stake, flow: { gives: some }", [[flow, "000"]]],
    ["action: wrap, flow: { gives: some }", [[tierRank("flow"), "000"]]],
    [
      "action: stake, event: Moved, at: pool, legs: { x: { from: subject }, y: { to: pool, optional: true } }",
      [[protocol, "321"]],
    ],
    ["action: stake, event: Moved, at: pool, where: { uint_gt: [{ var: args.amount }, '1'] }", [[protocol, "320"]]],
    [
      "action: stake, event: Moved, at: pool, attempts: move",
      [
        [protocol, "310"],
        [protocol, "320"],
      ],
    ],
    [
      "action: stake, event: Moved, at: pool, attempts: [{ call: any, at: any }]",
      [
        [flow, "000"],
        [protocol, "320"],
      ],
    ],
  ])("%s", (rule, expected) => {
    expect(standing(rule).sort((a, b) => Number(a[1]) - Number(b[1]))).toEqual(expected);
  });

  it("and attempts say what was tried", () => {
    const { rules } = compile("action: stake, event: Moved, at: pool, attempts: [move, push]");
    const attempts = rules.filter((rule) => rule.status === "reverted");
    expect(attempts.map(({ id, does, attempt }) => [id, does.text, attempt])).toEqual([
      ["market/a", "do it", 0],
      ["market/a", "do it", 1],
    ]);
  });

  it("and a version changes with what the rule says, not with its examples or its neighbours", () => {
    const version = (rest: string) =>
      compileTexts({ market: marketFile(rest) })
        .ruleset.rules.find((rule) => rule.id === "market/a")
        ?.version();
    const one = 'rules:\n  - { id: a, action: stake, call: move, at: pool, does: "do it" }\n';
    const neighbour = '  - { id: b, action: stake, call: push, at: pool, does: "do it" }\n';
    expect(version(one)).toMatch(/^[0-9a-f]{12}$/);
    expect(version(`${one}${neighbour}examples: [{ given: {}, not: a }]\n`)).toBe(version(one));
    expect(version(one.replace("do it", "do that"))).not.toBe(version(one));
  });
});

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
      ["RL304 18:63-18:74: `args.amount` is uint, address was expected"],
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
    const { found } = compile(rule);
    expect(found).toEqual(expected);
  });

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
      ["RL303 17:8-17:57: a fee names `to`, or both `token` and `amount`"],
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

describe("a set of files", () => {
  const rule = (id: string) => `rules:\n  - { id: ${id}, action: stake, call: move, at: pool, does: "do it" }\n`;

  it("leaves out a file with a mistake, and only that", () => {
    const broken = marketFile(rule("b")).replace("protocol: market", "protocol: broken").replace("at: pool", "at: pol");
    const { ruleset, diagnostics } = compileTexts({ market: marketFile(rule("a")), broken });
    expect(ruleset.rules.map((one) => one.id)).toEqual(["market/a"]);
    expect([...new Set(diagnostics.map((one) => one.file))]).toEqual(["rules/broken.yaml"]);
  });

  it("drops custom errors that two files spell differently under one selector, and keeps the others", () => {
    const { ruleset } = compileTexts({ market: marketFile("") });
    expect([...ruleset.errors.values()].map((error) => error.signature)).toEqual(["Denied(address)"]);
  });

  it("names its contracts: by label, else by protocol and role", () => {
    const { ruleset } = compileTexts({ market: marketFile("") });
    expect(ruleset.names.map((name) => [name.label, name.category])).toEqual([
      ["Market factory", "market"],
      ["Market pool", "market"],
      ["The Pool", "market"],
    ]);
  });

  it("has a fingerprint that follows what files say", () => {
    const print = (text: string) => compileTexts({ market: text }).ruleset.fingerprint;
    const text = marketFile(rule("a"));
    expect(print(`# a comment\n${text}`)).toBe(print(text));
    expect(
      print(text.replace("kind: protocol\n", "").replace("name: Market\n", "kind: protocol\nname: Market\n")),
    ).toBe(print(text));
    expect(print(text.replace("do it", "do that"))).not.toBe(print(text));
  });

  it("without an action table knows no action", () => {
    const found = compileTexts({ market: marketFile(rule("a")) });
    expect(found.ruleset.actions.size).toBeGreaterThan(30);
    expect(found.ruleset.actions.get("swap")?.tier).toBe("protocol");
  });
});
