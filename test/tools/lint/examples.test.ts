import { describe, expect, it } from "vitest";
import { expectFine, paid, run } from "./market-examples.ts";

describe("members are proven", () => {
  it.each(["pool", "pool.1", "listed", "listed.1", "own", "derived", "derived.3", "fresh"])("%s", (name) => {
    expectFine(`  - name: here
    given: { to: ${name}, logs: [{ Paid: { at: ${name}, user: alice } }] }
    rule: paid
  - name: not elsewhere
    like: here
    untrusted: [${name.split(".")[0]}]
    not: paid
`);
  });

  it("but an address of no role is not", () => {
    const { found } = run(`  - name: here
    given: { to: bob, logs: [{ Paid: { at: bob, user: alice } }] }
    rule: paid
`);
    expect(found.map((one) => one.message)).toEqual([
      "the rule `paid` was expected to stand; no rule stands, and it did not match",
    ]);
  });
});

describe("what does not come out", () => {
  it("names what stands instead and who won", () => {
    const { found } = run(
      `  - name: wrong
    given: { to: pool, logs: [{ Paid: { at: pool, user: alice } }] }
    rule: weaker
  - name: more
    like: wrong
    not: paid
    action: swap
    summary: no such thing
  - name: none
    given: { to: bob }
    not: weaker
`,
      `${paid}  - id: weaker
    action: swap
    anchor: { event: Paid }
    at: pool
    subject: user
    money: { gives: any }
    say: "swap"
`,
    );
    expect(found.filter((one) => one.code === "RL602").map((one) => one.message)).toEqual([
      "the rule `weaker` was expected to stand; `market/paid` stands, and it lost to `market/paid`: log 0 is claimed",
      "the rule `paid` stands, but was not to: `0xA11C…11Ce paid through Market.`",
      "the action `swap` was expected, `payment` came out; `market/paid` stands",
      "the summary is `0xA11C…11Ce paid through Market.`; another one was expected; `market/paid` stands",
    ]);
  });
});
