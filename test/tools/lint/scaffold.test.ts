import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { captureText, listArguments, snakeCase } from "../../../src/tools/lint/scaffold/argument.ts";
import { roleFromName, unusedRole } from "../../../src/tools/lint/scaffold/guess.ts";
import { readAbiText, writeAbi } from "../../../src/tools/lint/scaffold/published-abi.ts";

describe("an ABI", () => {
  const order = {
    name: "orders",
    type: "tuple[]",
    components: [
      { name: "to", type: "address" },
      { name: "", type: "uint256[2]" },
    ],
  };

  it("is written as signatures, structs inline and every parameter named", () => {
    const abi = [
      { type: "function", name: "fill", inputs: [order, { name: "", type: "bytes" }] },
      {
        type: "event",
        name: "Filled",
        inputs: [
          { name: "by", type: "address", indexed: true },
          { name: "amount", type: "uint256", indexed: false },
        ],
      },
      { type: "constructor", inputs: [] },
      { type: "function", name: "odd", inputs: [{ name: "x", type: "fixed128x18" }] },
    ];
    const signatures = [
      "function fill((address to, uint256[2] arg1)[] orders, bytes arg1)",
      "event Filled(address indexed by, uint256 amount)",
    ];
    for (const text of [JSON.stringify(abi), JSON.stringify({ abi })])
      expect(readAbiText(text).map(({ signature }) => signature)).toEqual(signatures);
    expect(readAbiText(`// of the repository\n${signatures.join(";\n")};\n`).map(({ signature }) => signature)).toEqual(
      signatures,
    );
  });

  it("is read through the blanks around it", () => {
    const signatures = (text: string) => readAbiText(text).map(({ signature }) => signature);
    const run = { type: "function", name: "run", inputs: [{ type: "uint256", name: 7 }] };
    expect(signatures(`\n [${JSON.stringify(run)}]`)).toEqual(["function run(uint256 arg0)"]);
    expect(signatures("  function run(uint256 a);  \r\n\tevent Ran();\n")).toEqual([
      ...["function run(uint256 a)", "event Ran()"],
    ]);
  });

  it("gives functions and events that have a name and inputs, up to two thousand", () => {
    const run = { type: "function", name: "run", inputs: [] };
    const others = [
      { ...run, type: "error" },
      { ...run, type: "constructor" },
      { ...run, name: undefined },
      { ...run, name: 5 },
      { ...run, inputs: undefined },
      { ...run, inputs: [null] },
      null,
    ];
    expect(writeAbi([...others, run]).map(({ signature }) => signature)).toEqual(["function run()"]);
    const many = Array.from({ length: 2001 }, (_, i) => ({ ...run, name: `run${i}` }));
    expect(writeAbi(many)).toHaveLength(2000);
  });

  it.each(["", "hello", "[]", "{}", "[1, null]", '{"abi": 7}', "event Nameless(uint256)"])(
    "is refused with a reason: %j",
    (text) => {
      expect(() => readAbiText(text)).toThrow(/\w/);
    },
  );

  it("may be anything that a server sends", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.array(fc.record({ type: fc.constantFrom("event", "function"), name: fc.string(), inputs: fc.jsonValue() })),
        (any, list) => {
          for (const abi of [any, list])
            for (const { signature, item } of writeAbi(abi)) expect(parseSignature(signature).hash).toBe(item.hash);
        },
      ),
    );
  });
});

describe("a role", () => {
  it.each([
    ["LendingPoolV2", "lending_pool"],
    ["VotingEscrow", "voting_escrow"],
    ["NFTMarketUpgradeable", "nft_market"],
    ["0xRouter", "x_router"],
    ["TransparentUpgradeableProxy", undefined],
    ["", undefined],
    [null, undefined],
  ])("from the name %j is %j", (name, role) => {
    expect(roleFromName(name)).toBe(role);
  });

  it("is one that rule files may have, and given once", () => {
    const used = new Set<string>();
    fc.assert(
      fc.property(fc.string(), (name) => {
        const role = roleFromName(name);
        if (role === undefined) return;
        const before = new Set(used);
        const own = unusedRole(role, used);
        expect(own).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(before.has(own)).toBe(false);
      }),
    );
  });
});

it("arguments are read through structs, and captured by what they are", () => {
  const item = parseSignature(
    "function lock((address owner, (uint256 amount, uint256 unlockTime) terms, bytes data) request, string note, uint8[] kinds)",
  );
  const values = [["0x01", [5n, 1_800_000_000n], "0x"], "hi", [1n]];
  const args = listArguments(item.inputs, values);
  expect(args.map((one) => [one.path, captureText(one)])).toEqual([
    ["args.request.owner", "args.request.owner as address"],
    ["args.request.terms.amount", "args.request.terms.amount as count"],
    ["args.request.terms.unlockTime", "args.request.terms.unlockTime as time"],
    ["args.note", "args.note as text"],
  ]);
  const ids = parseSignature("function f(uint256 tokenId, uint256 index, uint256 bid, uint256 count)").inputs;
  expect(listArguments(ids, [1n, 2n, 3n, 4n]).map(captureText)).toEqual([
    "args.tokenId as id",
    "args.index as id",
    "args.bid as count",
    "args.count as count",
  ]);
  expect(snakeCase("eTokenAmountUSD")).toBe("e_token_amount_usd");
});

it("arguments are read through three structs in one another", () => {
  const inputs = parseSignature("function f((uint8 a, (uint8 b, (uint8 c, (uint8 d) x) y) z) w)").inputs;
  const paths = listArguments(inputs, [[1n, [2n, [3n, [4n]]]]]).map(({ path }) => path);
  expect(paths).toEqual(["args.w.a", "args.w.z.b", "args.w.z.y.c"]);
});

it.each<[string, string, bigint | boolean, string | undefined]>([
  ["uint64", "endTime", 1_000_000_000n, "args.x as count"],
  ["uint64", "endTime", 1_000_000_001n, "args.x as time"],
  ["uint64", "endTime", 2_999_999_999n, "args.x as time"],
  ["uint64", "endTime", 3_000_000_000n, "args.x as count"],
  ["uint64", "endTime", 5n, "args.x as count"],
  ["int64", "endTime", 1_800_000_000n, "args.x as count"],
  ["uint64", "amount", 1_800_000_000n, "args.x as count"],
  ["bool", "on", true, "args.x as boolean"],
])("an argument %s %s that is %s is captured as %s", (type, name, value, capture) => {
  const [kind] = parseSignature(`function f(${type} x)`).inputs.items;
  expect(captureText({ path: "args.x", name, type: kind as never, value })).toBe(capture);
});

it("names of captures have no signs around them", () => {
  expect(["_owner_", "to--whom", "$"].map(snakeCase)).toEqual(["owner", "to_whom", ""]);
});
