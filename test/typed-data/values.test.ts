import { describe, expect, it } from "vitest";
import { elementaryLayout, type StructTypes } from "../../src/abi/struct-type.ts";
import { limits } from "../../src/kernel/limits.ts";
import { readAsked } from "../../src/typed-data/asked.ts";
import { readDomain, refuseOtherChain } from "../../src/typed-data/domain.ts";
import { listFields } from "../../src/typed-data/fields.ts";
import { readTypes } from "../../src/typed-data/struct-types.ts";
import { readTypedData } from "../../src/typed-data/typed-data.ts";
import { shownValue, TypedDataError } from "../../src/typed-data/typed-data-error.ts";
import { readElementary, ValueReader } from "../../src/typed-data/values.ts";
import { members } from "./sample.ts";

const me = `0x${"a1".repeat(20)}`;
const structs = (given: Record<string, string>): StructTypes =>
  new Map(Object.entries(given).map(([name, text]) => [name, text === "" ? [] : members(text)]));

/** What is refused, without the words that all refusals begin with. */
function refusalOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof TypedDataError)) throw error;
    return error.message.replace("The typed data cannot be read: ", "");
  }
}

describe("one value", () => {
  const read = (type: string, raw: unknown) => {
    let value: unknown = "refused";
    refusalOf(() => {
      value = readElementary(elementaryLayout(type), raw, "x");
    });
    return value;
  };

  it.each<[string, unknown, unknown]>([
    ["uint8", 255, 255n],
    ["uint8", 256, "refused"],
    ["uint8", -1, "refused"],
    ["int8", 127, 127n],
    ["int8", 128, "refused"],
    ["int8", "-128", -128n],
    ["int8", -129, "refused"],
    ["uint256", "0x1F", 31n],
    ["uint256", `0x${"f".repeat(64)}`, 2n ** 256n - 1n],
    ["uint256", `0x0${"f".repeat(64)}`, "refused"],
    ["uint256", (2n ** 256n).toString(), "refused"],
    ["uint256", `${"0".repeat(79)}7`, 7n],
    ["uint256", `${"0".repeat(80)}7`, "refused"],
    ["uint256", 7n, 7n],
    ["uint256", 2 ** 53, "refused"],
    ["uint256", " 7", "refused"],
    ["uint256", "", "refused"],
    ["uint256", "0x", "refused"],
    ["uint256", "-0x1", "refused"],
    ["uint256", true, "refused"],
    ["address", me.toUpperCase().replace("0X", "0x"), me],
    ["address", me.slice(0, -1), "refused"],
    ["bool", false, false],
    ["bool", "true", "refused"],
    ["string", "a", "a"],
    ["string", 1, "refused"],
    ["bytes", "0xAB", "0xab"],
    ["bytes", "0xA", "refused"],
    ["bytes2", "0xabcd", "0xabcd"],
    ["bytes2", "0xab", "refused"],
    ["bytes2", "0xabcdef", "refused"],
  ])("%s %s is %s", (type, raw, value) => {
    expect(read(type, raw)).toBe(value);
  });
});

describe("values of a struct", () => {
  const read = (types: Record<string, string>, raw: unknown) =>
    new ValueReader(structs(types)).struct("A", raw, "message");

  it("are in the order of its members, lists and structs as lists", () => {
    const types = { A: "B[] list, B[2] pair, uint8[][] deep, string own", B: "bool yes" };
    const yes = { yes: true };
    expect(read(types, { own: "me", deep: [[1], []], pair: [yes, { yes: false }], list: [] })).toEqual([
      [],
      [[true], [false]],
      [[1n], []],
      "me",
    ]);
  });

  it.each<[Record<string, string>, unknown, string]>([
    [{ A: "uint8[2] x" }, { x: [1] }, "`message.x` has 1 items, uint8[2] was expected."],
    [{ A: "uint8[2] x" }, { x: [1, 2, 3] }, "`message.x` has 3 items, uint8[2] was expected."],
    [{ A: "uint8[] x" }, { x: {} }, "`message.x` is no list, uint8[] was expected."],
    [{ A: "uint8[] x" }, { x: [1, "a"] }, "`message.x[1]` is `a`, which is no uint8."],
    [{ A: "B x", B: "bool y" }, { x: [] }, "`message.x` is no object, B was expected."],
    [{ A: "B[] x", B: "bool y" }, { x: [{}] }, "`message.x[0].y` is missing."],
    [{ A: "bool x" }, Object.create({ x: true }), "`message.x` is missing."],
  ])("are refused with their place: %#", (types, raw, problem) => {
    expect(refusalOf(() => read(types, raw))).toBe(problem);
  });

  it("are as many as the limit, and no more", () => {
    const many = (count: number) => refusalOf(() => read({ A: "uint8[] x" }, { x: Array(count).fill(0) }));
    expect(many(limits.typedValuesMax - 1)).toBeNull();
    expect(many(limits.typedValuesMax)).toBe(`there are more than ${limits.typedValuesMax} values.`);
  });

  it("nest as deep as the limit, and no deeper", () => {
    const chain = (depth: number): object => (depth === 0 ? { next: [] } : { next: [chain(depth - 1)] });
    const refused = (depth: number) => refusalOf(() => read({ A: "A[] next" }, chain(depth)));
    const deepest = Math.floor(limits.typedDepthMax / 2);
    expect(refused(deepest)).toBeNull();
    expect(refused(deepest + 1)).toMatch(/nests deeper than 16\.$/);
  });
});

describe("the fields of a message", () => {
  const types = structs({ A: "B[] list, uint8[2] pair, B one, bool[] none", B: "address to, bool yes" });
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

describe("a domain", () => {
  const none = { name: null, version: null, chainId: null, verifyingContract: null, salt: null };
  const salt = `0x${"5".repeat(64)}`;
  const whole = { name: "N", version: "1", chainId: 8453n, verifyingContract: me, salt };
  const every = "string name, string version, uint256 chainId, address verifyingContract, bytes32 salt";

  it.each<[object, string | null, object]>([
    [{}, null, none],
    [{ name: null, chainId: undefined }, null, none],
    [{ ...whole, chainId: 8453 }, null, whole],
    [{ ...whole, chainId: "0x2105" }, every, whole],
    [{ name: "N", salt: null }, "string name", { ...none, name: "N" }],
  ])("is read: %#", (raw, stated, domain) => {
    expect(readDomain(raw, structs(stated === null ? {} : { EIP712Domain: stated }))).toEqual(domain);
  });
});

describe("a request to sign", () => {
  const typed = (message: object) => ({ types: { A: members("string x") }, primaryType: "A", domain: {}, message });

  it("is as long as the limit, as text and as an object", () => {
    const text = JSON.stringify(typed({ x: "a" }));
    expect(refusalOf(() => readTypedData(text.padEnd(limits.typedDataCharsMax)))).toBeNull();
    expect(refusalOf(() => readTypedData(text.padEnd(limits.typedDataCharsMax + 1)))).toMatch(/^it is longer than/);
    const sized = (count: number) => refusalOf(() => readTypedData(typed({ x: "a".repeat(count) })));
    const largest = Array.from({ length: 200 }, (_, i) => limits.typedDataCharsMax - i).find((n) => sized(n) === null);
    expect([largest, sized((largest ?? 0) + 1)]).toEqual([
      65_456,
      `it is larger than ${limits.typedDataCharsMax} characters, or nests too deep.`,
    ]);
  });

  it("nests as deep as the limit, even where nothing reads it", () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    const read = (depth: number) => refusalOf(() => readTypedData(typed({ x: "a", note: nested(depth) })));
    const deepest = limits.typedDepthMax * 4 - 2;
    expect([deepest, read(deepest)]).toEqual([62, null]);
    expect(read(deepest + 1)).toBe(`it is larger than ${limits.typedDataCharsMax} characters, or nests too deep.`);
  });

  it("never has the domain for its message", () => {
    const raw = { ...typed({}), primaryType: "EIP712Domain", types: { EIP712Domain: [] } };
    expect(refusalOf(() => readTypedData(raw))).toBe("`primaryType` is `EIP712Domain`, which is none of `types`.");
    expect(refusalOf(() => readTypedData(1))).toBe("it is no object.");
  });

  it("of an authorization is told as three fields", () => {
    const fields = (chainId: bigint, nonce: bigint) => [
      { path: "chain_id", type: "uint256", value: chainId },
      { path: "address", type: "address", value: me },
      { path: "nonce", type: "uint64", value: nonce },
    ];
    const none = { name: null, version: null, verifyingContract: null, salt: null };
    expect(readAsked({ authorization: { chain_id: 0, address: me } })).toEqual({
      ...{ domain: { ...none, chainId: null }, data: null, delegate: me, fields: fields(0n, 0n), fieldCount: 3 },
    });
    expect(readAsked({ authorization: { chain_id: "0x2105", address: me, nonce: "0x7" } })).toEqual({
      ...{ domain: { ...none, chainId: 8453n }, data: null, delegate: me, fields: fields(8453n, 7n), fieldCount: 3 },
    });
    const chain_id = (2n ** 256n).toString();
    expect(refusalOf(() => readAsked({ authorization: { chain_id, address: me } }))).toMatch(
      /, which is no uint256\.$/,
    );
    const nonce = (2n ** 64n).toString();
    expect(refusalOf(() => readAsked({ authorization: { chain_id: 0, address: me, nonce } }))).toBe(
      `\`authorization.nonce\` is \`${nonce}\`, which is no uint64.`,
    );
  });

  it("of a user operation has the members that were left out", () => {
    const { data, delegate, domain, fields, fieldCount } = readAsked({
      user_operation: { sender: me, nonce: 1 },
      entry_point: me,
    });
    const empty = `0x${"0".repeat(64)}`;
    expect(data?.values).toEqual([me, 1n, "0x", "0x", empty, 0n, empty, "0x"]);
    expect([data?.primaryType, delegate, fieldCount]).toEqual(["PackedUserOperation", null, 8]);
    expect(fields.map(({ path }) => path)).toEqual([
      ...["sender", "nonce", "initCode", "callData", "accountGasLimits", "preVerificationGas", "gasFees"],
      "paymasterAndData",
    ]);
    expect(domain).toEqual({ name: "ERC4337", version: "1", chainId: 8453n, verifyingContract: me, salt: null });
  });

  it("lists no more fields than the limit, and counts them all", () => {
    const raw = { ...typed({ x: Array(40).fill(1) }), types: { A: members("uint8[] x") } };
    const { fields, fieldCount } = readAsked({ typed_data: raw });
    expect([fields.length, fieldCount]).toEqual([limits.signedFieldsMax, 40]);
  });
});

describe("another chain", () => {
  const told = (chainId: bigint | null) => refusalOf(() => refuseOtherChain(chainId, "The order"));

  it("is refused by its number, of which twenty digits are told", () => {
    expect([told(null), told(8453n)]).toEqual([null, null]);
    expect(told(1n)).toBe("The order is for chain 1; only chain 8453 (Base) is explained here.");
    const many = BigInt("12345678901234567890123");
    expect(told(many)).toBe("The order is for chain 12345678901234567890; only chain 8453 (Base) is explained here.");
  });
});

describe("a value in a refusal", () => {
  it.each<[unknown, string]>([
    [null, "nothing"],
    [undefined, "nothing"],
    [[], "a list"],
    [{}, "an object"],
    [false, "false"],
    [0, "0"],
    ["", ""],
    ["a\nb`c\\d\u00e9", "a?b?c?d?"],
    ["x".repeat(60), "x".repeat(60)],
    ["x".repeat(61), `${"x".repeat(57)}...`],
  ])("%j is shown as %s", (value, text) => {
    expect(shownValue(value)).toBe(`\`${text}\``);
  });
});
