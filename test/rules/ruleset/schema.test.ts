import { describe, expect, it } from "vitest";
import schema from "../../../schemas/rule.schema.json" with { type: "json" };
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const base = marketFile(`rules:
  - id: moved
    action: stake
    event: Moved
    at: pool
    who: args.from
    does: "move something"
`);

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
    ["label: The Pool, source: example book", "", ["RL202 6:51-6:55: `label` is missing"]],
    [", source: example book }", " }", ["RL202 6:5-6:49: `source` is missing: of the file, the role or this address"]],
    [
      "0x420DD381b31aEf6683db6B902084cB0FFECe40Da",
      "0x420DD",
      ["RL202 8:36-8:45: `0x420DD` stands here; an address of 0x and 40 hex digits was expected"],
    ],
    [
      "registry: { contract: factory, read: isPool }",
      "",
      ["RL202 10:9-10:13: nothing stands here; at least one entry was expected"],
    ],
    [
      'Denied: "error Denied(address who)"',
      'Denied: "Denied(address who)"',
      [
        "RL202 16:11-16:32: `Denied(address who)` stands here; a signature that starts with event, function, error, step or message was expected",
      ],
    ],
    [
      "id: moved",
      "id: Moved",
      ["RL202 18:9-18:14: `Moved` stands here; a name of lower-case words and digits joined by hyphens was expected"],
    ],
    [
      "    action: stake\n",
      "    survives:\n      added-theif: what is taken beside it is told apart\n    action: stake\n",
      [
        "RL202 20:7-20:18: `added-theif` stands here; one of diverted-payment, added-theft, diverted-proceeds, taken-proceeds, added-grant, side-show, other-beneficiary, other-account was expected",
      ],
    ],
    ["    at: pool", "    att: pool", ["RL203 21:5-21:8 at: `att` is no known field"]],
    ["    action: stake\n", "", ["RL202 18:5-18:14: `action` is missing"]],
    ["    action:", "    acton:", ["RL203 19:5-19:10 action: `acton` is no known field"]],
    ["at: pool", "at: { a: 1 }", ["RL202 21:9-21:17: a mapping stands here; text or a list was expected"]],
    ["at: pool", "at: [pool, 3]", ["RL202 21:16-21:17: `3` stands here; text was expected"]],
    ["at: pool", "at: []", ["RL202 21:9-21:11: nothing stands here; at least one entry was expected"]],
    ["at: pool", "at:", ["RL202 21:8-21:8: nothing stands here; text or a list was expected"]],
    ["who: args.from", "flow: { gives: 3 }", ["RL202 22:20-22:21: `3` stands here; text or a mapping was expected"]],
    ["who: args.from", "flow: { gives: { cout: 3 } }", ["RL203 22:22-22:26 count: `cout` is no known field"]],
    [
      "who: args.from",
      "flow: { gives: { count: -1 } }",
      ["RL202 22:29-22:31: `-1` stands here; a number of at least 0 was expected"],
    ],
    ["who: args.from", "legs: { a: {} }", ["RL202 22:16-22:18: nothing stands here; at least one entry was expected"]],
    ["who: args.from", "yields: yes", ["RL202 22:13-22:16: `yes` stands here; true or false was expected"]],
    [
      "who: args.from",
      "overrides: [a, a]",
      ["RL202 22:16-22:22: a list must NOT have duplicate items (items ## 1 and 0 are identical)"],
    ],
    ["who: args.from", "absorbs: [Moved, { event: Moved }]", ["RL202 22:22-22:38: `at` is missing"]],
    ["who: args.from", "absorbs: [{ evnt: Moved, at: pool }]", ["RL203 22:17-22:21 event: `evnt` is no known field"]],
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
      `RL202 8:36-8:${38 + key.length}: \`${shown}\` ${expected}`,
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
      "Compare the key with its source: it may be cut off, or a letter may be wrong.",
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
