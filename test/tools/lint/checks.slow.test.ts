import { toEventSelector, toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { lintTexts, markedText, placeOf } from "./lint-text.ts";

function file(body: string, members = ""): string {
  return `protocol: market
name: Market
kind: protocol
site: https://example.org
contracts:
  pool: { source: ex/book@0123456:A.md, Market pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
${members}abi:
  Moved: "event Moved(address indexed from, address indexed to, uint256 amount, uint8 side, string memo)" # 0x${"00".repeat(32)}
  move: "function move(uint256 amount)" # 0xa9059cbb: transfer, not this
  isPool: "function isPool(address pool) view returns (bool)"
rules:
  - id: a
    action: stake
    anchor: { event: Moved }
    at: pool
    subject: from
${body}`;
}

function told(body: string, wanted: RegExp, members = ""): [string, string, string | undefined][] {
  const text = file(body, members);
  return lintTexts({ market: text })
    .filter((one) => wanted.test(one.code))
    .map((one) => [one.code, markedText(text, one), one.suggest]);
}

const plain = `    say: "do it"\n`;

describe("sentences", () => {
  it.each<[string, [string, string, string | undefined][]]>([
    [
      "give {amuont} to {othrs}",
      [
        ["RL501", "amuont", "amount"],
        ["RL501", "othrs", "others"],
      ],
    ],
    ["give {amount as ful}", [["RL501", "amount as ful", undefined]]],
    ["give {amount.full}", [["RL501", "amount.full", undefined]]],
    ["give {amount", [["RL501", "{", undefined]]],
    [
      "give }{ {amount}",
      [
        ["RL501", "}", undefined],
        ["RL501", "{", undefined],
      ],
    ],
    ["give {Amount}", [["RL501", "Amount", "amount"]]],
    [
      "give <b>{amount}</b>",
      [
        ["RL505", "b", undefined],
        ["RL503", "<", undefined],
        ["RL503", ">", undefined],
      ],
    ],
    [
      "give `{amount}`_",
      [
        ["RL503", "`", undefined],
        ["RL503", "`", undefined],
        ["RL503", "_", undefined],
      ],
    ],
    ["give {amount}!", [["RL503", "!", undefined]]],
    ["{subject} give {amount}", [["RL504", "{subject}", undefined]]],
    ["{amount} to {others}", [["RL505", "{amount}", undefined]]],
    ["gave {amount}", [["RL505", "gave", "give"]]],
    ["supplied {amount}", [["RL505", "supplied", "supply"]]],
    ["commandeer {amount} and <visit> it", [["RL505", "visit", undefined]]],
    ["give <{amount}>", [["RL505", "amount", undefined]]],
    ["give[ {amount}", [["RL501", "[", undefined]]],
    ["give ]{amount}", [["RL501", "]", undefined]]],
    ["give {amount} a|b", [["RL501", "|", undefined]]],
    [
      "give [{amount} [to]]",
      [
        ["RL501", "[", undefined],
        ["RL501", "]", undefined],
      ],
    ],
    ["give {amount}[ gladly]", [["RL501", "[ gladly]", undefined]]],
    ["give {amount}[ to {others}| in full {gets}]", []],
    ["give {amount} (half of it) at 5.5%, on 1 or more", []],
  ])("%s", (summary, expected) => {
    const body = `    values: { amount: { amount: amount, of: native } }\n    say: "${summary}"\n`;
    expect(told(body, /^RL50[1345]$/)).toEqual(expected);
  });

  it("with escapes are marked where the source has them", () => {
    const text = file('    say: "do \\u202e it\\n on {nothing}"\n');
    const found = lintTexts({ market: text }).filter((one) => /^RL50[13]/.test(one.code));
    expect(found.map((one) => [one.code, markedText(text, one)])).toEqual([
      ["RL503", "\\u202e"],
      ["RL503", "\\n"],
      ["RL501", "nothing"],
    ]);
  });

  it("of one rule say nothing about another's captures", () => {
    const body = `    values: { amount: { amount: amount, of: native } }\n${plain}  - { id: b, action: stake, anchor: { call: move }, at: pool, say: "give {amount}" }\n`;
    expect(told(body, /^RL501$/)).toEqual([["RL501", "amount", undefined]]);
  });
});

describe("captures", () => {
  it.each<[string, [string, string, string | undefined][]]>([
    ["{ of: native }", [["RL313", "{ of: native }", undefined]]],
    ["{ token: emitter, address: emitter }", [["RL313", "token", undefined]]],
    ["{ nft: emitter }", [["RL313", "{ nft: emitter }", undefined]]],
    ["{ enum: side }", [["RL313", "{ enum: side }", undefined]]],
    ["{ integer: side, scale: '100' }", [["RL313", "scale", undefined]]],
    ["{ chain: side, scheme: lz_ied }", [["RL314", "lz_ied", undefined]]],
    ["{ enum: side, values: { 0: buy } }", []],
    ["{ nft: emitter, id: amount }", []],
    [`{ count: Moved, at: pool, where: { ">": [{ var: amount }, '0'] } }`, []],
    ["{ const: something }", []],
    ["{ flow: gets }", []],
  ])("%s", (capture, expected) => {
    const found = told(`    values: { x: ${capture} }\n    say: "give {x}"\n`, /^RL31[34]$/);
    // Without a file of chains there is nothing to compare a scheme with.
    expect(found).toEqual(expected.filter(([code]) => code !== "RL314"));
  });
});

describe("facts of a file", () => {
  it("selectors and topics in comments are compared with the signatures", () => {
    const hashes = ["Moved(address,address,uint256,uint8,string)", "move(uint256)"];
    expect(told(plain, /^RL307$/)).toEqual([
      ["RL307", `0x${"00".repeat(32)}`, toEventSelector(hashes[0] as string)],
      ["RL307", "0xa9059cbb", toFunctionSelector(hashes[1] as string)],
    ]);
  });

  it("members and items that nothing uses are noted; what examples call is used", () => {
    const members = "members:\n  made: { registry: { contract: pool, read: isPool } }\n";
    const examples = "examples:\n  - { name: a call, given: { to: pool, call: { move: {} } }, not: a }\n";
    expect(told(plain, /^RL506$/, members)).toEqual([
      ["RL506", "made", undefined],
      ["RL506", "move", undefined],
    ]);
    expect(told(plain + examples, /^RL506$/)).toEqual([["RL506", "isPool", undefined]]);
  });

  it("addresses in conditions and examples have right capitals or none", () => {
    const right = "0x420DD381b31aEf6683db6B902084cB0FFECe40Da";
    const wrong = right.replace("DD", "dd");
    const body = `    when: { in: [{ var: to }, ["${right}", "${wrong}", "${right.toLowerCase()}"]] }\n${plain}`;
    expect(told(body, /^RL205$/)).toEqual([["RL205", `"${wrong}"`, right]]);
  });

  it("the same example twice is one too many, under any name", () => {
    const one = "{ given: { to: pool }, not: a, name: first }";
    const two = "{ name: second, not: a, given: { to: pool } }";
    expect(told(`${plain}examples: [${one}, ${two}]\n`, /^RL603$/)).toEqual([["RL603", "{ to: pool }", undefined]]);
    expect(told(`${plain}examples: [${one}, ${two.replace("pool }", "bob }")}]\n`, /^RL603$/)).toEqual([]);
  });
});

describe("whole sets", () => {
  const file = (protocol: string, body: string) => `protocol: ${protocol}\nname: ${protocol}\nkind: standard\n${body}`;
  const unwrap = (when: string) =>
    `abi:\n  run: "function run(bytes32 mode, address to, bytes data)"\nwrappers:\n  - { id: one, call: run, at: any, ${when} inner: { to: to, data: data } }\n`;

  it("unwrappers of two files for one call are told apart by their conditions", () => {
    const mode = (byte: string) => `when: { starts: [{ var: mode }, "0x${byte}"] },`;
    const codes = (one: string, two: string) =>
      lintTexts({ one: file("one", unwrap(one)), two: file("two", unwrap(two)) }).map(placeOf);
    expect(codes("", "")).toEqual(["RL706 7:11-7:14", "RL706 7:11-7:14"]);
    expect(codes(mode("00"), "")).toHaveLength(2);
    expect(codes(mode("00"), mode("01"))).toEqual([]);
  });

  it("one address has one label in all files", () => {
    const contract = (label: string) =>
      `source: ex/book@0123456:A.md\ncontracts:\n  pool: { ${label}: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }\n`;
    const codes = (one: string, two: string) =>
      lintTexts({ one: file("one", contract(one)), two: file("two", contract(two)) }).map(
        ({ code, file }) => `${code} ${file}`,
      );
    expect(codes("Pool", "Pool")).toEqual([]);
    expect(codes("Pool", "Another pool")).toEqual(["RL707 rules/two.yaml"]);
  });

  it("one id belongs to one rule, and one to one unwrapper", () => {
    const twice = unwrap("").replace(/ {2}- .*\n/, (line) => line + line.replace(" inner", " suffix: 1, inner"));
    expect(
      lintTexts({ one: file("one", twice) })
        .filter((one) => one.code === "RL208")
        .map(placeOf),
    ).toEqual(["RL208 8:11-8:14"]);
  });
});
