import { describe, expect, it } from "vitest";
import { shorten } from "../../../src/kernel/address.ts";
import { bob, usdc } from "../../support/case-of.ts";
import { functionOf, start, tell, told } from "./told-call.ts";

describe("a path reads", () => {
  const packed = `${usdc}000bb8${bob.slice(2)}` as const;
  it.each<[string, string, object, unknown[], string]>([
    ["a member", "(uint256 b,(uint256 c) d) a", { path: "#.a.d.c" }, [{ b: 1n, d: { c: 5n } }], "5"],
    ["an element", "uint256[] a", { path: "a.[2]" }, [[1n, 2n, 3n]], "3"],
    ["an element in short", "uint256[] a", { path: "a[1]" }, [[1n, 2n, 3n]], "2"],
    ["the last but one", "uint256[] a", { path: "a.[-2]" }, [[1n, 2n, 3n]], "2"],
    ["a length", "uint256[] a", { path: "a.length" }, [[1n, 2n, 3n]], "3"],
    ["the first bytes", "bytes a", { path: "a.[:20]", format: "tokenTicker" }, [packed], "USDC"],
    ["the last bytes", "bytes a", { path: "a.[-20:]", format: "addressName" }, [packed], shorten(bob)],
    [
      "bytes between",
      "bytes a",
      { path: "a.[20:23]", format: "unit", params: { base: "%", decimals: 4 } },
      [packed],
      "0.3%",
    ],
    ["bytes counted from the end", "bytes a", { path: "a.[-23:-20]" }, [packed], "3,000"],
    [
      "an address in a number",
      "uint256 a",
      { path: "a.[-20:]", format: "tokenTicker" },
      [(1n << 255n) + BigInt(usdc)],
      "USDC",
    ],
    [
      "an address below the flags of a number",
      "uint256[] a",
      { path: "a.[-1]", format: "addressName" },
      [[(1n << 255n) + BigInt(bob)]],
      shorten(bob),
    ],
    ["an address in twenty fixed bytes", "bytes20 a", { path: "a", format: "addressName" }, [bob], shorten(bob)],
    [
      "an address in a word of bytes",
      "bytes a",
      { path: "a.[292:324]", format: "tokenTicker" },
      [`0x${"00".repeat(292 + 12)}${usdc.slice(2)}`],
      "USDC",
    ],
    ["a number that is an address", "uint256 a", { path: "a", format: "tokenTicker" }, [BigInt(usdc)], "USDC"],
    [
      "a part of a number",
      "uint256 a",
      { path: "a.[-4:]", format: "date" },
      [(9n << 128n) + 1_700_000_000n],
      "2023-11-14 22:13:20Z",
    ],
    [
      "an address in a word",
      "bytes32 a",
      { path: "a", format: "addressName" },
      [`0x${"0".repeat(24)}${usdc.slice(2)}`],
      `USDC (${shorten(usdc)})`,
    ],
  ])("%s", (_, parameters, field, args, expected) => {
    expect(told(parameters, { format: "raw", ...field }, args)).toBe(`${start}, with info ${expected}.`);
  });

  it("parameters relative to the group of their field, or to the call", () => {
    const inner = { path: "n", label: "Info", format: "tokenAmount" };
    const group = (tokenPath: string) => ({ fields: [{ path: "o", fields: [{ ...inner, params: { tokenPath } }] }] });
    const call = { signature: functionOf("(address t,uint256 n) o"), args: [{ t: usdc, n: 5_000_000n }] };
    for (const path of ["t", "o.t", "#.o.t"])
      expect(tell({ ...call, format: group(path) })).toBe(`${start}, with info 5 USDC.`);
  });

  it("members of a list in a group of the list", () => {
    const group = {
      path: "a",
      fields: [{ path: "n", label: "Info", format: "tokenAmount", params: { tokenPath: "t" } }],
    };
    const args = [
      [
        { t: usdc, n: 5_000_000n },
        { t: usdc, n: 7_000_000n },
      ],
    ];
    const call = { signature: functionOf("(address t,uint256 n)[] a"), args, format: { fields: [group] } };
    expect(tell(call)).toBe(`${start}, with info 5 USDC and 7 USDC.`);
  });

  it("nothing that is not there: the call is told without it", () => {
    const field = { path: "a.[2]", format: "raw" };
    expect(told("uint256[] a", field, [[1n]])).toBe(`${start}.`);
    expect(told("bytes a", { path: "a.[-20:]", format: "addressName" }, ["0x12"])).toBe(`${start}.`);
    expect(told("string a", { path: "a" }, [""])).toBe(`${start}.`);
  });
});
