import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lintTexts, markedText, marketHeadWith } from "./lint-text.ts";

const routers = `  router: { One router: "0xa0d9C1E9E48Ca30c8d8C3B5D69FF5dc1f6DFfC24", Other router: "0x8be473dCfA93132658821E67CbEB684ec8Ea2E74" }
`;

/** A rule with this condition. Its captures are added to the amount. */
function fileWith(where: string, capture = ""): string {
  return `# yaml-language-server: $schema=../../schemas/rule.schema.json
${marketHeadWith(routers)}  Paid: "event Paid(address indexed user, address token, uint256 amount, uint8 mode, int24 tick, bool open, address to)"
rules:
  - id: paid
    action: lending_supply
    anchor: { event: Paid }
    at: pool
    subject: user
    when: ${where}
    values:
      amount: { amount: amount, of: token }
${capture}    say: "supply {amount} to {protocol}${capture === "" ? "" : "[ {value}]"}"
    example:
      to: pool
      logs: [{ Paid: { at: pool, user: alice, token: USDC, amount: "5000000", mode: 2, tick: -3, open: true, to: bob } }]
`;
}

/** The parts of a condition that are marked as saying nothing, and why. */
function idle(where: string): string[] {
  const text = fileWith(where);
  return lintTexts({ market: text }).flatMap((one) => {
    return one.code === "RL404" ? `${markedText(text, one)}: ${one.message}` : [];
  });
}

describe("a condition that says nothing", () => {
  it.each([
    ['{ ">=": [{ var: mode }, "0"] }', "holds for every uint8"],
    ['{ "<=": [{ var: mode }, "255"] }', "holds for every uint8"],
    ['{ "<": [{ var: mode }, "0"] }', "holds for no uint8"],
    ['{ ">": [{ var: mode }, "255"] }', "holds for no uint8"],
    ['{ "==": [{ var: mode }, "256"] }', "holds for no uint8"],
    ["{ in: [{ var: mode }, [256, 300]] }", "holds for no uint8"],
    ['{ "<": [{ var: tick }, "-8388608"] }', "holds for no int24"],
    ['{ "<=": [{ var: tick }, "8388607"] }', "holds for every int24"],
  ])("%s: it %s", (where, why) => {
    const [, path] = /var: ([\w.]+)/.exec(where) ?? [];
    expect(idle(where)).toEqual([`${where}: the condition on \`args.${path}\` ${why}, so that it says nothing`]);
    const negated = `{ "!": ${where} }`;
    expect(idle(negated)).toEqual([`${where}: the condition on \`args.${path}\` ${why}, so that it says nothing`]);
  });

  it.each([
    ['{ "==": [{ var: to }, { var: to }] }', "`args.to` is compared with itself"],
    [
      '{ "==": [{ var: to }, router] }',
      "`router` has several addresses, of which `==` takes the first; `in` was expected",
    ],
    ["[{ var: open }, { var: open }]", "a condition stands twice in one list; once was expected"],
    ["{ or: [{ var: open }, { var: open }] }", "a condition stands twice in one list; once was expected"],
  ])("%s", (where, message) => {
    expect(idle(where).map((one) => one.split(": ").at(-1))).toEqual([message]);
  });

  it.each([
    '{ "<": [{ var: mode }, "255"] }',
    "{ in: [{ var: mode }, [2, 300]] }",
    '{ "<": [{ var: tick }, "0"] }',
    '{ ">=": [{ var: flow.gives }, "0"] }',
    '{ "==": [{ var: to }, pool] }',
    '{ or: [{ var: open }, { ">": [{ var: amount }, "1"] }] }',
  ])("is none of these: %s", (where) => {
    expect(idle(where)).toEqual([]);
  });

  it("is told exactly where no value, or every one, passes", () => {
    const holds = { ">": (a: number, b: number) => a > b, "<=": (a: number, b: number) => a <= b };
    fc.assert(
      fc.property(fc.constantFrom(">" as const, "<=" as const), fc.integer({ min: 0, max: 400 }), (name, bound) => {
        const passing = Array.from({ length: 256 }, (_, i) => i).filter((i) => holds[name](i, bound)).length;
        const where = `{ "${name}": [{ var: mode }, "${bound}"] }`;
        expect(idle(where)).toHaveLength(passing === 0 || passing === 256 ? 1 : 0);
      }),
      { numRuns: 40 },
    );
  });
});

describe("a value that never comes", () => {
  const told = (capture: string, where = "{ var: open }") => {
    const text = fileWith(where, `      value: ${capture}\n`);
    return lintTexts({ market: text }).flatMap((one) => {
      return one.code === "RL507" ? `${markedText(text, one)}: ${one.message}` : [];
    });
  };

  it.each([
    ["{ other: subject }", "subject: `other` tells whoever is not the subject; another path was expected"],
    ['{ enum: mode, values: { "1": fast, slow: slowly } }', "slow: `slow` is no uint8, so that it never comes"],
    [
      '{ enum: tick, values: { "-1": low, "8388608": high } }',
      '"8388608": `8388608` is no int24, so that it never comes',
    ],
    ["{ enum: open, values: { yes: openly } }", "yes: `yes` is no bool, so that it never comes"],
    ["{ enum: open, values: { false: in the dark } }", "false: `false` never comes: `when` excludes it"],
    [
      '{ const: in the dark, when: { "!": { var: open } } }',
      '{ "!": { var: open } }: `when` of the value never holds where that of the rule does, so that it never comes',
    ],
  ])("%s", (capture, message) => {
    expect(told(capture)).toEqual([message]);
  });

  it("is excluded by the number that the rule asks for", () => {
    const capture = '{ enum: mode, values: { "1": fast, "2": slowly } }';
    expect(told(capture, '{ ">=": [{ var: mode }, "2"] }')).toEqual(['"1": `1` never comes: `when` excludes it']);
    expect(told(capture, '{ ">=": [{ var: mode }, "1"] }')).toEqual([]);
  });

  it.each([
    "{ other: to }",
    "{ enum: open, values: { true: openly } }",
    '{ const: openly, when: { ">": [{ var: amount }, "1"] } }',
  ])("is none of these: %s", (capture) => {
    expect(told(capture)).toEqual([]);
  });
});
