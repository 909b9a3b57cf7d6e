import { describe, expect, it } from "vitest";
import schema from "../../../schemas/rule.schema.json" with { type: "json" };
import { compileTexts, placeOf } from "./rule-text.ts";

const base = `protocol: market
name: Market
kind: protocol
contracts:
  pool: { source: example book, The Pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
  other: { Market pool: { at: "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E", source: example book } }
  factory: { source: example book, Market factory: "0x420DD381b31aEf6683db6B902084cB0FFECe40Da" }
members:
  made: { registry: { contract: factory, read: isPool } }
abi:
  isPool: "function isPool(address pool) view returns (bool)"
  Moved: "event Moved(address indexed from, address indexed to, uint256 amount)"
  Denied: "error Denied(address who)"
rules:
  - id: moved
    action: stake
    anchor: { event: Moved }
    at: pool
    subject: from
    say: "move something"
`;

/** The mistakes in the file after one piece was replaced: place and sentence. */
function told(from: string, to: string): string[] {
  expect(base).toContain(from);
  const { diagnostics } = compileTexts({ market: base.replace(from, () => to) });
  return diagnostics.map((one) => `${placeOf(one)}: ${one.message}`);
}

describe("a mistake that the schema finds is one sentence at its token", () => {
  it.each<[string, string, string[]]>([
    [
      "kind: protocol",
      "kind: protocl",
      ["RL202 3:7-3:14: `protocl` stands here; one of protocol, standard, template was expected"],
    ],
    ["kind: protocol\n", "", ["RL202 1:1-1:17: `kind` is missing"]],
    ["name: Market", "name: M", ["RL202 2:7-2:8: the text has 1 character; at least 2 were expected"]],
    [
      "name: Market",
      `name: ${"M".repeat(41)}`,
      ["RL202 2:7-2:48: the text has 41 characters; at most 40 were expected"],
    ],
    [
      "name: Market",
      "site: http://example.org",
      ["RL202 2:7-2:25: `http://example.org` stands here; an address that starts with https:// was expected"],
    ],
    ["contracts:", "contract:", ["RL203 4:1-4:9 contracts: `contract` is no known field"]],
    [
      "  pool:",
      "  Pool:",
      ["RL202 5:3-5:7: `Pool` stands here; a lower-case name of letters, digits and _ was expected"],
    ],
    ['at: "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E", ', "", ["RL202 6:25-6:49: `at` is missing"]],
    [
      ", source: example book } }",
      " } }",
      ["RL202 6:31-6:75: `source` is missing: of the file, the role or this address"],
    ],
    [
      "0x420DD381b31aEf6683db6B902084cB0FFECe40Da",
      "0x420DD",
      ["RL202 7:52-7:61: `0x420DD` stands here; an address of 0x and 40 hex digits was expected"],
    ],
    [
      "registry: { contract: factory, read: isPool }",
      "",
      ["RL202 9:9-9:13: nothing stands here; at least one entry was expected"],
    ],
    [
      'Denied: "error Denied(address who)"',
      'Denied: "Denied(address who)"',
      [
        "RL202 13:11-13:32: `Denied(address who)` stands here; a signature that starts with event, function, error, step or message was expected",
      ],
    ],
    [
      "id: moved",
      "id: Moved",
      ["RL202 15:9-15:14: `Moved` stands here; a name of lower-case words and digits joined by hyphens was expected"],
    ],
    [
      "    action: stake\n",
      "    survives:\n      added-theif: what is taken beside it is told apart\n    action: stake\n",
      [
        "RL202 17:7-17:18: `added-theif` stands here; one of diverted-payment, added-theft, diverted-proceeds, taken-proceeds, added-grant, side-show, other-beneficiary, other-account was expected",
      ],
    ],
    ["    at: pool", "    att: pool", ["RL203 18:5-18:8 at: `att` is no known field"]],
    ["    action: stake\n", "", ["RL202 15:5-15:14: `action` is missing"]],
    ["    action:", "    acton:", ["RL203 16:5-16:10 action: `acton` is no known field"]],
    ["at: pool", "at: { a: 1 }", ["RL202 18:9-18:17: a mapping stands here; text or a list was expected"]],
    ["at: pool", "at: [pool, 3]", ["RL202 18:16-18:17: `3` stands here; text was expected"]],
    ["at: pool", "at: []", ["RL202 18:9-18:11: nothing stands here; at least one entry was expected"]],
    ["at: pool", "at:", ["RL202 18:8-18:8: nothing stands here; text or a list was expected"]],
    ["subject: from", "money: { gives: 3 }", ["RL202 19:21-19:22: `3` stands here; text or a mapping was expected"]],
    ["subject: from", "money: { gives: { cout: 3 } }", ["RL203 19:23-19:27 count: `cout` is no known field"]],
    [
      "subject: from",
      "money: { gives: { count: -1 } }",
      ["RL202 19:30-19:32: `-1` stands here; a number of at least 0 was expected"],
    ],
    ["subject: from", "money: { a: {} }", ["RL202 19:17-19:19: nothing stands here; at least one entry was expected"]],
    [
      "subject: from",
      "after: yes",
      ["RL202 19:12-19:15: `yes` stands here; one of others, everything, none was expected"],
    ],
    [
      "subject: from",
      "before: [a, a]",
      ["RL202 19:13-19:19: a list must NOT have duplicate items (items ## 1 and 0 are identical)"],
    ],
    [
      "anchor: { event: Moved }",
      "anchor: { event: Moved, absorbs: [Moved, { event: Moved }] }",
      ["RL202 17:46-17:62: `at` is missing"],
    ],
    [
      "anchor: { event: Moved }",
      "anchor: { event: Moved, absorbs: [{ evnt: Moved, at: pool }] }",
      ["RL202 17:39-17:64: a mapping stands here; text was expected"],
    ],
  ])("%j → %j", (from, to, expected) => {
    expect(told(from, to)).toEqual(expected);
  });

  it("and all of them are told in one run", () => {
    const text = base
      .replace("kind: protocol", "kind: x")
      .replace("at: pool", "att: pool")
      .replace("action: stake", "action: 3");
    const { diagnostics } = compileTexts({ market: text });
    expect(diagnostics.map((one) => one.code).sort()).toEqual(["RL202", "RL202", "RL203"]);
  });

  it.each<[string, string]>([
    ["0x420DD381b31aEf6683db6B902084cB0FFECe40D", "has 39 hex digits; 0x and 40 were expected"],
    ["0x420DD381b31aEf6683db6B902084cB0FFECe40Daa", "has 41 hex digits; 0x and 40 were expected"],
    ["420DD381b31aEf6683db6B902084cB0FFECe40Da", "has 40 hex digits and no 0x; 0x and 40 were expected"],
    ["0x420DD381b31aEf6683", "stands here; an address of 0x and 40 hex digits was expected"],
    ["0x420DD381b31aEf6683db", "has 20 hex digits; 0x and 40 were expected"],
    ["0x420DD381b31aEf6683d", "stands here; an address of 0x and 40 hex digits was expected"],
    ["0x420DD381b31aEf6683dg", "stands here; an address of 0x and 40 hex digits was expected"],
  ])("counts the digits of what could be an address: %s", (key, expected) => {
    const shown = key.length > 40 ? `${key.slice(0, 37)}…` : key;
    expect(told("0x420DD381b31aEf6683db6B902084cB0FFECe40Da", key)).toEqual([
      `RL202 7:52-7:${54 + key.length}: \`${shown}\` ${expected}`,
    ]);
  });

  it("shows up to forty characters of what stands there", () => {
    const shown = (length: number) => told("kind: protocol", `kind: ${"p".repeat(length)}`)[0]?.split("`")[1];
    expect([shown(40), shown(41)]).toEqual(["p".repeat(40), `${"p".repeat(37)}…`]);
  });

  it("with what the schema says about it", () => {
    const helps = (from: string, to: string) =>
      compileTexts({ market: base.replace(from, () => to) }).diagnostics.map(({ help }) => help);
    const { properties } = schema;
    expect(helps("kind: protocol\n", "")).toEqual([`\`kind\`: ${properties.kind.description}`]);
    expect(helps("kind: protocol", "kind: protocl")).toEqual([properties.kind.description]);
    expect(helps("0x420DD381b31aEf6683db6B902084cB0FFECe40Da", "0x12")).toEqual([
      "0x and 40 hex digits in EIP-55 form, in quotes.",
    ]);
  });

  it("tells a field that is not known once, with what was meant, and not that what was meant is missing", () => {
    expect(told("kind: protocol", "kinds: protocol")).toEqual(["RL203 3:1-3:6 kind: `kinds` is no known field"]);
    expect(told("kind: protocol", "knd: protocol\nkinds: protocol")).toEqual([
      "RL203 3:1-3:4 kind: `knd` is no known field",
      "RL203 4:1-4:6 kind: `kinds` is no known field",
    ]);
    expect(told("kind: protocol", "anything: protocol")).toEqual([
      "RL203 3:1-3:9: `anything` is no known field",
      "RL202 1:1-1:17: `kind` is missing",
    ]);
  });
});
