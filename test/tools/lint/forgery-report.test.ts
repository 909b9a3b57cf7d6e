import { describe, expect, it } from "vitest";
import { formatMutations, unexcused } from "../../../src/tools/lint/command.ts";
import { mutationKinds } from "../../../src/tools/lint/mutation/mutant.ts";
import type { MutationReport, Survivor } from "../../../src/tools/lint/mutation/mutate.ts";

const survivor: Survivor = {
  ...{ file: "rules/a.yaml", example: "a payment", kind: "added-theft", rule: "a/pay", change: "a token goes" },
  ...{ problem: "it is not told", stands: ["a/pay", "b/got"], summary: "Alice paid.", reason: null },
};
const kinds = Object.fromEntries(Object.keys(mutationKinds).map((kind) => [kind, { mutants: 0, killed: 0 }]));
const report = (more: Partial<MutationReport> = {}) =>
  ({ rules: [], untested: [], kinds, survivors: [], needless: [], ...more }) as MutationReport;
const dashes = Object.keys(mutationKinds).map((kind) => `${kind.padEnd(17)}     -    0 of 0 killed`);

describe("the report on forgeries", () => {
  it("is the rates where all was seen through", () => {
    expect(formatMutations(report()).split("\n")).toEqual([
      ...dashes,
      "all                   -    0 of 0 killed, 0 rules",
      "",
    ]);
  });

  it("lists survivors by kind, then reasons without use, then rules without an example", () => {
    const survivors: Survivor[] = [
      survivor,
      { ...survivor, kind: "foreign-emitter", stands: [], reason: "it may" },
      { ...survivor, example: "another" },
    ];
    const text = formatMutations(
      report({
        survivors,
        ...{ needless: [{ rule: "a/pay", kind: "side-show" }], untested: ["a/got"], rules: ["a/pay", "b/got"] },
        kinds: {
          ...report().kinds,
          "foreign-emitter": { mutants: 3, killed: 2 },
          "added-theft": { mutants: 2000, killed: 1999 },
          "side-show": { mutants: 1, killed: 1 },
        },
      }),
    );
    const [told, rates] = text.split("foreign-emitter  ") as [string, string];
    expect(told).toBe(`foreign-emitter: the rule's events, calls or parties come from an untrusted contract
  a/pay  (rules/a.yaml, example "a payment")
    a token goes: it is not told; nothing stands
    Alice paid.
    the rule says why: it may

added-theft: something of the subject's goes to a stranger besides
  a/pay  (rules/a.yaml, example "a payment")
    a token goes: it is not told; stands: a/pay, b/got
    Alice paid.
  a/pay  (rules/a.yaml, example "another")
    a token goes: it is not told; stands: a/pay, b/got
    Alice paid.

  a/pay gives a reason for side-show, and nothing survives

  a/got has no example that could be forged

`);
    const lines = rates.split("\n");
    expect([lines[0], ...lines.filter((line) => /^(?:added-theft|side-show|all)/.test(line))]).toEqual([
      "  66.6 %  2 of 3 killed",
      "added-theft        99.9 %  1999 of 2000 killed",
      "side-show         100.0 %  1 of 1 killed",
      "all                99.9 %  2002 of 2004 killed, 2 rules",
    ]);
  });

  it("excuses what a rule gives a reason for, and what only shows that it asks for little", () => {
    const others: Survivor[] = [
      { ...survivor, reason: "it may" },
      { ...survivor, kind: "dropped-leg" },
      { ...survivor, kind: "for-nothing" },
    ];
    expect(unexcused(report({ survivors: [survivor, ...others] }))).toEqual([survivor, others[2]]);
  });
});
