import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { listArguments, placeholderOf, snakeCase } from "../../../src/tools/lint/scaffold/argument.ts";
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

  it("is found in what compilers and explorers answer, with what Solidity says behind the parameters", () => {
    const inputs: unknown[] = [];
    const abi = [
      { type: "function", name: "total", stateMutability: "view", inputs },
      { type: "function", name: "enter", stateMutability: "payable", inputs },
      { type: "function", name: "leave", stateMutability: "nonpayable", inputs },
    ];
    const read = [{ name: "total", view: true }, { name: "enter", payable: true }, { name: "leave" }];
    const found = (text: string) => readAbiText(text).map(({ signature: _, item: __, ...facts }) => facts);
    const text = JSON.stringify(abi);
    for (const answer of [
      ...[
        abi,
        { abi },
        { status: "1", message: "OK", result: text },
        { result: [{ ABI: text, ContractName: "Pool" }] },
      ],
      { name: "Pool", abi: text },
    ])
      expect(found(JSON.stringify(answer))).toEqual(read);
    expect(
      found(
        "function total() external view returns (uint256)\nfunction enter() public payable;\nfunction leave() external",
      ),
    ).toEqual(read);
    const refused = { status: "0", message: "NOTOK", result: "Contract source code not verified" };
    expect(() => readAbiText(JSON.stringify(refused))).toThrow("the JSON holds no function and no event");
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
  expect(args.map((one) => [one.path, placeholderOf(one)])).toEqual([
    ["request.owner", "{request.owner}"],
    ["request.terms.amount", "{request.terms.amount as count}"],
    ["request.terms.unlockTime", "{request.terms.unlockTime as time}"],
    ["note", "{note}"],
  ]);
  const ids = parseSignature("function f(uint256 tokenId, uint256 index, uint256 bid, uint256 count)").inputs;
  expect(listArguments(ids, [1n, 2n, 3n, 4n]).map(placeholderOf)).toEqual([
    "{tokenId as id}",
    "{index as id}",
    "{bid as count}",
    "{args.count as count}",
  ]);
  expect(snakeCase("eTokenAmountUSD")).toBe("e_token_amount_usd");
});

it("arguments are read through three structs in one another", () => {
  const inputs = parseSignature("function f((uint8 a, (uint8 b, (uint8 c, (uint8 d) x) y) z) w)").inputs;
  const paths = listArguments(inputs, [[1n, [2n, [3n, [4n]]]]]).map(({ path }) => path);
  expect(paths).toEqual(["w.a", "w.z.b", "w.z.y.c"]);
});

it.each<[string, string, bigint | boolean, string | undefined]>([
  ["uint64", "endTime", 1_000_000_000n, "{x as count}"],
  ["uint64", "endTime", 1_000_000_001n, "{x as time}"],
  ["uint64", "endTime", 2_999_999_999n, "{x as time}"],
  ["uint64", "endTime", 3_000_000_000n, "{x as count}"],
  ["uint64", "endTime", 5n, "{x as count}"],
  ["int64", "endTime", 1_800_000_000n, "{x as count}"],
  ["uint64", "amount", 1_800_000_000n, "{x as count}"],
  ["bool", "on", true, "{x}"],
])("an argument %s %s that is %s is printed by %s", (type, name, value, placeholder) => {
  const [kind] = parseSignature(`function f(${type} x)`).inputs.items;
  expect(placeholderOf({ path: "x", name, type: kind as never, value })).toBe(placeholder);
});

it("names of captures have no signs around them", () => {
  expect(["_owner_", "to--whom", "$"].map(snakeCase)).toEqual(["owner", "to_whom", ""]);
});
