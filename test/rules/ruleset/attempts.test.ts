import { describe, expect, it } from "vitest";
import { conditionOf } from "../../../src/rules/ruleset/compile/compile-attempts.ts";
import type { CompiledRule } from "../../../src/rules/ruleset/compiled.ts";
import { attemptsOf, isAttemptOnly } from "../../../src/rules/ruleset/document/attempt-entry.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const pool = ["0xa238dd80c259a72e81d7e4664a9801593f98d1c5", "0x6cb442acf35158d5eda88fe602221b67b400be3e"];
const factory = "0x420dd381b31aef6683db6b902084cb0ffece40da";
const bob = `0x${"b0".repeat(20)}`;
const set = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) });

function compile(rule: string) {
  const text = marketFile(`rules:\n  - { id: a, action: stake, say: "do it", ${rule} }\n`);
  const { files, diagnostics } = compileTexts({ market: text });
  const rules = files.flatMap((file) => file.rules);
  return {
    attempts: rules.filter(({ status }) => status === "reverted"),
    found: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`),
  };
}

function attemptsIn(rule: string): CompiledRule[] {
  const { attempts, found } = compile(rule);
  expect(found).toEqual([]);
  return attempts;
}

const big = '{ ">": [{ var: amount }, "9"] }';

describe("an attempt", () => {
  it("is a reverted call of the act's contract, with nothing that only an act has", () => {
    const [attempt] = attemptsIn(
      "anchor: { event: Moved, absorbs: [Moved] }, at: pool, subject: { of: from, by: a keeper }, money: { x: { to: pool }, gives: some }, tried: push",
    );
    const {
      status,
      who,
      flow,
      legs,
      absorbs,
      by,
      attempt: number,
      captures,
      carries,
      anchor,
    } = attempt as CompiledRule;
    expect({ status, who, flow, legs, absorbs, by, number, captures, carries }).toEqual({
      ...{ status: "reverted", who: [], flow: null, legs: [], absorbs: [], by: null, number: 0, carries: null },
      captures: new Map(),
    });
    expect(anchor).toMatchObject({ kind: "call", call: { name: "push" }, gate: set(...pool) });
    expect([attempt?.premise({} as never), attempt?.where({} as never)]).toEqual([true, true]);
  });

  it.each<[string, object[]]>([
    ["anchor: { event: Moved }, at: pool, tried: [push, move]", [set(...pool), set(...pool)]],
    ["anchor: { event: Moved, within: push, calls_at: factory }, at: pool, tried: push", [set(factory)]],
    [
      "anchor: { event: Moved, within: push, calls_at: factory }, at: pool, tried: [{ call: push, at: made }]",
      [{ kind: "proof" }],
    ],
    ["anchor: { event: Moved }, at: pool, tried: [{ call: [push, move], at: factory }]", [set(factory), set(factory)]],
  ])("of %s goes there", (rule, gates) => {
    const attempts = attemptsIn(rule);
    expect(attempts.map(({ anchor }) => ("gate" in anchor ? anchor.gate : null))).toMatchObject(gates);
    expect(attempts).toHaveLength(gates.length);
  });

  it("of an act that only money decides may be whatever reverted", () => {
    const anchorOf = (rule: string) => attemptsIn(`${rule}, tried: any`).map(({ anchor }) => anchor.kind);
    expect([
      anchorOf("money: { gives: some }"),
      anchorOf("anchor: { call: move }"),
      anchorOf("anchor: { event: Moved }"),
    ]).toEqual([...[["none"], ["call"], ["call"]]]);
    expect(anchorOf("anchor: { transfer: { to: pool } }")).toEqual(["call"]);
    expect(attemptsIn("money: { gives: some }, at: pool, tried: any").map(({ anchor }) => anchor.kind)).toEqual([
      "call",
    ]);
    expect(attemptsIn("money: { gives: some }, tried: push").map(({ anchor }) => anchor.kind)).toEqual(["call"]);
  });

  it("is told where an earlier one of the same call does not fit", () => {
    const holds = (rule: string, amount: bigint) =>
      attemptsIn(rule).map(({ where }) => where({ args: [amount] } as never));
    const two = `anchor: { call: any }, at: pool, tried: [{ call: move, when: ${big} }, { call: move }]`;
    expect([holds(two, 10n), holds(two, 9n)]).toEqual([
      [true, false],
      [false, true],
    ]);
    const three = `anchor: { call: any }, at: pool, tried: [{ call: move, when: ${big} }, { call: move, when: ${big.replace("9", "5")} }, { call: move }]`;
    expect([holds(three, 10n), holds(three, 6n), holds(three, 1n)]).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
    const elsewhere = `anchor: { call: any }, at: pool, tried: [{ call: move, when: ${big} }, { call: move, at: factory }]`;
    expect(holds(elsewhere, 10n)).toEqual([true, true]);
    const none = `anchor: { call: any }, at: pool, tried: [{ call: move, when: ${big} }, { call: move, when: ${big} }]`;
    expect([holds(none, 10n), holds(none, 1n)]).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  it("takes over what the act tells, as far as its call has it", () => {
    const context = { args: [bob, "0x12"], call: { to: pool[0] } } as never;
    const captures =
      "values: { x: input.to as address, y: emitter as address, z: amount as count, w: [{ address: input.to }, { bytes: input.data }], n: { quantity: input.to, decimals: '3' } }";
    const own = compile(`anchor: { event: Moved, within: push }, at: pool, ${captures}, tried: push`).found;
    expect(own).toEqual([expect.stringMatching(/`input.to` is address, uint or int was expected$/)]);
    const told = captures.replace(/, n: .*/, " }");
    const taken = attemptsIn(`anchor: { event: Moved, within: push }, at: pool, ${told}, tried: push`);
    const values = (rules: CompiledRule[]) =>
      rules.map((rule) =>
        [...rule.captures].map(([name, capture]) => [
          name,
          "get" in capture ? capture.get(context) : capture.kind === "list" ? capture.items.length : null,
        ]),
      );
    expect(values(taken)).toEqual([
      [
        ["w", 2],
        ["x", bob],
        ["y", pool[0]],
      ],
    ]);
    const stated = attemptsIn(
      `anchor: { event: Moved, within: push }, at: pool, ${told}, tried: [{ call: push, values: { x: call.to as address, more: data as bytes } }]`,
    );
    expect(values(stated)).toEqual([
      [
        ["more", "0x12"],
        ["w", 2],
        ["x", pool[0]],
        ["y", pool[0]],
      ],
    ]);
    const other = attemptsIn(
      `anchor: { event: Moved, within: push, calls_at: factory }, at: pool, ${told}, tried: [push, { call: push, at: factory }]`,
    );
    expect(values(other).map((list) => list.map(([name]) => name))).toEqual([
      ["w", "x"],
      ["w", "x"],
    ]);
  });

  it("may say on whose behalf it was, in what words, and what call it holds", () => {
    const [attempt] = attemptsIn(
      'anchor: { event: Moved }, at: pool, before: [x], tried: [{ call: push, for: to, say: "try it", before: [b], carries: { from: to, to: call.to, data: data } }]',
    );
    const context = { args: [bob, "0x12"], call: { to: pool[0] } } as never;
    expect([attempt?.actsFor?.(context), attempt?.does.text, attempt?.overrides]).toEqual([
      bob,
      "try it",
      ["market/b"],
    ]);
    expect([attempt?.carries?.from(context), attempt?.carries?.to(context), attempt?.carries?.data(context)]).toEqual([
      ...[bob, pool[0], "0x12"],
    ]);
  });

  it.each<[string, string[]]>([
    ["anchor: { call: move }, at: pool, tried: psh", ["RL302 18:84-18:87 push: `psh` is not in this file's abi"]],
    [
      "anchor: { call: move }, at: pool, tried: [push, psh]",
      ["RL302 18:91-18:94 push: `psh` is not in this file's abi"],
    ],
    [
      "anchor: { call: move }, at: pool, tried: [{ call: psh }]",
      ["RL302 18:93-18:96 push: `psh` is not in this file's abi"],
    ],
    [
      "anchor: { call: move }, at: pool, tried: [{ call: push, at: pol }]",
      ["RL302 18:103-18:106 pool: `pol` is no contract role or member of this file"],
    ],
    [
      "anchor: { call: move }, at: pool, tried: [{ call: push, when: { var: to } }]",
      ["RL403 18:112-18:114: `args.to` is address, a condition needs a bool"],
    ],
    [
      "anchor: { call: move }, at: pool, tried: [{ call: any, values: { x: data as bytes } }]",
      ["RL303 18:111-18:124: `data` names nothing here"],
    ],
  ])("is refused: %s", (rule, expected) => {
    expect(compile(rule).found).toEqual(expected);
  });

  it("asks nothing where the act asks nothing of its call", () => {
    const where = { "!": { var: "args.on" } };
    expect(conditionOf({ call: "pay", where } as never, { call: "pay" })).toBe(where);
    expect(conditionOf({ where } as never, { call: "pay" })).toBeUndefined();
  });
});

describe("the attempts that a rule lists", () => {
  it("have their places", () => {
    const list = (attempts: unknown) => attemptsOf({ attempts } as never);
    expect(list(undefined)).toEqual([]);
    expect(list("a")).toEqual([{ attempt: { call: "a" }, path: ["attempts"], callPath: ["attempts"] }]);
    expect(list(["a", { call: "b", at: "c" }])).toEqual([
      { attempt: { call: "a" }, path: ["attempts", 0], callPath: ["attempts", 0] },
      { attempt: { call: "b", at: "c" }, path: ["attempts", 1], callPath: ["attempts", 1, "call"] },
    ]);
  });

  it("may be all that it says", () => {
    const only = (entry: object) => isAttemptOnly(entry as never);
    expect(only({ attempts: "a" })).toBe(true);
    expect(only({})).toBe(false);
    for (const field of ["event", "call", "transfer", "flow", "legs", "where"])
      expect([field, only({ attempts: "a", [field]: {} })]).toEqual([field, false]);
    const { attempts } = compile("at: pool, tried: push");
    expect(attempts.map(({ id }) => id)).toEqual(["market/a"]);
    expect(
      compileTexts({
        market: marketFile(`rules:\n  - { id: a, action: stake, say: "do it", at: pool, tried: push }\n`),
      }).ruleset.rules,
    ).toHaveLength(1);
  });
});
