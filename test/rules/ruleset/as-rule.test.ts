import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeOut } from "../../../src/rules/ruleset/document/as-rule.ts";
import type { WrittenRule } from "../../../src/rules/ruleset/document/rule-document.ts";
import { lintTexts, markedText, marketHead } from "../../tools/lint/lint-text.ts";

const original = {
  id: "paid",
  action: "payment",
  event: "Paid",
  at: "pool",
  who: "args.user",
  does: "pay",
  example: {},
};

describe("a rule that says `as` another one", () => {
  it("says what that one says, but for what stands in it and what it leaves out", () => {
    const { rules, taken } = writeOut([original, { id: "left", as: "paid", without: ["who"], event: "Left" }]);
    expect(rules).toEqual([original, { id: "left", action: "payment", event: "Left", at: "pool", does: "pay" }]);
    expect([...taken.values()]).toEqual([["action", "at", "does"]]);
  });

  it("means the same as if all stood in it", () => {
    const field = fc.constantFrom("action", "event", "call", "at", "who", "does", "by", "acts_for");
    const fields = fc.dictionary(field, fc.constantFrom("a", "b", "c"), { maxKeys: 6 });
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const same = Object.keys(other).filter((name) => one[name] === other[name]);
        const without = Object.keys(one).filter((name) => !Object.hasOwn(other, name));
        const said = Object.fromEntries(Object.entries(other).filter(([name]) => !same.includes(name)));
        const short = { id: "y", as: "x", ...(without.length > 0 && { without }), ...said } as WrittenRule;
        expect(writeOut([{ id: "x", ...one } as WrittenRule, short]).rules?.[1]).toEqual({ id: "y", ...other });
      }),
    );
  });
});

/** A file with two rules. `second`: what the second one says besides its id and its example. */
function fileWith(second: string): string {
  const example = (event: string) =>
    `    example: { to: pool, logs: [{ ${event}: { at: pool, user: alice, token: USDC, amount: "5000000" } }] }\n`;
  return `# yaml-language-server: $schema=../../schemas/rule.schema.json
${marketHead}  Paid: "event Paid(address indexed user, address token, uint256 amount)"
  Left: "event Left(address indexed user, address token, uint256 amount, uint8 mode)"
rules:
  - id: paid
    action: lending_supply
    event: Paid
    at: pool
    who: args.user
    capture: { amount: { amount: args.amount, of: args.token } }
    does: "supply {amount} to {protocol}"
${example("Paid")}  - id: left
${second}${example("Left")}`;
}

describe("mistakes of `as`", () => {
  it("none", () => {
    expect(lintTexts({ market: fileWith("    as: paid\n    event: Left\n") })).toEqual([]);
  });

  it.each([
    ["    as: payd\n    event: Left\n", "payd", "RL216", "`payd` is no rule of this file"],
    [
      "    as: left\n    event: Left\n",
      "left",
      "RL216",
      "`left` does not stand above, or is itself `like` another rule",
    ],
    [
      "    as: paid\n    without: [wo]\n    event: Left\n",
      "wo",
      "RL216",
      "`wo` is no field that `paid` says for this rule",
    ],
    // What is taken over and does not fit stands at `as`.
    ["    as: paid\n    event: Lift\n", "Lift", "RL302", "`Lift` is not in this file's abi"],
    ["    as: paid\n    without: [event]\n    call: pay\n", "pay", "RL302", "`pay` is not in this file's abi"],
  ])("%j", (second, marked, code, message) => {
    const text = fileWith(second);
    const [first] = lintTexts({ market: text });
    expect(first && [first.code, markedText(text, first), first.message]).toEqual([code, marked, message]);
  });

  it("are told of the file itself; a copy of it goes without the rule", () => {
    const market = fileWith("    as: payd\n    event: Left\n")
      .replace("kind: protocol", "kind: template")
      .replace(/name: .*\n|site: .*\n|contracts:\n.*\n/g, "");
    const copy = `protocol: copy\nname: Copy\nkind: protocol\nsite: https://example.org\nlike: market\nsource: ex/book@0123456:A.md
contracts:\n  pool: { "0xa0d9C1E9E48Ca30c8d8C3B5D69FF5dc1f6DFfC24": Copy pool }\n`;
    const codes = lintTexts({ market, copy })
      .filter(({ level }) => level === "error")
      .map(({ code, file }) => [code, file]);
    expect(codes).toEqual([["RL216", "rules/market.yaml"]]);
  });

  it("a field that is taken over and does not fit is told at `as`", () => {
    const text = fileWith("    as: paid\n    event: Left\n").replace(
      "address token, uint256 amount, uint8",
      "address coin, uint256 amount, uint8",
    );
    const told = lintTexts({ market: text }).find(({ code }) => code === "RL303");
    expect(told && [markedText(text, told), told.message]).toEqual([
      "as",
      "`args.token` names nothing: there is no `token` among user, coin, amount, mode",
    ]);
  });
});
