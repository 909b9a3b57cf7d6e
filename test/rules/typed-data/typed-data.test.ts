import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import { readTypedData } from "../../../src/rules/typed-data/typed-data.ts";
import { alice, usdc } from "../../engine/assess/scene.ts";
import { problemOf, refusalOf } from "./refusal.ts";
import { largest160, members, permitSingle, type Typed } from "./sample.ts";

describe("typed data", () => {
  it("is read as an object and as its JSON text, with integers in every form that JSON has", () => {
    const typed = permitSingle();
    const values = [
      [usdc, BigInt(largest160), 1_798_934_400n, 0n],
      expect.stringMatching(/^0x[0-9a-f]{40}$/),
      1_797_000_000n,
    ];
    expect(readTypedData(typed).values).toEqual(values);
    expect(readTypedData(JSON.stringify(typed))).toEqual(readTypedData(typed));
    const hex = permitSingle(({ message }) => {
      message.sigDeadline = `0x${(1_797_000_000).toString(16)}`;
    });
    expect(readTypedData(hex).values).toEqual(values);
  });

  it("leaves out what the types do not have: it is not signed", () => {
    const more = permitSingle(({ message }) => {
      message.note = "this is only a login";
    });
    expect(readTypedData(more).values).toEqual(readTypedData(permitSingle()).values);
  });

  const cases: [problem: string, change: (typed: Typed) => void][] = [
    ["`types` is no object", (typed) => Object.assign(typed, { types: [] })],
    ["`primaryType` is `Order`, which is none of `types`", (typed) => Object.assign(typed, { primaryType: "Order" })],
    ["`domain` is no object", (typed) => Object.assign(typed, { domain: null })],
    ["`message` is no object, PermitSingle was expected", (typed) => Object.assign(typed, { message: [] })],
    ["`message.spender` is missing", ({ message }) => delete message.spender],
    [
      "`message.details.token` is `0x12`, which is no address",
      ({ message }) => Object.assign(message.details as object, { token: "0x12" }),
    ],
    [
      "`message.details.amount` is `-1`, which is no uint160",
      ({ message }) => Object.assign(message.details as object, { amount: -1 }),
    ],
    [
      "`message.details.nonce` is `281474976710656`, which is no uint48",
      ({ message }) => Object.assign(message.details as object, { nonce: 2 ** 48 }),
    ],
    [
      "`message.details.nonce` is `1.5`, which is no uint48",
      ({ message }) => Object.assign(message.details as object, { nonce: 1.5 }),
    ],
    [
      "`message.details.nonce` is `a list`, which is no uint48",
      ({ message }) => Object.assign(message.details as object, { nonce: [1] }),
    ],
    [
      "`message.details` is no object, PermitDetails was expected",
      ({ message }) => Object.assign(message, { details: "0x" }),
    ],
    [
      "the type `Fee` of `PermitSingle.fee` is not there",
      ({ types }) => types.PermitSingle?.push({ name: "fee", type: "Fee" }),
    ],
    [
      "`PermitSingle.fee` has the type `uint256[-1]`, which is none",
      ({ types }) => types.PermitSingle?.push({ name: "fee", type: "uint256[-1]" }),
    ],
    [
      "the type `PermitSingle` has the member `spender` twice",
      ({ types }) => types.PermitSingle?.push({ name: "spender", type: "address" }),
    ],
    [
      "the type `PermitSingle` has a member without a plain name",
      ({ types }) => types.PermitSingle?.push({ name: "a b", type: "address" }),
    ],
    ["`uint256` is no name for a type", ({ types }) => Object.assign(types, { uint256: members("address to") })],
    ["`domain.chainId` is `one`, which is no uint256", ({ domain }) => Object.assign(domain, { chainId: "one" })],
    ["`domain.owner` is no member of a domain", ({ domain }) => Object.assign(domain, { owner: alice })],
    [
      "`domain.chainId` is not in the type EIP712Domain, so a signature would not cover it",
      ({ types }) => Object.assign(types, { EIP712Domain: members("string name, address verifyingContract") }),
    ],
    [
      "`domain.version` is missing",
      ({ types }) =>
        Object.assign(types, {
          EIP712Domain: members("string name, string version, uint256 chainId, address verifyingContract"),
        }),
    ],
    [
      "`EIP712Domain.chainId` is no member of a domain, or has another type",
      ({ types }) => Object.assign(types, { EIP712Domain: members("string chainId") }),
    ],
  ];

  it.each(cases)("is refused with its place: %s", (problem, change) => {
    expect(problemOf(() => readTypedData(permitSingle(change)))).toBe(
      `invalid_typed_data: The typed data cannot be read: ${problem}.`,
    );
  });

  it.each([
    [1, "The message is for chain 1; only chain 8453 (Base) is explained here."],
    ["0x1", "The message is for chain 1; only chain 8453 (Base) is explained here."],
    [84532, "The message is for chain 84532; only chain 8453 (Base) is explained here."],
  ])("of chain %s is refused with the reason", (chainId, message) => {
    const other = permitSingle(({ domain }) => Object.assign(domain, { chainId }));
    expect(problemOf(() => readTypedData(other))).toBe(`other_chain: ${message}`);
  });

  it.each([
    ["no JSON", () => readTypedData("{")],
    [
      "larger than 65536 characters, or nests too deep",
      () => readTypedData(permitSingle(({ message }) => Object.assign(message, { note: "x".repeat(70_000) }))),
    ],
    ["longer than 65536 characters", () => readTypedData(JSON.stringify(permitSingle()).padEnd(70_000))],
    [
      "there are more than 64 types",
      () =>
        readTypedData(
          permitSingle(({ types }) => {
            for (let i = 0; i < 70; i++) types[`T${i}`] = [];
          }),
        ),
    ],
    [
      "has more than 64 members",
      () =>
        readTypedData(
          permitSingle(({ types }) => {
            types.T = Array.from({ length: 70 }, (_, i) => ({ name: `f${i}`, type: "bool" }));
          }),
        ),
    ],
  ])("that is too large or no data is refused: %s", (problem, read) => {
    expect(problemOf(read)).toContain(problem);
  });

  it("is bounded in depth and in the number of its values, however it is nested", () => {
    const deep = (depth: number): unknown => (depth === 0 ? { next: [] } : { next: [deep(depth - 1)] });
    const nested = (message: unknown) => ({
      types: { Node: [{ name: "next", type: "Node[]" }] },
      primaryType: "Node",
      domain: { chainId: 8453 },
      message,
    });
    expect(readTypedData(nested(deep(5))).values).toHaveLength(1);
    expect(problemOf(() => readTypedData(nested(deep(14))))).toContain("nests deeper than 16");
    expect(problemOf(() => readTypedData(nested(deep(3_000))))).toContain("nests too deep");
    const text = `${'{"next":['.repeat(3_000)}${"]}".repeat(3_000)}`;
    const whole = JSON.stringify(nested(0)).replace('"message":0', `"message":${text}`);
    expect(problemOf(() => readTypedData(whole))).toContain("nests deeper than 16");
    const many = {
      types: { Many: [{ name: "all", type: "uint8[]" }] },
      primaryType: "Many",
      domain: {},
      message: { all: Array(5_000).fill(1) },
    };
    expect(problemOf(() => readTypedData(many))).toContain("there are more than 4096 values");
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
});
