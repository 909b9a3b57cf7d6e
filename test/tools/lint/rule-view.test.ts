import { describe, expect, it } from "vitest";
import { entriesOf, isUsable, relatedTo, tellingsOf, viewRules } from "../../../src/tools/lint/rule-view.ts";

const entries = [
  {
    id: "pay",
    capture: { amount: { amount: "args.amount" } },
    does: "pay",
    attempts: ["pay", { call: "payAll", capture: { n: { integer: "args.n" } }, does: "pay all" }],
  },
  { id: "got", attempts: "get" },
  { id: "pay", does: "pay twice" },
];
const rule = (id: string, attempt: number | null = null) => ({ id, attempt });
const fileOf = (rules: object[], document: object = { protocol: "desk", rules: entries }) =>
  ({
    document,
    rules,
    scope: {},
    source: { file: "desk.yaml", rangeOf: (path: unknown[]) => path.join("/") },
  }) as never;

describe("rules beside their text", () => {
  it("have entries in the order of the file", () => {
    expect(entriesOf(fileOf([]))).toEqual([
      { entry: entries[0], id: "desk/pay", at: ["rules", 0] },
      { entry: entries[1], id: "desk/got", at: ["rules", 1] },
      { entry: entries[2], id: "desk/pay", at: ["rules", 2] },
    ]);
    expect(entriesOf(fileOf([], { protocol: "desk" }))).toEqual([]);
  });

  it("belong to the first entry of their id, and to its attempt", () => {
    const file = fileOf([
      rule("desk/got"),
      rule("desk/pay"),
      rule("desk/pay", 1),
      rule("desk/pay", 9),
      rule("desk/got", 0),
    ]);
    const views = viewRules(file).map(({ rule, entry, at, attempt, file: own }) => {
      expect(own).toBe(file);
      return [rule.id, entries.indexOf(entry as never), at, attempt?.attempt.call ?? null];
    });
    expect(views).toEqual([
      ["desk/got", 1, ["rules", 1], null],
      ["desk/pay", 0, ["rules", 0], null],
      ["desk/pay", 0, ["rules", 0], "payAll"],
      ["desk/pay", 0, ["rules", 0], null],
      ["desk/got", 1, ["rules", 1], "get"],
    ]);
  });

  it("tell the act first, then each attempt", () => {
    const [pay, got] = entriesOf(fileOf([])).map(tellingsOf);
    expect(pay).toEqual([
      { at: ["rules", 0], captures: entries[0]?.capture, does: "pay" },
      { at: ["rules", 0, "attempts", 0], captures: {}, does: undefined },
      { at: ["rules", 0, "attempts", 1], captures: { n: { integer: "args.n" } }, does: "pay all" },
    ]);
    expect(got).toEqual([
      { at: ["rules", 1], captures: {}, does: undefined },
      { at: ["rules", 1, "attempts"], captures: {}, does: undefined },
    ]);
  });
});

describe("a rule file", () => {
  it.each([
    [{ document: {}, scope: {} }, true],
    [{ document: {} }, false],
    [{ scope: {} }, false],
    [{}, false],
  ])("%j is usable: %s", (file, usable) => {
    expect(isUsable(file as never)).toBe(usable);
  });

  it("is referred to by a place and a message", () => {
    expect(relatedTo(fileOf([]), ["rules", 1], "here")).toEqual([
      { file: "desk.yaml", range: "rules/1", message: "here" },
    ]);
  });
});
