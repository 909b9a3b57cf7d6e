import { describe, expect, it } from "vitest";
import { listFields } from "../../../src/rules/typed-data/fields.ts";
import { structsOf } from "./sample.ts";

describe("the fields of a message", () => {
  const types = structsOf({ A: "B[] list, uint8[2] pair, B one, bool[] none", B: "address to, bool yes" });
  const message = {
    primaryType: "A",
    types,
    values: [
      [
        ["0x1", true],
        ["0x2", false],
      ],
      [1n, 2n],
      ["0x3", true],
      [],
    ],
  };
  const all = [
    { path: "list[0].to", type: "address", value: "0x1" },
    { path: "list[0].yes", type: "bool", value: true },
    { path: "list[1].to", type: "address", value: "0x2" },
    { path: "list[1].yes", type: "bool", value: false },
    { path: "pair[0]", type: "uint8", value: 1n },
    { path: "pair[1]", type: "uint8", value: 2n },
    { path: "one.to", type: "address", value: "0x3" },
    { path: "one.yes", type: "bool", value: true },
    { path: "none", type: "bool[]", value: [] },
  ];

  it.each([0, 1, 8, 9, 10])("are listed one by one, at most %i, and counted", (max) => {
    expect(listFields(message as never, max)).toEqual({ fields: all.slice(0, max), count: 9 });
  });
});
