import { describe, expect, it } from "vitest";
import { parseMessage } from "../../../src/rules/abi/message.ts";
import type { FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { UnsupportedError } from "../../../src/tools/erc7730/descriptor/part.ts";
import { joinPath, locate, plainPath } from "../../../src/tools/erc7730/fields/path.ts";

const item = parseSignature(
  "function act(uint256 n, uint8 small, bytes data, bytes32 word, bytes4 four, address to, (uint256[] list, (address to, uint256 sum)[3] pairs) order, uint256[][] deep, string text)",
) as FunctionItem;
const message = parseMessage("message Act(address to,uint256 n)");
const once = { loose: false, each: null, elements: 0, bytes: 0 };

describe("a path is located", () => {
  it.each([
    ["#.n", "uint", { path: "args.n", type: "uint", slot: "n", ...once }],
    ["n", "address", { path: "args.n.addressAt.12", type: "address", slot: "n", ...once }],
    ["word", "address", { path: "args.word.address", type: "address", slot: "word", ...once, loose: true }],
    ["word", "uint", { path: "args.word", type: "bytes", slot: "word", ...once }],
    ["four", "address", { path: "args.four", type: "bytes", slot: "four", ...once }],
    ["to", "address", { path: "args.to", type: "address", slot: "to", ...once }],
    ["text", "uint", { path: "args.text", type: "string", slot: "text", ...once }],
    ["data", "uint", { path: "args.data", type: "bytes", slot: "data", ...once }],
    ["order.list", "uint", { path: "item", type: "uint", slot: null, ...once, each: "args.order.list" }],
    ["order.pairs.[].sum", "uint", { path: "item.sum", type: "uint", slot: null, ...once, each: "args.order.pairs" }],
    ["order.list.length", "uint", { path: "args.order.list.length", type: "uint", slot: null, ...once }],
    [
      "order.list[7]",
      "uint",
      { path: "args.order.list.7", type: "uint", slot: "order.list.*", ...once, loose: true, elements: 8 },
    ],
    [
      "order.list.[-8]",
      "uint",
      { path: "args.order.list.-8", type: "uint", slot: "order.list.*", ...once, loose: true, elements: 8 },
    ],
    [
      "order.pairs.[2].to",
      "address",
      { path: "args.order.pairs.2.to", type: "address", slot: "order.pairs.*.to", ...once, elements: 3 },
    ],
    [
      "order.pairs.[-3].sum",
      "uint",
      { path: "args.order.pairs.-3.sum", type: "uint", slot: "order.pairs.*.sum", ...once, elements: 3 },
    ],
    [
      "deep.[4].[1]",
      "uint",
      { path: "args.deep.4.1", type: "uint", slot: "deep.*.*", ...once, loose: true, elements: 5 },
    ],
    [
      "deep.[0].[]",
      "uint",
      { path: "item", type: "uint", slot: null, loose: true, each: "args.deep.0", elements: 1, bytes: 0 },
    ],
    ["small.[0:1]", "uint", { path: "args.small.uintAt.0.1", type: "uint", slot: null, ...once, bytes: 1 }],
    ["small.[-1:]", "uint", { path: "args.small.uintAt.0.1", type: "uint", slot: null, ...once, bytes: 1 }],
    ["n.[-4:-2]", "uint", { path: "args.n.uintAt.28.2", type: "uint", slot: null, ...once, bytes: 30 }],
    [
      "order.list.[1].[:4]",
      "uint",
      {
        path: "args.order.list.1.uintAt.0.4",
        type: "uint",
        slot: null,
        each: null,
        loose: true,
        elements: 2,
        bytes: 4,
      },
    ],
    [
      "data.[236:256]",
      "address",
      { path: "args.data.addressAt.236", type: "address", slot: null, ...once, loose: true, bytes: 256 },
    ],
    [
      "data.[-256:-236]",
      "address",
      { path: "args.data.addressAt.-256", type: "address", slot: null, ...once, loose: true, bytes: 256 },
    ],
    ["@.from", "uint", { path: "call.from", type: "address", slot: null, ...once }],
    ["@.to", "uint", { path: "call.to", type: "address", slot: null, ...once }],
    ["@.value", "uint", { path: "call.value", type: "uint", slot: "@value", ...once }],
  ] as const)("%s as %s", (path, view, value) => {
    expect(locate(path, item, view)).toEqual(value);
  });

  it.each([
    ["@.from", { path: "subject", type: "address", slot: null, ...once }],
    ["@.to", { path: "domain.verifyingContract", type: "address", slot: null, ...once }],
    ["n", { path: "args.n", type: "uint", slot: "n", ...once }],
  ])("%s of a message", (path, value) => {
    expect(locate(path, message, "uint")).toEqual(value);
  });
});

describe("a path is refused", () => {
  const nowhere = "a path that the signature does not have";
  it.each([
    [undefined, "uint", "a field without a path"],
    [5, "uint", "a field without a path"],
    ["", "uint", "a field without a path"],
    ["@.chainId", "uint", "a path that does not lead into the call"],
    ["$.metadata.owner", "uint", "a path that does not lead into the call"],
    ["gone", "uint", nowhere],
    ["order.gone", "uint", nowhere],
    ["n.gone", "uint", nowhere],
    ["n.[:]", "uint", nowhere],
    ["order.list.first", "uint", nowhere],
    ["order.list.[8]", "uint", "an element beyond the 8 that an example has"],
    ["order.list.[-9]", "uint", "an element beyond the 8 that an example has"],
    ["order.pairs.[3].to", "uint", nowhere],
    ["order.pairs.[-4].to", "uint", nowhere],
    ["order.list.[1:]", "uint", "a part of an array"],
    ["deep.[].[]", "uint", "arrays inside of an array"],
    ["order.list.length.x", "uint", "a path that goes on behind a slice"],
    ["to.[0:20]", "address", "a slice of a value that has no bytes"],
    ["text.[0:2]", "uint", "a slice of a value that has no bytes"],
    ["small.[-2:]", "uint", "a slice that is not one number or address"],
    ["small.[0:2]", "uint", "a slice that is not one number or address"],
    ["data.[493:513]", "address", "bytes beyond the 512 that an example has"],
    ["data.[-513:-493]", "address", "bytes beyond the 512 that an example has"],
  ] as const)("%s as %s", (path, view, reason) => {
    expect(() => locate(path, item, view)).toThrow(new UnsupportedError(reason));
  });

  it("of a message that has no ether", () => {
    expect(() => locate("@.value", message, "uint")).toThrow("a path that does not lead into the call");
  });
});

it("equal paths have one spelling", () => {
  const spelled = ["#.a[0].b", "a.[0].b", "#.a.[0].b", "@.from", "$.metadata.x[0]"].map(plainPath);
  expect(spelled).toEqual(["a.[0].b", "a.[0].b", "a.[0].b", "@.from", "$.metadata.x[0]"]);
});

it("a path stands behind that of its group, unless it starts at the call or the descriptor", () => {
  const joined = (
    [
      ["", "a"],
      ["g", "a"],
      ["g", "#.a"],
      ["g", "@.to"],
      ["g", "$.metadata.x"],
    ] as const
  ).map(([group, path]) => joinPath(group, path));
  expect(joined).toEqual(["a", "g.a", "#.a", "@.to", "$.metadata.x"]);
});
