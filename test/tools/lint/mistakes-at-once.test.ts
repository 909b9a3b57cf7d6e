import { describe, expect, it } from "vitest";
import { lintTexts, marketHead, placeOf } from "./lint-text.ts";

const address = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
const head = marketHead
  .replace("ex/contracts@0123456:Pool.sol", "nowhere")
  .replace(`"${address}": Market pool`, `Market pool: "${address}"`);

/** A file whose later lines hold mistakes of several kinds: a path, a word of the sentence, a source. */
const file = (does = "pay {gift} into {protocol}") => `${head}\
  Paid: "event Paid(address indexed user, uint256 amount)"
rules:
  - id: pay
    action: payment
    anchor: { event: Paid }
    at: pool
    subject: usr
    say: "${does}"
    example: { given: { to: pool, logs: [{ Paid: { at: pool, user: alice } }] } }
`;

const told = (text: string) => lintTexts({ market: text }).map((one) => placeOf(one).replace(/-.*/, ""));
const later = ["RL213 8:13", "RL303 16:14", "RL501 17:16"];

describe("the mistakes of a rule file that are told in one run", () => {
  it("are those of paths, sentences and sources", () => {
    expect(told(file())).toEqual(later);
  });

  it.each<[string, string, string, string]>([
    ["action", "action: payment", "action: paymnt", "RL204 13:13"],
    ["`at`", "at: pool\n", "at: pol\n", "RL302 15:9"],
    ["name", "name: Market", "name: [Market]", "RL202 2:7"],
    ["site", "site: https", "site: http", "RL202 4:7"],
    ["example", "example: {", "example: { says: 5,", "RL202 18:22"],
    ["list of examples", "rules:\n", "examples: 5\nrules:\n", "RL202 11:11"],
  ])("are also those behind a wrong %s", (_what, right, wrong, first) => {
    const text = file().replace(right, wrong);
    const moved = wrong.startsWith("examples")
      ? later.map((one) => one.replace(/1[67]:/, (line) => `${Number.parseInt(line, 10) + 1}:`))
      : later;
    expect(told(text).sort()).toEqual([first, ...moved].sort());
  });

  it("are those of the form alone where the rest could not be read without what is wrong", () => {
    expect(told(file().replace("subject: usr", "subject: 5"))).toEqual(["RL202 16:14"]);
  });

  it("are those of the loader before examples are run", () => {
    const text = file("pay into {protocol}").replace("nowhere", "ex/contracts@0123456:Pool.sol");
    const wrong = text.replace("user: alice", "user: nobody_known");
    expect(told(wrong)).toEqual(["RL303 16:14"]);
    expect(told(wrong.replace("usr", "user"))).toEqual(expect.arrayContaining([expect.stringMatching(/^RL604 18:/)]));
  });
});
