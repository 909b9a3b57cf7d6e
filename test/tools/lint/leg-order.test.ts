import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../../src/tools/lint/lint.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";

const path = join(root, "test/tools/lint/RL317/bad.yaml");
const original = readFileSync(path, "utf8");
const legs = /^ {4}money: .*$/m;
const plain = findSources([path]);

/** The findings for a rule with these legs: a supply of USDC, from which the pool passes on a fee. */
function told(...lines: string[]): string[] {
  const text = original.replace(legs, ["    money:", ...lines.map((line) => `      ${line}`)].join("\n"));
  const rules = plain.rules.map((source) => (source.text === original ? { ...source, text } : source));
  return lint({ ...plain, rules }, "").diagnostics.map(({ code, message }) => `${code} ${message}`);
}

const [never] = [
  (name: string, other: string) => `RL317 \`${name}\` reads \`${other}\`, which is bound after it, so that`,
];
const stays = expect.stringMatching(
  /^RL602 the rule `supply` was expected to stand; no rule stands, and it did not match: .*the leg `fee`/,
);

describe("a leg that reads another one", () => {
  it.each<[string, string[], [string, string]]>([
    ["states more", ["fee: { token: paid.token, from: pool }", "paid: { from: subject }"], ["fee", "paid"]],
    ["states as much, and its name is first", ["fee: { from: paid.to }", "paid: { from: subject }"], ["fee", "paid"]],
    [
      "is needed, and the other one is not",
      ["fee: { from: paid.to }", "paid: { from: subject, to: pool, optional: true }"],
      ["fee", "paid"],
    ],
    [
      "is one, and the other one many",
      ["fee: { from: paid.to }", "paid: { from: subject, to: pool, many: true }"],
      ["fee", "paid"],
    ],
    ["is read by that one", ["fee: { from: paid.to }", "paid: { to: fee.from }"], ["fee", "paid"]],
  ])("never fits where it %s", (_name, lines, [name, other]) => {
    expect(told(...lines)).toEqual([`${never(name, other)} the rule never fits`, stays]);
  });

  it.each([
    ["states less", ["fee: { from: paid.to }", "paid: { from: subject, to: pool }"]],
    ["states as much, and its name is last", ["remitted: { from: paid.to }", "paid: { from: subject }"]],
    ["is optional", ["fee: { token: paid.token, from: pool, optional: true }", "paid: { from: subject }"]],
    ["is many", ["fee: { token: paid.token, from: pool, many: true }", "paid: { from: subject }"]],
  ])("fits where it %s", (_name, lines) => {
    expect(told(...lines)).toEqual([]);
  });

  it("never finds itself", () => {
    expect(told("fee: { from: fee.from }")).toEqual(["RL317 `fee` reads itself, so that the rule never fits", stays]);
  });

  it("is never found where it is optional, and the rule fits without it", () => {
    const lines = ["fee: { from: paid.to, to: paid.to, optional: true }", "paid: { to: pool, optional: true }"];
    const one = `${never("fee", "paid")} it is never found`;
    expect(told(...lines)).toEqual([one, one]);
  });
});
