import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { compileCondition } from "../../../src/rules/ruleset/compile/condition.ts";
import { type ConditionNames, conditionsClash, conjuncts } from "../../../src/tools/lint/checks/set/condition-clash.ts";

const names: ConditionNames = { key: (path) => path, role: () => undefined };
const inputs = parseSignature("function f(uint256 n, uint256 m, bool up, address who)").inputs;
const scope = { args: inputs, input: null, item: null, legs: [], anchor: "call" as const, contracts: new Map() };

const addresses = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}`);
const number = fc.constantFrom("n", "m");
const small = fc.integer({ min: 0, max: 4 }).map(String);
const comparison = fc
  .tuple(fc.constantFrom("==", ">", ">=", "<", "<="), number, small, fc.boolean())
  .map(([operator, path, value, turned]) => ({
    [operator]: turned ? [value, { var: `args.${path}` }] : [{ var: `args.${path}` }, value],
  }));
const address = fc.constantFrom(...addresses);
const place = fc.oneof(
  address.map((one) => ({ "==": [{ var: "args.who" }, one] })),
  fc.uniqueArray(address, { minLength: 1 }).map((list) => ({ in: [{ var: "args.who" }, list] })),
);
const condition = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    comparison,
    place,
    fc.constant({ var: "args.up" }),
    tie("any").map((part) => ({ "!": [part] })),
    fc.array(tie("any"), { minLength: 1, maxLength: 3 }).map((parts) => ({ and: parts })),
    fc.array(tie("any"), { minLength: 1, maxLength: 3 }).map((parts) => ({ or: parts })),
    fc.array(tie("any"), { minLength: 1, maxLength: 2 }),
  ),
})).any;

/** Every combination of values that the conditions can tell apart, including a missing value. */
const worlds = [undefined, 0n, 1n, 2n, 3n, 4n, 5n].flatMap((n) =>
  [0n, 2n, 5n].flatMap((m) =>
    [true, false].flatMap((up) => [...addresses, `0x${"d".repeat(40)}`].map((who) => ({ args: [n, m, up, who] }))),
  ),
);

describe("conditionsClash", () => {
  it("is never true of conditions that hold together", () => {
    fc.assert(
      fc.property(condition, condition, (one, other) => {
        fc.pre(conditionsClash(conjuncts(one), conjuncts(other), [names, names]));
        const holds = [one, other].map((logic) => compileCondition(logic, scope, []));
        const both = worlds.find((world) => holds.every((predicate) => predicate(world as never)));
        expect(both).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("does not depend on the order of the two", () => {
    fc.assert(
      fc.property(condition, condition, (one, other) => {
        const [a, b] = [conjuncts(one), conjuncts(other)];
        expect(conditionsClash(a, b, [names, names])).toBe(conditionsClash(b, a, [names, names]));
      }),
    );
  });

  it("takes a condition apart without changing it", () => {
    fc.assert(
      fc.property(condition, (logic) => {
        const [whole, parts] = [logic, conjuncts(logic)].map((one) => compileCondition(one, scope, []));
        for (const world of worlds) expect(parts?.(world as never)).toBe(whole?.(world as never));
      }),
      { numRuns: 50 },
    );
  });
});
