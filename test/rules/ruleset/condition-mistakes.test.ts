import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import { type ConditionProblem, compileCondition } from "../../../src/rules/ruleset/compile/condition.ts";
import { authorHelp } from "../../../src/rules/ruleset/document/author-help.ts";
import { scope, world } from "./condition-scope.ts";

const meant = (mistyped: ConditionProblem["mistyped"]) => {
  const word = mistyped && authorHelp.closest(mistyped.word, mistyped.known);
  return word === undefined ? [] : [word];
};

/** `code path suggestion: message` of each. */
function problemsOf(logic: unknown): string[] {
  const problems: ConditionProblem[] = [];
  const predicate = compileCondition(logic, scope, problems);
  // What has a mistake holds for nothing.
  if (problems.length > 0) expect(predicate({ args: Object.values(world) } as never)).toBe(false);
  return problems.map(
    ({ code, path, mistyped, message }) =>
      `${[code, path.join("."), ...meant(mistyped)].join(" ")}: ${authorHelp.say(message)}`,
  );
}

describe("mistakes are told at their token", () => {
  it.each<[unknown, string[]]>([
    [
      { var: "args.upp" },
      ["RL401 var up: `args.upp` names nothing: there is no `upp` among up, down, word, other, n, i, who, data, list"],
    ],
    [{ var: "args.n" }, ["RL403 var: `args.n` is uint, a condition needs a bool"]],
    [{ var: ["args.up", false] }, ["RL401 var: `var` takes one path"]],
    [{ and: [{ var: "args.up" }, { ">>": [{ var: "args.n" }, "1"] }] }, ["RL402 and.1.>> >: `>>` is no operator"]],
    [{ constructor: [1] }, ["RL402 constructor: `constructor` is no operator"]],
    [{ "!": { var: "args.up" }, "==": [1, 1] }, ["RL402 : a condition has exactly one operator"]],
    [{ ">": [{ var: "args.n" }] }, ["RL403 >: `>` takes 2 operands, 1 given"]],
    [{ ">": [{ var: "args.who" }, "1"] }, ["RL403 >.0: the operand is address, a number was expected"]],
    [{ ">": [{ var: "args.n" }, "1.5"] }, ["RL403 >.1: the operand is string, a number was expected"]],
    [{ ">": [{ var: "args.n" }, { "+": [1, 2] }] }, ["RL403 >.1: an operand is a literal or a `var`"]],
    [{ "==": [{ var: "args.who" }, "pol"] }, ["RL403 ==.1 pool: `pol` is no address, role or `zero`"]],
    [{ "==": [{ var: "args.who" }, "constructor"] }, ["RL403 ==.1: `constructor` is no address, role or `zero`"]],
    [{ in: [{ var: "args.word" }, [["a"]]] }, ["RL403 in.1.0: a string, an integer, a bool or a `var` was expected"]],
    // Compared values must have one type. With two types they would silently never be equal.
    [{ in: [{ var: "args.who" }, "pol"] }, ["RL403 in.1 pool: `pol` is no address, role or `zero`"]],
    [
      { in: [{ var: "args.who" }, ["pool", "other/pool"]] },
      ["RL403 in.1.1: `other/pool` is no address, role or `zero`"],
    ],
    [{ in: [{ var: "args.who" }, ["0x12"]] }, ["RL403 in.1.0: `0x12` is no address, role or `zero`"]],
    [{ in: [{ var: "args.who" }, [{ var: "args.who" }]] }, ["RL403 in.1.0: a list holds strings, bools or integers"]],
    [{ "==": [{ var: "args.n" }, "pool"] }, ["RL403 ==.1: the operand is string, a number was expected"]],
    [{ "!=": [{ var: "args.n" }, { var: "args.who" }] }, ["RL403 !=.1: the operand is address, a number was expected"]],
    [{ in: [{ var: "args.up" }, ["true"]] }, ["RL403 in.1.0: the operand is string, `bool` was expected"]],
    [{ starts: [{ var: "args.data" }, "0xabc"] }, ["RL403 starts.1: the operand is string, `bytes` was expected"]],
    [{ "==": [{ var: "args.list" }, "a"] }, ["RL403 ==.0: the operand is array, `any` was expected"]],
    [{ "==": [{ var: "args" }, "a"] }, ["RL403 ==.0: the operand is tuple, `any` was expected"]],
    [{ ">": [{ var: "args.word" }, "1"] }, ["RL403 >.0: the operand is string, a number was expected"]],
    [{ "==": ["a", "a"] }, ["RL404 ==: the condition is constant"]],
    ...Object.entries({
      "!=": [true, false],
      ">": ["2", 1],
      "<": ["-2", "1"],
      starts: ["0x1234", "0x12"],
      in: ["a", ["a", "b"]],
    }).map(([name, operands]): [unknown, string[]] => [
      { [name]: operands },
      [`RL404 ${name}: the condition is constant`],
    ]),
    [true, ["RL404 : `true` is constant: a condition must depend on the transaction"]],
    [
      { or: [null, { var: "args.up" }] },
      ["RL404 or.0: `null` is constant: a condition must depend on the transaction"],
    ],
    [
      "args.n > 5",
      [
        'RL404 : `args.n > 5` is text and not read as a condition; one such as `{ ">": [{ var: amount }, "0"] }` was expected',
      ],
    ],
    ["args.up", ['RL404 : `"args.up"` is constant: a condition must depend on the transaction']],
    [7, ["RL404 : `7` is constant: a condition must depend on the transaction"]],
    [{}, ["RL402 : a condition has exactly one operator"]],
    ...["== =", "== ===", "!= !==", "and &&", "or ||", "! not", "== eq"].map((pair): [unknown, string[]] => {
      const [meant, name = ""] = pair.split(" ");
      return [{ [name]: [1, 2] }, [`RL402 ${name} ${meant}: \`${name}\` is no operator`]];
    }),
    [{ "==": [{ var: "args.n" }, "1", "2"] }, ["RL403 ==: `==` takes 2 operands, 3 given"]],
    [{ "!": [{ var: "args.up" }, { var: "args.up" }] }, ["RL403 !: `!` takes 1 operand, 2 given"]],
    [{ "!": { var: "args.n" } }, ["RL403 !.var: `args.n` is uint, a condition needs a bool"]],
    [{ "!": [{ var: "args.n" }] }, ["RL403 !.0.var: `args.n` is uint, a condition needs a bool"]],
    [[{ var: "args.n" }], ["RL403 0.var: `args.n` is uint, a condition needs a bool"]],
    [
      { or: [{ and: [{ var: "args.up" }, { var: "args.who" }] }] },
      ["RL403 or.0.and.1.var: `args.who` is address, a condition needs a bool"],
    ],
    [{ and: { var: "args.n" } }, ["RL403 and.0.var: `args.n` is uint, a condition needs a bool"]],
    [
      { ">": [{ var: "args.n" }, "args.i"] },
      ["RL403 >.1: `args.i` is plain text here; `{ var: args.i }` reads the path"],
    ],
    [{ ">": [{ var: "args.n" }, "args.x"] }, ["RL403 >.1: the operand is string, a number was expected"]],
    [{ ">": [{ var: "args.n" }, "0x12"] }, ["RL403 >.1: the operand is string, a number was expected"]],
    [{ ">": [{ var: "args.n" }, true] }, ["RL403 >.1: the operand is bool, a number was expected"]],
    [{ ">": [{ var: "args.who" }, "1"] }, ["RL403 >.0: the operand is address, a number was expected"]],
    [{ "==": [{ var: "args.n" }, "zero"] }, ["RL403 ==.1: the operand is string, a number was expected"]],
    [{ "==": ["pol", { var: "args.who" }] }, ["RL403 ==.0 pool: `pol` is no address, role or `zero`"]],
    [{ starts: [{ var: "args.data" }, "0xZZ"] }, ["RL403 starts.1: the operand is string, `bytes` was expected"]],
    [{ ">": [{ var: "args.n" }, { var: "args.n", also: 1 }] }, ["RL403 >.1: an operand is a literal or a `var`"]],
    [{ ">": [{ var: "args.n" }, null] }, ["RL403 >.1: a string, an integer, a bool or a `var` was expected"]],
    [{ ">": [{ var: "args.n" }, 1.5] }, ["RL403 >.1: a string, an integer, a bool or a `var` was expected"]],
    [{ ">": [{ var: "args.n" }, ["1"]] }, ["RL403 >.1: a string, an integer, a bool or a `var` was expected"]],
    [
      { ">": [{ var: "args.m" }, { var: 5 }] },
      [
        "RL401 >.0.var i: `args.m` names nothing: there is no `m` among up, down, word, other, n, i, who, data, list",
        "RL401 >.1.var: `var` takes one path",
      ],
    ],
    [
      { in: [{ var: "args.word" }, ["a", 1.5, null, "b"]] },
      [
        "RL403 in.1.1: a string, an integer, a bool or a `var` was expected",
        "RL403 in.1.2: a string, an integer, a bool or a `var` was expected",
      ],
    ],
    [{ "==": ["pool", "zero"] }, ["RL404 ==: the condition is constant"]],
    [
      { and: [{ var: "args.nope" }, { nope: 1 }] },
      [
        "RL401 and.0.var: `args.nope` names nothing: there is no `nope` among up, down, word, other, n, i, who, data, list",
        "RL402 and.1.nope: `nope` is no operator",
      ],
    ],
  ])("%j", (logic, expected) => {
    expect(problemsOf(logic)).toEqual(expected);
  });

  it.each<[string, (inner: unknown) => unknown]>([
    ["!", (inner) => ({ "!": inner })],
    ["!.0", (inner) => ({ "!": [inner] })],
    ["or.0", (inner) => ({ or: [inner] })],
    ["and.0", (inner) => ({ and: [inner] })],
    ["0", (inner) => [inner]],
  ])("and depth has its limit: of %s", (step, around) => {
    const nested = (depth: number): unknown => (depth === 0 ? { var: "args.up" } : around(nested(depth - 1)));
    const most = limits.conditionDepthMax;
    expect(problemsOf(nested(most))).toEqual([]);
    expect(problemsOf(nested(most + 1))).toEqual([
      `RL405 ${Array(most + 1)
        .fill(step)
        .join(".")}: the condition nests too deep`,
    ]);
  });
});
