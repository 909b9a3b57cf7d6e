import fc from "fast-check";
import jsonLogic from "json-logic-js";
import { expect, it } from "vitest";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import { comparisonNames, evaluator, exactly, type Logic } from "../../../src/rules/ruleset/compile/json-logic.ts";

const slotCount = 4;
const text = fc.constantFrom("", "0x", "0x12", "0x1234", "abc", "native");
const value: fc.Arbitrary<Value | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.boolean(),
  text,
  fc.bigInt({ min: -2n, max: 2n }),
  fc.array(fc.oneof(text, fc.bigInt({ min: -2n, max: 2n })), { maxLength: 3 }),
);

/** Possible operands for every operator except `and` and `or`: of any type, fitting or not. */
const variable = fc.nat({ max: slotCount - 1 }).map((slot) => ({ var: [slot] }));
const counts = new Map([["!", 1], ...comparisonNames.map((name) => [exactly(name), 2] as const)] as [string, number][]);
const logic = fc.letrec<{ any: Logic }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(variable, fc.boolean(), text, fc.bigInt({ min: -2n, max: 2n })),
    fc
      .constantFrom(...counts)
      .chain(([name, size]) =>
        fc.array(tie("any"), { minLength: size, maxLength: size }).map((operands) => ({ [name]: operands })),
      ),
    fc
      .tuple(fc.constantFrom("and", "or"), fc.array(tie("any"), { maxLength: 4 }))
      .map(([name, parts]) => ({ [name]: parts })),
  ),
})).any;

it("a compiled condition holds when jsonLogic.apply says true", () => {
  fc.assert(
    fc.property(logic, fc.array(value, { minLength: slotCount, maxLength: slotCount }), (one, values) => {
      const wanted = jsonLogic.apply(one as never, values) === true;
      expect(
        evaluator(
          one,
          [...values.keys()].map((slot) => () => values[slot]),
        )({} as never),
      ).toBe(wanted);
    }),
    { numRuns: 2000 },
  );
});
