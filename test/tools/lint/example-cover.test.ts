import { describe, expect, it } from "vitest";
import { checkCopies, checkCoverage } from "../../../src/tools/lint/checks/example-cover.ts";
import { entriesOf } from "../../../src/tools/lint/rule-view.ts";

type Check = typeof checkCopies;

function told(check: Check, file: object): unknown[][] {
  return [...check(file as never)];
}

const covered: Check = function* (file) {
  for (const placed of entriesOf(file)) yield* checkCoverage(placed, file);
};

describe("examples of a rule", () => {
  const gate = { kind: "set", addresses: new Set(["0x1"]) };
  const gated = { id: "a/one", anchor: { kind: "call", call: { hash: "0x1" }, gate } };
  const cover = (examples: object[] | undefined, more: object = {}, entry: object = { call: "f" }) =>
    told(covered, {
      document: { protocol: "a", rules: [{ id: "one", ...entry }], examples },
      scope: { idOf: (text: string) => (text.includes("/") ? text : `a/${text}`) },
      source: {},
      rules: [],
      messages: [],
      ...more,
    });
  const missing = (what: string) => [["RL601", ["rules", 0, "id"], `\`one\` has no example with ${what}`]];
  const [stands, stays] = ["`rule`: where it stands", "`not`: where it does not"];

  it("show it at work, and stay away", () => {
    expect(cover([{ rule: "one" }, { not: "one" }])).toEqual([]);
    expect(cover([{ rule: "a/one" }, { not: "a/one" }])).toEqual([]);
    expect(cover([{ rule: "one" }])).toEqual(missing(stays));
    expect(cover([{ not: "one" }])).toEqual(missing(stands));
    expect(cover([{ rule: "two" }, { not: "b/one" }, {}])).toEqual(missing(`${stands}, and none with ${stays}`));
    expect(cover(undefined)).toEqual(missing(`${stands}, and none with ${stays}`));
  });

  it("need not show what a gate or a message keeps away", () => {
    expect(cover([{ rule: "one" }], { rules: [gated] })).toEqual([]);
    expect(cover([{ rule: "one" }], { messages: [{ id: "a/one" }] })).toEqual([]);
    const others = { rules: [{ ...gated, id: "a/two" }], messages: [{ id: "a/two" }] };
    expect(cover([{ rule: "one" }], others)).toEqual(missing(stays));
    const anyone = { rules: [{ ...gated, anchor: { ...gated.anchor, gate: { kind: "any" } } }] };
    expect(cover([{ rule: "one" }], anyone)).toEqual(missing(stays));
  });

  it("are not asked of what only tells how attempts are told", () => {
    expect(cover([], {}, { attempts: "f" })).toEqual([]);
    expect(cover([], {}, { call: "f", attempts: "f" })).toHaveLength(1);
  });

  it("may be in the file that the rule is taken over from", () => {
    const originOf = (path: unknown[]) => (path.join() === "rules,0" ? [] : undefined);
    expect(cover([{ not: "one" }], { source: { originOf } })).toEqual([]);
    expect(cover([{ not: "one" }], { source: { originOf: () => undefined } })).toEqual(missing(stands));
  });
});

describe("examples that are copies", () => {
  const copies = (...examples: object[]) =>
    told(checkCopies, {
      document: { examples },
      source: { file: "a.yaml", rangeOf: (path: unknown[]) => path.join("/") },
    });
  const copyAt = (i: number, field: string, first: number, message: string) => [
    ...["RL603", ["examples", i, field], message],
    { related: [{ file: "a.yaml", range: `examples/${first}/${field}`, message: "The first one" }] },
  ];
  const same = "the example repeats another one; `like` refers to it";
  const named = (name: string) => `the name \`${name}\` is given twice; a name of its own was expected`;

  it("are told by name, each with the first", () => {
    expect(
      copies({ name: "x", given: 1 }, { name: "y", given: 2 }, { name: "x", given: 3 }, { name: "x", given: 4 }),
    ).toEqual([copyAt(2, "name", 0, named("x")), copyAt(3, "name", 0, named("x"))]);
  });

  it("are told by what they are, whatever their names", () => {
    const [one, two] = [
      { tx: "0x1", rule: "a" },
      { rule: "a", tx: "0x1", name: "x" },
    ];
    expect(copies(one, { tx: "0x2", rule: "a" }, two, one)).toEqual([
      copyAt(2, "tx", 0, same),
      copyAt(3, "tx", 0, same),
    ]);
    expect(copies({ given: { to: "a", from: "b" }, rule: "a" }, { given: { from: "b", to: "a" }, not: "a" })).toEqual([
      copyAt(1, "given", 0, same),
    ]);
  });

  it("are told once: the name goes first", () => {
    expect(copies({ name: "x", tx: "0x1" }, { name: "x", tx: "0x1" })).toEqual([copyAt(1, "name", 0, named("x"))]);
  });

  it("are none where something differs", () => {
    expect(copies({ tx: "0x1", rule: "a" }, { tx: "0x1", not: "a" }, { tx: "0x2", rule: "a" })).toEqual([]);
    expect([copies(), told(checkCopies, { document: {} })]).toEqual([[], []]);
  });
});
