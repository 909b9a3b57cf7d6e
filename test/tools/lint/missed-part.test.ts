import { describe, expect, it } from "vitest";
import { lintTexts, marketHeadWith } from "./lint-text.ts";

const sound = `# yaml-language-server: $schema=../../schemas/rule.schema.json
${marketHeadWith(`  router: { Market router: "0xa0d9C1E9E48Ca30c8d8C3B5D69FF5dc1f6DFfC24" }\n`)}  Paid: "event Paid(address indexed user, address token, uint256 amount)"
  Left: "event Left(address indexed user, address token, uint256 amount)"
rules:
  - id: paid
    action: lending_supply
    anchor: { event: Paid }
    at: pool
    subject: user
    when: { ">": [{ var: amount }, "1"] }
    money:
      { paid: { token: token, from: subject, to: pool, amount: amount }, gets: nothing }
    values: { amount: amount of token }
    say: "supply {amount} to {protocol}"
    example:
      to: pool
      logs:
        - transfer: { token: USDC, from: alice, to: pool, amount: "5000000" }
        - Paid: { at: pool, user: alice, token: USDC, amount: "5000000" }
`;

describe("an example in which the rule does not stand tells which part of the rule keeps it away", () => {
  it.each([
    ['"1"]', '"9000000"]', "`when` does not hold"],
    ["subject: user", "subject: token", "`subject` does not hold"],
    ["gets: nothing", "gets: one fungible", "`gives` or `gets` does not hold"],
    ["from: alice, to: pool", "from: alice, to: router", "the leg `paid` does not hold"],
    [`anchor: { event: Paid }\n`, `anchor: { event: Left }\n`, "no log is of the event `Left`"],
    ["Paid: { at: pool", "Paid: { at: router", "`at` does not admit the contract that wrote `Paid`"],
  ])("%s instead of %s", (instead, wrote, why) => {
    expect(lintTexts({ market: sound })).toEqual([expect.objectContaining({ code: "RL506" })]);
    const told = lintTexts({ market: sound.replace(instead, () => wrote) }).filter(({ code }) => code === "RL602");
    expect(told.map(({ message }) => message).find((text) => text.includes("to stand"))).toBe(
      `the rule \`paid\` was expected to stand; no rule stands, and it did not match: ${why}`,
    );
  });

  it("names them all where more than one does", () => {
    const text = sound.replace('"1"]', () => '"9000000"]').replace("gets: nothing", () => "gets: one fungible");
    expect(lintTexts({ market: text }).map(({ message }) => message)).toContain(
      "the rule `paid` was expected to stand; no rule stands, and it did not match: more than one of `when`, `subject`, `gives` or `gets`, the leg `paid` do not hold",
    );
  });
});
