import fc from "fast-check";
import jsonLogic from "json-logic-js";
import { describe, expect, it } from "vitest";
import {
  type ConditionProblem,
  compileCondition,
  operatorNames,
} from "../../../src/rules/ruleset/compile/condition.ts";
import { inputs, pool, scope, world } from "./condition-scope.ts";

function holds(logic: unknown, values: Partial<Record<keyof typeof world, unknown>> = world): boolean {
  const problems: ConditionProblem[] = [];
  const predicate = compileCondition(logic, scope, problems);
  expect(problems).toEqual([]);
  return predicate({ args: inputs.names.map((name) => values[name as keyof typeof world]) } as never);
}

describe("what JSON Logic says too", () => {
  const word = fc.constantFrom("", "a", "abc", "1", "true");
  const text = fc.oneof(
    word,
    fc.constantFrom("word", "other").map((name) => ({ var: `args.${name}` })),
  );
  const leaf = fc.oneof(
    fc.constantFrom("up", "down").map((name) => ({ var: `args.${name}` })),
    fc
      .tuple(fc.constantFrom("==", "!="), fc.constantFrom("word", "other"), text)
      .map(([operator, name, other]) => ({ [operator]: [{ var: `args.${name}` }, other] })),
    fc
      .tuple(fc.constantFrom("word", "other"), fc.array(word, { maxLength: 4 }))
      .map(([name, list]) => ({ in: [{ var: `args.${name}` }, list] })),
    fc
      .tuple(fc.constantFrom("up", "down"), fc.boolean())
      .map(([name, flag]) => ({ "==": [{ var: `args.${name}` }, flag] })),
  );
  const logic = fc.letrec<{ any: object }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      leaf,
      tie("any").map((part) => ({ "!": part })),
      tie("any").map((part) => ({ "!": [part] })),
      fc.array(tie("any"), { minLength: 1, maxLength: 4 }).map((parts) => ({ and: parts })),
      fc.array(tie("any"), { minLength: 1, maxLength: 4 }).map((parts) => ({ or: parts })),
    ),
  })).any;

  it("comes out as json-logic-js has it", () => {
    fc.assert(
      fc.property(logic, fc.boolean(), fc.boolean(), word, word, (one, up, down, first, second) => {
        const args = { ...world, up, down, word: first, other: second };
        expect(holds(one, args)).toBe(
          jsonLogic.apply(one as never, { args: { up, down, word: first, other: second } }),
        );
      }),
    );
  });
});

describe("typed comparisons", () => {
  it("of integers are exact at any size", () => {
    const operators: Record<string, (a: bigint, b: bigint) => boolean> = {
      "==": (a, b) => a === b,
      ">": (a, b) => a > b,
      ">=": (a, b) => a >= b,
      "<": (a, b) => a < b,
      "<=": (a, b) => a <= b,
    };
    const size = fc.oneof(
      fc.bigInt({ min: 0n, max: 1n << 255n }),
      fc.constantFrom(0n, 1n << 53n, (1n << 53n) + 1n, (1n << 256n) - 1n),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(operators)), size, size, (name, a, b) => {
        const wanted = operators[name]?.(a, b);
        expect(holds({ [name]: [{ var: "args.n" }, String(b)] }, { n: a })).toBe(wanted);
        expect(holds({ [name]: [{ var: "args.i" }, String(-b)] }, { i: -a })).toBe(operators[name]?.(-a, -b));
      }),
    );
  });

  it.each<[unknown, boolean]>([
    [{ ">": [{ var: "args.n" }, 9] }, true],
    [{ ">": ["9", { var: "args.n" }] }, false],
    [{ "==": ["pool", { var: "args.who" }] }, true],
    [{ ">": [{ var: "args.n" }, "-1"] }, true],
    [{ "<": [{ var: "args.i" }, { var: "args.n" }] }, true],
    [{ "==": [{ var: "args.who" }, "pool"] }, true],
    [{ "==": [{ var: "args.who" }, pool.toUpperCase().replace("0X", "0x")] }, true],
    [{ "==": [{ var: "args.who" }, "zero"] }, false],
    [{ in: [{ var: "args.who" }, "pool"] }, true],
    [{ in: [{ var: "args.who" }, [`0x${"1".repeat(40)}`, "pool"]] }, true],
    [{ in: [{ var: "args.who" }, [`0x${"1".repeat(40)}`]] }, false],
    [{ starts: [{ var: "args.data" }, "0x1234"] }, true],
    [{ starts: [{ var: "args.data" }, "0x34"] }, false],
    [[{ var: "args.up" }, { "==": [{ var: "args.list.length" }, "1"] }], true],
    [[{ var: "args.up" }, { var: "args.down" }], false],
    [{ "==": [{ var: "args.n" }, "10"] }, true],
    [{ "==": [{ var: "args.i" }, "-3"] }, true],
    [{ ">": [{ var: "args.n" }, { var: "args.i" }] }, true],
    [{ "==": [{ var: "args.who" }, "native"] }, false],
    [{ in: [{ var: "args.up" }, [true]] }, true],
    [{ in: [{ var: "args.up" }, [false]] }, false],
    [{ in: [{ var: "args.word" }, "abc"] }, true],
    [{ in: [{ var: "args.word" }, ["x", "abc"]] }, true],
    [{ in: [{ var: "args.n" }, [9, 10]] }, true],
    [{ in: [{ var: "args.n" }, [9, 11]] }, false],
    [{ in: [{ var: "args.n" }, ["9", "10"]] }, true],
    [{ "==": [{ var: "args.n" }, "10"] }, true],
    [{ "==": [{ var: "args.who" }, "pool"] }, true],
    [{ in: [{ var: "args.who" }, ["zero"]] }, false],
    [{ "!": { in: [{ var: "args.who" }, ["zero", "native"]] } }, true],
    [{ starts: [{ var: "args.data" }, "0x1234AB"] }, true],
    [{ in: [{ var: "args.who" }, [pool.replace("ab", "AB")]] }, true],
    [{ "==": [{ var: "args.word" }, "abc"] }, true],
    [{ "!=": [{ var: "args.word" }, "abc"] }, false],
    [{ "==": [{ var: "args.up" }, true] }, true],
    [{ and: { var: "args.up" } }, true],
    [[], true],
    [{ or: [] }, false],
  ])("%j is %s", (logic, expected) => {
    expect(holds(logic)).toBe(expected);
  });

  it.each<[string, string, unknown]>([
    ["==", "word", "a"],
    ["!=", "word", "a"],
    ["in", "word", ["a"]],
    ["==", "who", "zero"],
    ["in", "who", "zero"],
    ["starts", "data", "0x00"],
    ["==", "n", "1"],
    ["<=", "n", "1"],
    [">", "i", "1"],
  ])("%s of a missing %s is false, and its opposite true", (operator, left, right) => {
    const logic = { [operator]: [{ var: `args.${left}` }, right] };
    expect(holds(logic, {})).toBe(false);
    expect(holds({ "!": logic }, {})).toBe(true);
  });

  it("of a missing flag is false", () => {
    expect(holds({ var: "args.up" }, {})).toBe(false);
  });
});

it("the list of operators is closed", () => {
  expect([...operatorNames].sort()).toEqual(["!", "!=", "<", "<=", "==", ">", ">=", "and", "in", "or", "starts"]);
});
