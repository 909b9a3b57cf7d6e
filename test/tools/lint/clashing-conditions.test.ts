import { describe, expect, it } from "vitest";
import {
  type ConditionNames,
  conditionsClash,
  conjuncts,
  pinDifferentSides,
} from "../../../src/tools/lint/checks/set/condition-clash.ts";

const [a, b] = ["a", "b"].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
/** One event calls an argument `args.value`, the other calls it `args.amount`. */
const names: ConditionNames = {
  key: (path) => path.replace("args.value", "args.amount"),
  role: (name) => (name === "desk" ? [a] : undefined),
};
const [n, who, to, up] = ["args.n", "args.who", "args.to", "args.up"].map((path) => ({ var: path }));
const not = (part: unknown) => ({ "!": [part] });
const uint = (operator: string, value: string) => ({ [operator]: [n, value] });
const turned = (operator: string, value: string) => ({ [operator]: [value, n] });
const is = (text: unknown) => ({ "==": [who, text] });
const among = (...texts: string[]) => ({ in: [who, texts] });
const at = (address: string) => ({ "==": [who, address] });
const starts = (hex: string) => ({ starts: [who, hex] });
const clash = (one: unknown, other: unknown) => conditionsClash(conjuncts(one), conjuncts(other), [names, names]);
/** An `or` in an `or`, so many deep. */
const deep = (depth: number): object => ({ or: [depth === 1 ? uint("==", "1") : deep(depth - 1), uint("==", "2")] });

describe("conditions that cannot both hold", () => {
  it.each<[unknown, unknown]>([
    [uint("==", "1"), uint("==", "2")],
    [uint(">", "2"), uint("<", "3")],
    [uint(">", "2"), uint("<=", "2")],
    [uint(">=", "3"), uint("<=", "2")],
    [uint("<", "2"), uint(">=", "2")],
    [turned("<", "2"), uint("<=", "2")],
    [turned("<=", "2"), uint("<", "2")],
    [turned(">", "2"), uint(">=", "2")],
    [turned(">=", "2"), uint(">", "2")],
    [turned("==", "2"), uint("==", "3")],
    [{ "<": [n, "-1"] }, { ">=": [n, "-1"] }],
    [not(uint(">", "2")), uint(">", "3")],
    [not(uint(">=", "2")), uint("==", "2")],
    [not(uint("<=", "2")), uint("==", "2")],
    [not(uint("==", "2")), uint("==", "2")],
    [is("x"), is("y")],
    [among("x", "y"), among("z", "w")],
    [{ "!=": [who, "x"] }, is("x")],
    [not(among("x", "y")), is("x")],
    [not({ "!=": [who, "x"] }), is("y")],
    [at(a), at(b)],
    [at("desk"), at(b)],
    [{ in: [who, [a]] }, { in: [who, [b, "zero"]] }],
    [is(null), is("x")],
    [starts("0x12"), starts("0x34")],
    [not(starts("0x12")), starts("0x1234")],
    [{ or: [uint("==", "1"), uint("==", "2")] }, uint("==", "3")],
    [deep(3), uint("==", "3")],
    [up, not(up)],
    [up, not([up])],
    [{ var: "args.value" }, not({ var: "args.amount" })],
    [{ "==": [{ var: "args.value" }, "1"] }, { "==": [{ var: "args.amount" }, "2"] }],
    [
      [up, uint("==", "1")],
      [not(to), uint("==", "2")],
    ],
  ])("%j and %j", (one, other) => {
    expect([clash(one, other), clash(other, one)]).toEqual([true, true]);
  });

  it.each<[unknown, unknown]>([
    [uint("==", "1"), uint("==", "1")],
    [uint(">", "2"), uint("<=", "3")],
    [uint(">=", "2"), uint("<=", "2")],
    [uint("<", "3"), uint(">=", "2")],
    [turned("<", "2"), uint("<=", "3")],
    [turned("<=", "2"), uint("<=", "2")],
    [turned(">", "2"), uint(">=", "1")],
    [turned(">=", "2"), uint(">", "1")],
    [uint("most", "1"), uint("most", "2")],
    [{ "==": [to, "1"] }, uint("==", "2")],
    [{ "==": [n, to] }, uint("==", "2")],
    [not(uint(">", "3")), uint(">", "2")],
    [not(uint(">=", "2")), uint("==", "1")],
    [not(uint("<=", "2")), uint("==", "3")],
    [not(uint("==", "2")), uint(">=", "2")],
    [not(uint("==", "2")), uint("<=", "2")],
    [not(uint("<=", "2")), uint(">=", "1")],
    [not(uint(">=", "2")), uint("<=", "5")],
    [not(uint("==", "1")), not(uint("==", "2"))],
    [not(uint(">", "3")), not(uint(">", "2"))],
    [{ ">": [to, "3"] }, not(uint(">", "2"))],
    [among("x", "y"), among("y", "z")],
    [{ "!=": [who, "x"] }, is("y")],
    [not(among("x", "y")), among("x", "z")],
    [at("desk"), at(a)],
    [at("zero"), at(`0x${"0".repeat(40)}`)],
    [at(a), at(a.toUpperCase().replace("0X", "0x"))],
    [{ in: [who, [{ var: "args.to" }]] }, is("x")],
    [starts("0x12"), starts("0x1234")],
    [not(starts("0x1234")), starts("0x12")],
    [{ starts: ["0x12", who] }, starts("0x34")],
    [not(starts("0x12")), is("0x12")],
    [not(is("0x12")), starts("0x12")],
    [starts("0x12"), is("x")],
    [{ "==": [n, "x"] }, uint(">", "1")],
    [{ like: [who, "x"] }, { like: [who, "y"] }],
    [{ like: [who, "x"] }, is("y")],
    [{ or: [uint("==", "1"), uint("==", "2")] }, uint("==", "2")],
    [{ or: [uint("==", "2"), uint("==", "1")] }, uint("==", "2")],
    [deep(4), uint("==", "3")],
    [up, not(to)],
    [up, up],
    [{ "==": [n, "1"], more: 1 }, uint("==", "2")],
    [[], []],
  ])("%j and %j are not among them", (one, other) => {
    expect([clash(one, other), clash(other, one)]).toEqual([false, false]);
  });
});

describe("a condition", () => {
  it.each<[unknown, unknown[]]>([
    [undefined, []],
    [
      [up, [n]],
      [up, n],
    ],
    [{ and: [up, { and: n }] }, [up, n]],
    [not(not(up)), [up]],
    [not({ "!": { and: [up, n] } }), [up, n]],
    [not({ or: [up, n] }), [{ "!": up }, { "!": n }]],
    [not([up, n]), [{ "!": { and: [up, n] } }]],
    [{ "!": up }, [{ "!": up }]],
    [{ or: [up, n] }, [{ or: [up, n] }]],
    [{ and: [up], more: 1 }, [{ and: [up], more: 1 }]],
    ["x", ["x"]],
    [null, [null]],
  ])("%j is the parts %j", (where, parts) => {
    expect(conjuncts(where)).toEqual(parts);
  });
});

describe("addresses on different sides", () => {
  const other = (...addresses: string[]) => ({ in: [to, addresses] });
  it.each<[unknown[], unknown[], boolean]>([
    [[at(a)], [other(a)], true],
    [[at("desk")], [other(a)], true],
    [[up, at(b), at(a)], [uint("==", "1"), other(b, a), other(a)], true],
    [[{ in: [who, [a, b]] }], [other(b, a)], true],
    [[at(a)], [at(a)], false],
    [[at(a)], [other(b)], false],
    [[at(a)], [other(a, b)], false],
    [[not(at(a))], [other(a)], false],
    [[at(a)], [not(other(a))], false],
    [[is("x")], [other("x")], false],
    [[uint(">", "1")], [{ ">": [to, "1"] }], false],
    [[starts("0x12")], [{ starts: [to, "0x12"] }], false],
    [[], [other(a)], false],
  ])("%j and %j: %s", (one, rival, pinned) => {
    expect(pinDifferentSides(one, rival, [names, names])).toBe(pinned);
  });
});
