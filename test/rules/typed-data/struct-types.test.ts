import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import { readTypes } from "../../../src/rules/typed-data/struct-types.ts";
import { refusalOf } from "./refusal.ts";
import { members } from "./sample.ts";

describe("types", () => {
  const many = (count: number, name: (i: number) => string) => Array.from({ length: count }, (_, i) => name(i));

  it.each<[unknown, string | null]>([
    [{ A: [] }, null],
    [{ A: members("uint256 x") }, null],
    [{ A: members("B[2][][3][4] x"), B: [] }, null],
    [{ A: members("B[2][][3][4][5] x"), B: [] }, "`A.x` has the type `B[2][][3][4][5]`, which is none."],
    [{ A: members(`B${"[2]".repeat(10)} x`), B: [] }, null],
    [{ A: members(`B${"[2]".repeat(11)} x`), B: [] }, `\`A.x\` has the type \`B${"[2]".repeat(11)}\`, which is none.`],
    [{ A: members("B[0] x"), B: [] }, "`A.x` has the type `B[0]`, which is none."],
    [{ A: members("B[9999] x"), B: [] }, null],
    [{ A: members("B[10000] x"), B: [] }, "`A.x` has the type `B[10000]`, which is none."],
    [{ A: [{ name: "x", type: 1 }] }, "`A.x` has the type `1`, which is none."],
    [{ A: [{ name: 1, type: "bool" }] }, "the type `A` has a member without a plain name."],
    [{ A: [null] }, "a member of the type `A` is no object."],
    [{ A: {} }, "the type `A` is no list of members."],
    [{ "a b": [] }, "`a b` is no name for a type."],
    [{ bool: [] }, "`bool` is no name for a type."],
    [{ A: [{ name: null, type: "bool" }] }, "the type `A` has a member without a plain name."],
    [{ A: [{ name: "x", type: null }] }, "`A.x` has the type `nothing`, which is none."],
    [null, "`types` is no object."],
    ["A", "`types` is no object."],
    [Object.fromEntries(many(limits.typedStructsMax, (i) => `T${i}`).map((name) => [name, []])), null],
    [
      Object.fromEntries(many(limits.typedStructsMax + 1, (i) => `T${i}`).map((name) => [name, []])),
      `there are more than ${limits.typedStructsMax} types.`,
    ],
    [{ A: many(limits.typedMembersMax, (i) => `x${i}`).map((name) => ({ name, type: "bool" })) }, null],
    [
      { A: many(limits.typedMembersMax + 1, (i) => `x${i}`).map((name) => ({ name, type: "bool" })) },
      `the type \`A\` has more than ${limits.typedMembersMax} members.`,
    ],
  ])("%# are read or refused", (raw, problem) => {
    expect(refusalOf(() => readTypes(raw))).toBe(problem);
  });

  it("are kept in their order, without what is no part of a type", () => {
    expect([...readTypes({ A: [{ name: "x", type: "B", more: 1 }], B: [] })]).toEqual([
      ["A", [{ name: "x", type: "B" }]],
      ["B", []],
    ]);
  });
});
