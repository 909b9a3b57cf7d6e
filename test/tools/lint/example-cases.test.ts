import { describe, expect, it } from "vitest";
import { exampleCases } from "../../../src/tools/lint/examples/examples.ts";
import { openSources } from "../../../src/tools/lint/world.ts";
import { shippedTables } from "../../support/shipped-tables.ts";
import { marketHead, noRecordings } from "./lint-text.ts";

const file = "rules/market.yaml";
const paid = "logs: [{ Paid: { at: pool, user: alice } }]";
const market = `${marketHead}  Paid: "event Paid(address indexed user)"
  Vote: "message Vote(uint256 proposal)"
rules:
  - { id: paid, action: payment, anchor: { event: Paid }, at: pool, subject: user, say: "pay" }
messages:
  - { id: vote, message: Vote, at: pool, action: governance, say: "vote" }
examples:
  - { like: first, not: paid }
  - { name: first, given: { to: pool, ${paid} }, rule: paid }
  - { given: { to: nobody }, not: paid }
  - { given: { message: {} }, rule: vote }
  - { name: elsewhere, like: first, untrusted: [pool], not: paid }
  - { name: nowhere, like: elsewhere, not: paid }
`;

/** The cases of the examples of a text. */
function casesOf(text: string) {
  const rules = [...shippedTables, { file, text }];
  const { loaded, world } = openSources({ rules, labels: [], wanted: new Set([file]) }, noRecordings);
  const [own] = loaded.files.filter(({ source }) => source.file === file);
  return exampleCases(own as NonNullable<typeof own>, world);
}

/** Whether nothing of a value can be changed. */
function isFixed(value: unknown): boolean {
  if (value === null || typeof value !== "object") return true;
  return Object.isFrozen(value) && Object.values(value).every(isFixed);
}

describe("cases of examples", () => {
  const cases = casesOf(market);

  it("are those of transactions without a mistake, each with its place", () => {
    expect(cases.map(({ example, at }) => [example.name, at])).toEqual([
      [undefined, ["examples", 0]],
      ["first", ["examples", 1]],
      ["elsewhere", ["examples", 4]],
      ["nowhere", ["examples", 5]],
    ]);
  });

  it("are shared by examples that are alike, and cannot be changed", () => {
    const [copy, first, elsewhere, nowhere] = cases.map(({ caseFile }) => caseFile);
    expect(copy).toBe(first);
    expect(elsewhere).not.toEqual(first);
    expect(nowhere).toBe(elsewhere);
    expect(elsewhere?.receipt.logs[0]?.address).toBe(elsewhere?.transaction.to);
    expect([first, elsewhere].map(isFixed)).toEqual([true, true]);
  });

  it("are none of a file that does not compile, or has no examples", () => {
    const [head = ""] = market.split("examples:");
    expect([casesOf(head), casesOf("protocol: [")]).toEqual([[], []]);
  });
});
