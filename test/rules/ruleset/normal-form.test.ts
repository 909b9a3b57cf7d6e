import { describe, expect, it } from "vitest";
import { compileTexts, placeOf } from "./rule-text.ts";

const head = `protocol: market
name: Market
kind: protocol
source: example book
contracts:
  pool: { The Pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", Market pool: "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E" }
  user: { A role with the name of an argument: "0x420DD381b31aEf6683db6B902084cB0FFECe40Da" }
abi:
  Supply: "event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint256 target)"
  supply: "function supply(address asset, uint256 amount, address onBehalfOf)"
rules:
`;
const rule = (...lines: string[]) => `${head}  - id: supply\n${lines.map((line) => `    ${line}\n`).join("")}`;
const usual = ["action: lending_supply", "anchor: { event: Supply }", "at: pool", "subject: [onBehalfOf, user]"];
const paid = "money: { paid: { token: reserve, from: args.user, amount: amount }, rest: any }";

function normalOf(text: string) {
  const { files, diagnostics } = compileTexts({ market: text });
  expect(diagnostics.map((one) => `${placeOf(one)} ${one.message}`)).toEqual([]);
  return files.find(({ source }) => source.file === "rules/market.yaml")?.document;
}

function told(text: string): string[] {
  return compileTexts({ market: text }).diagnostics.map((one) => `${placeOf(one)}: ${one.message}`);
}

describe("a rule in the normal form", () => {
  it("has its names and its sentence written out", () => {
    const when =
      'when: { and: [{ ">": [{ var: amount }, "0"] }, { "!=": [{ var: amount }, max] }, { not_subject: reserve }] }';
    const text = rule(...usual, paid, when, 'say: "supply {paid} to {protocol}[ for {onBehalfOf}]"', "tried: supply");
    const [normal] = normalOf(text)?.rules ?? [];
    expect(normal).toEqual({
      ...{ id: "supply", action: "lending_supply", event: "Supply", at: "pool", who: ["args.onBehalfOf", "args.user"] },
      flow: { gives: "any", gets: "any" },
      legs: { paid: { token: "args.reserve", from: "args.user", amount: "args.amount" } },
      where: {
        and: [
          { ">": [{ var: "args.amount" }, "0"] },
          { "!=": [{ var: "args.amount" }, (2n ** 256n - 1n).toString()] },
          { "!": { "==": [{ var: "args.reserve" }, { var: "subject" }] } },
        ],
      },
      capture: { paid: { amount: "args.amount", of: "args.reserve" }, on_behalf_of: { other: "args.onBehalfOf" } },
      does: "supply {paid} to {protocol}[ for {on_behalf_of}]",
      attempts: ["supply"],
    });
  });

  it("has what the rule that it is like says, entry by entry, without what `none` takes away", () => {
    const text = `${rule(...usual, paid, 'say: "supply {paid} to {protocol}"', "tried: supply", "before: [market/other]")}  - id: supply-for
    like: supply
    subject: user
    money: { paid: { token: reserve, amount: amount }, rest: none, gives: some }
    tried: none
`;
    const [, normal] = normalOf(text)?.rules ?? [];
    expect(normal).toMatchObject({ id: "supply-for", event: "Supply", who: "args.user", flow: { gives: "some" } });
    expect(normal).toMatchObject({ legs: { paid: { token: "args.reserve", amount: "args.amount" } } });
    expect([normal?.attempts, normal?.overrides]).toEqual([undefined, ["market/other"]]);
  });

  it("tells one value of an event and of its call by alternatives", () => {
    const say = 'say: "supply {amount of reserve/asset} to {protocol}"';
    const [normal] = normalOf(rule(...usual, paid, say, "tried: supply"))?.rules ?? [];
    expect(normal?.capture).toEqual({ amount: { amount: "args.amount", of: "args.reserve" } });
    expect(normal?.attempts).toEqual([
      { call: "supply", capture: { amount: { amount: "args.amount", of: "args.asset" } } },
    ]);
  });

  it("reads a leg from the act, also where an attempt fills its place", () => {
    const tried = "tried: [{ call: supply, values: { paid: amount of asset } }]";
    const [normal] = normalOf(rule(...usual, paid, 'say: "supply {paid} to {protocol}"', tried))?.rules ?? [];
    expect(normal?.capture).toEqual({ paid: { amount: "args.amount", of: "args.reserve" } });
    expect(normal?.attempts).toEqual([
      { call: "supply", capture: { paid: { amount: "args.amount", of: "args.asset" } } },
    ]);
  });

  it("has contracts by their addresses, each with its label", () => {
    expect(normalOf(rule(...usual, 'say: "supply it"'))?.contracts?.pool).toEqual([
      { address: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", label: "The Pool", source: ["example book"] },
      { address: "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E", label: "Market pool", source: ["example book"] },
    ]);
  });
});

describe("a mistake of a name", () => {
  it.each<[string, string[], string]>([
    ["that nothing has", ['say: "supply {amout of reserve}"'], "RL501 17:19-17:35 amount: `amout` names nothing here"],
    [
      "that two things have",
      ['say: "supply {target as id}"'],
      "RL501 17:19-17:31: `target` means two things here; `args.target` was expected",
    ],
    [
      "that a role has too",
      ["money: { paid: { from: user } }", 'say: "supply it"'],
      "RL303 17:20-17:34: `user` is a role and an argument; `contracts.user` or `args.user` was expected",
    ],
    [
      "of an alternative that no anchor has",
      ['say: "supply {amount of reserve/aset}"', "tried: supply"],
      "RL303 17:10-17:43: `aset` is no argument of the anchor or of a call that is tried",
    ],
    [
      "of a number without a format",
      ['say: "supply {amount}"'],
      "RL501 17:19-17:25: `amount` has no format of its own; `amount of TOKEN`, or `as id`, `count`, `time`, `duration`, `percent` or `chain` was expected",
    ],
    [
      "in a condition",
      ['when: { ">": [{ var: amont }, "0"] }', 'say: "supply it"'],
      "RL401 17:26-17:31 amount: `amont` names nothing here",
    ],
    [
      "of an operator of version 2",
      ['when: { uint_gt: [{ var: amount }, "0"] }', 'say: "supply it"'],
      "RL402 17:13-17:20 >: `uint_gt` is no operator",
    ],
    [
      "in place of a number",
      ['when: { ">": [amount, "0"] }', 'say: "supply it"'],
      "RL403 17:18-17:31: `amount` is plain text here; `{ var: amount }` reads the argument",
    ],
    [
      "by a list in place of a number",
      ['when: { ">": [[{ var: amount }], "0"] }', 'say: "supply it"'],
      "RL403 17:19-17:36: a string, an integer, a bool or a `var` was expected",
    ],
    [
      "`same`, where the anchor has no call",
      ['say: "supply it"', "tried: same"],
      "RL303 18:12-18:16: `same` means the calls of the anchor, and there are none",
    ],
  ])("%s is told where it stands", (_, lines, expected) => {
    expect(told(rule(...usual, ...lines))).toEqual([expected]);
  });

  it("a call as a second anchor is told, and what was meant", () => {
    expect(told(rule(...usual.with(1, "anchor: { event: Supply, call: supply }"), 'say: "supply it"'))).toEqual([
      "RL612 14:36-14:42 within: `call` has no effect: `event` is the anchor of this rule",
    ]);
  });

  it("`none` for what is not there, and a rule that is no rule, are told", () => {
    const text = (more: string) => `${rule(...usual, 'say: "supply it"')}  - { id: b, ${more} }\n`;
    expect(told(text("like: supply, tried: none"))).toEqual([
      "RL216 18:35-18:39: `supply` says nothing here that `none` could take away",
    ]);
    expect(told(text("like: suply"))).toEqual(["RL216 18:20-18:25 supply: `suply` is no rule of this file"]);
  });

  it("of the compiler is found in the author's text", () => {
    expect(told(rule(...usual, 'say: "supply {user of reserve}"'))).toEqual([
      "RL304 17:19-17:34: `args.user` is address, uint or int was expected",
    ]);
    expect(told(rule(...usual.with(3, "subject: amount"), 'say: "supply it"'))).toEqual([
      "RL304 16:14-16:20: `args.amount` is uint, address or bytes was expected",
    ]);
    expect(told(rule(...usual.with(2, "at: pol"), 'say: "supply it"'))[0]).toMatch(/^RL302 15:9-15:12 pool:/);
  });
});

describe("a file of version 2", () => {
  it("is refused once, with the lines to write", () => {
    const text = `protocol: market
name: Market
kind: protocol
contracts:
  pool: { "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": The Pool }
rules:
  - { id: a, action: stake, call: move, at: pool, flow: { gives: any }, does: "do it" }
`;
    const { diagnostics } = compileTexts({ market: text });
    expect(diagnostics.map((one) => `${placeOf(one)}: ${one.message}`)).toEqual([
      "RL203 5:11-5:55: an address as a key is a word of version 2 of the rule language; version 3 was expected",
    ]);
    for (const line of ["`anchor: { call: f }`", "`money: { gives: …, gets: … }`", '`Label: "0x…"`'])
      expect(diagnostics[0]?.help).toContain(line);
  });
});
