import { describe, expect, it } from "vitest";
import {
  DescriptorPart,
  isObject,
  orLeaveOut,
  orUnsupported,
  own,
  reportUnused,
  UnsupportedError,
  unsupported,
} from "../../../src/tools/erc7730/descriptor/part.ts";

/** A whole descriptor, and what is reported of it. */
function open(descriptor: unknown): { root: DescriptorPart; reported: string[] } {
  const reported: string[] = [];
  const root = DescriptorPart.root(descriptor, (place, reason) => reported.push(`${place}: ${reason}`));
  return { root, reported };
}

describe("a part of a descriptor", () => {
  it("is found by its keys, never through a prototype", () => {
    const { root } = open({ a: { "b/c~d": [1, { e: null }] } });
    const found = root.get("a", "b/c~d", "1", "e");
    expect([root.pointer, root.get("a", "b/c~d")?.pointer]).toEqual(["", "/a/b~1c~0d"]);
    // Elements of a list are found by position, not by key.
    expect(found).toBeUndefined();
    expect(
      root
        .get("a", "b/c~d")
        ?.elements()
        ?.map(({ pointer, value }) => [pointer, value]),
    ).toEqual([
      ["/a/b~1c~0d/0", 1],
      ["/a/b~1c~0d/1", { e: null }],
    ]);
    expect([root.get("toString"), root.get("a", "gone", "more"), root.get()]).toEqual([undefined, undefined, root]);
    expect([isObject({}), isObject([]), isObject(null), isObject("a")]).toEqual([true, false, false, false]);
    expect([own({ a: 1 }, "a"), own({}, "toString"), own([1], "0"), own(null, "a")]).toEqual([
      1,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("has entries only where it is an object or a list, and elements only where it is a list", () => {
    const entriesOf = (value: unknown) =>
      open(value)
        .root.entries()
        .map(([key, { pointer }]) => [key, pointer]);
    expect([entriesOf({ a: 1 }), entriesOf([1]), entriesOf(null), entriesOf("text")]).toEqual([
      [["a", "/a"]],
      [["0", "/0"]],
      [],
      [],
    ]);
    expect([open({ a: 1 }).root.elements(), open("ab").root.elements(), open([]).root.elements()]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it("is used with all that is above it in part", () => {
    const { root } = open({ a: { b: { c: 1 }, d: 2 } });
    expect(root.get("a", "b", "c")?.take()).toBe(1);
    const usage = [[], ["a"], ["a", "b"], ["a", "b", "c"], ["a", "d"]].map((keys) => root.get(...keys)?.usage);
    expect(usage).toEqual(["some", "some", "some", "all", undefined]);
    root.get("a")?.take();
    root.get("a", "d")?.take();
    expect([root.get("a")?.usage, root.usage]).toEqual(["all", "some"]);
  });

  it("has what its definition has, where it says nothing itself; objects of both are joined", () => {
    const { root } = open({
      field: { label: "Own", params: { token: 1 }, list: [1] },
      definition: { label: "Common", format: "raw", params: { token: 2, threshold: 3 }, list: { a: 1 } },
    });
    const definition = root.get("definition") as DescriptorPart;
    const field = root.get("field")?.withDefinition(definition);
    const values = [["label"], ["format"], ["params", "token"], ["params", "threshold"], ["list"], ["gone"]];
    expect(values.map((keys) => field?.get(...keys)?.value)).toEqual(["Own", "raw", 1, 3, [1], undefined]);
    expect(field?.get("params", "threshold")?.pointer).toBe("/definition/params/threshold");
    // A part that is overridden counts as used. The others are not read yet.
    const usage = [["label"], ["params", "token"], ["list"], ["format"], ["params", "threshold"]];
    expect(usage.map((keys) => definition.get(...keys)?.usage)).toEqual(["all", "all", "all", undefined, undefined]);
  });
});

describe("what cannot be expressed", () => {
  it("is reported at its exact place, else at that of the part", () => {
    const { root, reported } = open({ a: { b: 1 }, c: 2 });
    const [a, c] = [root.get("a") as DescriptorPart, root.get("c") as DescriptorPart];
    expect(orLeaveOut(a, () => unsupported("too much", a.get("b")))).toBeUndefined();
    expect([a.usage, a.get("b")?.usage]).toEqual(["all", "all"]);
    expect(orLeaveOut(c, () => unsupported("too little"))).toBeUndefined();
    expect(orLeaveOut(c, () => 7)).toBe(7);
    expect(reported).toEqual(["/a/b: too much", "/c: too little"]);
    expect(() => orLeaveOut(a, () => JSON.parse("{"))).toThrow(SyntaxError);
  });

  it("has a reason in place of whatever is thrown", () => {
    expect(orUnsupported("no number", () => 5)).toBe(5);
    expect(() => orUnsupported("no JSON", () => JSON.parse("{"))).toThrow(new UnsupportedError("no JSON"));
    expect(new UnsupportedError("x").name).toBe("UnsupportedError");
  });
});

describe("what nothing used", () => {
  const left = (descriptor: unknown, ...used: string[][]): string[] => {
    const { root, reported } = open(descriptor);
    for (const keys of used) root.get(...keys)?.take();
    reportUnused(root);
    return reported;
  };

  it("is reported once, at its outermost place", () => {
    const nothing = "a key that has no meaning here";
    expect(left({ a: { b: 1, c: { d: 2 } } }, ["a", "b"])).toEqual([`/a/c: ${nothing}`]);
    expect(left({ a: { b: 1 }, e: 1 }, ["a"])).toEqual([`/e: ${nothing}`]);
    expect(left({ a: 1 }, [])).toEqual([]);
    expect(left({ a: 1 })).toEqual([`: ${nothing}`]);
  });

  it("is each parameter, even where none is used", () => {
    expect(left({ x: 1, params: { types: [1], other: 2 } }, ["x"])).toEqual([
      "/params/types: a check of what kind of address it is: wallets make it",
      "/params/other: a key that has no meaning here",
    ]);
    expect(left({ x: 1, params: {} }, ["x"])).toEqual(["/params: empty"]);
    expect(left({ x: 1, params: "a" }, ["x"])).toEqual(["/params: a key that has no meaning here"]);
  });

  it("is no key that starts with a dollar sign, but for references and translations", () => {
    expect(left({ x: 1, $id: "a", $schema: "b", $ref: "c", $i18n: {}, $reference: 1 }, ["x"])).toEqual([
      "/$ref: a key that has no meaning here",
      "/$i18n: empty",
    ]);
  });

  it("is told apart: what is empty, what is defined, and what has a reason of its own", () => {
    const descriptor = {
      x: 1,
      empty: [],
      none: null,
      metadata: {
        constants: { a: 1 },
        enums: { e: { "1": "one", "2": "two" } },
        maps: {},
        info: { url: "x" },
        owner: "A",
      },
      display: { definitions: { d: { label: "L" }, e: { label: "M", format: "raw" } }, screens: [1] },
    };
    const defined = "defined, but nothing that is told refers to it";
    const used = [["x"], ["metadata", "enums", "e", "1"], ["display", "definitions", "d", "label"]];
    expect(left(descriptor, ...used, ["display", "definitions", "e", "label"])).toEqual([
      "/empty: empty",
      "/none: a key that has no meaning here",
      `/metadata/constants: ${defined}`,
      `/metadata/enums/e/2: ${defined}`,
      "/metadata/maps: empty",
      "/metadata/info: facts about the owner: no sentence tells them",
      "/metadata/owner: a name that another one stands for",
      "/display/definitions/e/format: a key that has no meaning here",
      "/display/screens: the layout of a wallet's screens",
    ]);
    expect(left({ display: { x: 1, definitions: { d: { label: "L" } } } }, ["display", "x"])).toEqual([
      `/display/definitions: ${defined}`,
    ]);
  });

  it.each([
    ["abi", "an ABI beside signatures that say all"],
    ["token", "facts about the token: the chain and labels tell them"],
    ["contractName", "a name that another one stands for"],
    ["type", "a check of what kind of address it is: wallets make it"],
    ["iteration", "the order of arrays"],
  ])("%s: %s", (key, reason) => {
    expect(left({ x: 1, [key]: 1 }, ["x"])).toEqual([`/${key}: ${reason}`]);
  });
});
