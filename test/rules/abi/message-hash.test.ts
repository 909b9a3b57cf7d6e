import { keccak256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { parseMessage } from "../../../src/rules/abi/message.ts";
import { fieldNamePattern, structLayout, typeHash, typeNamePattern } from "../../../src/rules/abi/struct-type.ts";

const hashOf = (encoded: string) => keccak256(stringToHex(encoded));

describe("the hash of a message", () => {
  it("is that of its struct and of those that it refers to, however they are written", () => {
    const encoded = "Order(address maker,Fee[] fees,Zone zone)Fee(address to,uint96 amount)Zone(bytes32 id)";
    for (const text of [
      "message Order(address maker, Fee[] fees, Zone zone) Zone(bytes32 id) Fee(address to, uint96 amount)",
      "message   Order ( address   maker,Fee[] fees ,Zone zone)Fee(address to,uint96 amount)\n Zone(bytes32 id) ",
    ]) {
      const { hash, signature, taller } = { taller: null, ...parseMessage(text) };
      expect([signature, hash, taller]).toEqual([encoded, hashOf(encoded), null]);
    }
    expect(typeHash(encoded)).toBe(hashOf(encoded));
  });

  it("is another one for each height of its tree, up to ten", () => {
    const { hash, tree, types } = parseMessage("message Bulk(address who, Leaf[2]... tree, uint8 n) Leaf(uint8 n)");
    const ofHeight = (height: number) => `Bulk(address who,Leaf${"[2]".repeat(height)} tree,uint8 n)Leaf(uint8 n)`;
    expect(hash).toBe(hashOf(ofHeight(1)));
    expect(tree).toEqual({ member: 1, taller: [2, 3, 4, 5, 6, 7, 8, 9, 10].map((height) => hashOf(ofHeight(height))) });
    expect(types.get("Bulk")).toEqual([
      { name: "who", type: "address" },
      { name: "tree", type: "Leaf[2]" },
      { name: "n", type: "uint8" },
    ]);
  });

  it("is none where a struct is there twice, or nothing refers to it", () => {
    for (const [text, problem] of [
      ["message A(address a) A(address b)", "the struct A is there twice"],
      ["message A(B b) B(uint8 n) B(uint8 n)", "the struct B is there twice"],
      ["message A(address a) B(uint8 n)", "a struct is there that A does not refer to"],
      ["message A(B b) B(uint8 n) C(B b)", "a struct is there that A does not refer to"],
      ["message A(B b) B(A a)", "the struct A holds itself"],
    ] as const)
      expect(() => parseMessage(text)).toThrow(new Error(problem));
  });

  it("may be asked for again where it was none", () => {
    for (let i = 0; i < 2; i++) expect(() => parseMessage("message A(address)")).toThrow("`address` is no member");
  });
});

describe("names of structs and members", () => {
  it.each<[string, boolean, boolean]>([
    ["a", true, true],
    ["_$9", true, true],
    ["A1", true, true],
    ["App:Order", true, false],
    [":Order", false, false],
    ["1a", false, false],
    ["", false, false],
    ["a b", false, false],
    ["a-b", false, false],
    ["a".repeat(100), true, true],
    ["a".repeat(101), false, false],
  ])("may be %j: of a struct %s, of a member %s", (name, ofStruct, ofMember) => {
    expect([typeNamePattern.test(name), fieldNamePattern.test(name)]).toEqual([ofStruct, ofMember]);
  });
});

describe("the layout of a struct", () => {
  it("is that of a tuple, with structs inside of structs and lists of them", () => {
    const types = new Map([
      [
        "A",
        [
          { name: "list", type: "B[2][]" },
          { name: "one", type: "B" },
          { name: "n", type: "uint8" },
        ],
      ],
      [
        "B",
        [
          { name: "c", type: "C" },
          { name: "data", type: "bytes4" },
        ],
      ],
      [
        "C",
        [
          { name: "who", type: "address" },
          { name: "on", type: "bool" },
        ],
      ],
    ]);
    const word = { dynamic: false, words: 1 };
    const c = {
      ...{ kind: "tuple", names: ["who", "on"], dynamic: false, words: 2 },
      items: [
        { kind: "address", ...word },
        { kind: "bool", ...word },
      ],
    };
    const b = {
      ...{ kind: "tuple", names: ["c", "data"], dynamic: false, words: 3 },
      items: [c, { kind: "fixed", size: 4, ...word }],
    };
    const pair = { kind: "array", item: b, length: 2, dynamic: false, words: 6 };
    expect(structLayout("A", types)).toEqual({
      ...{ kind: "tuple", names: ["list", "one", "n"], dynamic: true, words: 1 },
      items: [
        { kind: "array", item: pair, length: null, dynamic: true, words: 1 },
        b,
        { kind: "uint", bits: 8, ...word },
      ],
    });
    expect(structLayout("Z", types)).toEqual({ kind: "tuple", names: [], items: [], dynamic: false, words: 0 });
  });

  it("is that of a struct which stands in several places, but not inside of itself", () => {
    const twice = new Map([
      [
        "A",
        [
          { name: "x", type: "B" },
          { name: "y", type: "B" },
        ],
      ],
      ["B", [{ name: "n", type: "uint8" }]],
    ]);
    expect(structLayout("A", twice).words).toBe(2);
    const round = new Map([
      ["A", [{ name: "b", type: "B[]" }]],
      ["B", [{ name: "a", type: "A" }]],
    ]);
    expect(() => structLayout("A", round)).toThrow(new Error("the struct A holds itself"));
    expect(() => structLayout("B", round)).toThrow(new Error("the struct B holds itself"));
  });
});
