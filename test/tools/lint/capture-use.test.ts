import { describe, expect, it } from "vitest";
import { captureTypes } from "../../../src/rules/ruleset/compile/capture.ts";
import { checkCaptures } from "../../../src/tools/lint/checks/capture-use.ts";

function told(...rules: object[]): unknown[][] {
  return rules.flatMap((entry, i) => [...checkCaptures({ entry, at: ["rules", i] } as never)]);
}

const of = (x: unknown) => told({ does: "give {x}", capture: { x } });
const at = ["rules", 0, "capture", "x"];
const belongs = (field: string, owner: string, type: string) => [
  ...["RL313", [...at, field], `\`${field}\` belongs to \`${owner}\`; the value is \`${type}\``],
  { key: true },
];
const lonely = (field: string, other: string) => [
  ...["RL313", [...at, field], `\`${field}\` says nothing without \`${other}\``],
  { key: true },
];

describe("the type of a capture", () => {
  it("is one", () => {
    const none = `the value has no type; one of ${captureTypes.join(", ")} was expected`;
    expect(of({})).toEqual([["RL313", at, none]]);
    expect(of({ of: "native", unit: "x" })).toEqual([["RL313", at, none]]);
    const [first, second] = captureTypes;
    const both = `the value is \`${first}\` and \`${second}\` at once; one type was expected`;
    // Which of the two has the field is not known.
    expect(of({ [second as string]: "a", [first as string]: "b", unit: "x" })).toEqual([
      ["RL313", [...at, second], both, { key: true }],
    ]);
  });

  it.each([
    ["nft", "id"],
    ["enum", "values"],
  ])("%s needs %s", (type, field) => {
    const message = `the value is \`${type}\` without \`${field}\`, which says what to show`;
    expect(of({ [type]: "args.x" })).toEqual([["RL313", at, message]]);
    expect(of({ [type]: "args.x", [field]: "args.y" })).toEqual([]);
  });

  it.each([
    ["of", "amount, at_least or at_most", ["amount", "at_least", "at_most"]],
    ["decimals", "quantity", ["quantity"]],
    ["unit", "quantity", ["quantity"]],
    ["precision", "time", ["time"]],
    ["sender", "address", ["address"]],
    ["scheme", "chain", ["chain"]],
    ["scale", "percent", ["percent"]],
    ["at", "count", ["count"]],
    ["where", "count", ["count"]],
  ])("%s belongs to %s", (field, owner, types) => {
    for (const type of types) expect(of({ [type]: "args.x", [field]: "args.y" })).toEqual([]);
    expect(of({ boolean: "args.x", [field]: "args.y" })).toEqual([belongs(field, owner, "boolean")]);
  });

  it("has fields that go together", () => {
    expect(of({ amount: "a", cap: "b", capped: "c" })).toEqual([]);
    expect(of({ amount: "a", cap: "b" })).toEqual([lonely("cap", "capped")]);
    expect(of({ amount: "a", capped: "b" })).toEqual([lonely("capped", "cap")]);
    expect(of({ integer: "a", one: "b", many: "c" })).toEqual([]);
    expect(of({ integer: "a", one: "b" })).toEqual([lonely("one", "many")]);
    expect(of({ integer: "a", many: "b" })).toEqual([lonely("many", "one")]);
    const [cap, id] = [belongs("cap", "amount", "boolean"), belongs("id", "nft", "boolean")];
    expect(of({ boolean: "a", id: "d", cap: "b", capped: "c" })).toEqual([
      cap,
      belongs("capped", "amount", "boolean"),
      id,
    ]);
    expect(of({ boolean: "a", one: "b", values: {} })).toEqual([
      lonely("one", "many"),
      belongs("one", "integer", "boolean"),
      belongs("values", "enum", "boolean"),
    ]);
  });

  it("is asked of each of a list", () => {
    expect(of([{ boolean: "a" }, { nft: "a" }, {}]).map(([code, path]) => [code, path])).toEqual([
      ["RL313", [...at, 1]],
      ["RL313", [...at, 2]],
    ]);
  });
});

describe("captures that no sentence prints", () => {
  const x = { boolean: "args.x" };
  const unprinted = (...path: unknown[]) => [
    ...["RL502", path, `\`${path.at(-1)}\` is a value that no sentence prints`],
    { key: true },
  ];

  it("are told at their rule", () => {
    expect(
      told({ does: "give {x} [to {y.short}]", capture: { y: x, x, z: x } }, { does: "give {x}", capture: { y: x } }),
    ).toEqual([unprinted("rules", 0, "capture", "z"), unprinted("rules", 1, "capture", "y")]);
    expect([told({ does: "give {x}" }), told({ capture: { x } })]).toEqual([[], [unprinted(...at)]]);
  });

  it("may be printed by an attempt; those of an attempt only by its sentence, or the rule's where it has none", () => {
    const tried = (attempt: object, does = "give {x}") =>
      told({ does, capture: { x }, attempts: [{ call: "f" }, { call: "g", ...attempt }] });
    expect(tried({ does: "try {x}" }, "give")).toEqual([]);
    expect(tried({ capture: { x } })).toEqual([]);
    expect(tried({ capture: { y: x } })).toEqual([unprinted("rules", 0, "attempts", 1, "capture", "y")]);
    expect(tried({ does: "try {y}", capture: { y: x, x } })).toEqual([
      unprinted("rules", 0, "attempts", 1, "capture", "x"),
    ]);
  });
});
