import { describe, expect, it } from "vitest";
import { checksum, shorten, zeroAddress } from "../../../src/kernel/address.ts";
import { bob, usdc } from "../../support/case-of.ts";
import { descriptorOf, importOne, reasonsOf, vault } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";
import { functionOf, metadata, start, tell, told } from "./told-call.ts";

const token = (params: object) => ({ path: "a", format: "tokenAmount", params });
const mode = { path: "a", format: "enum", params: { $ref: "$.metadata.enums.mode" } };
const word = (address: string) => `0x${"0".repeat(24)}${address.slice(2)}`;
const foreign = `0x${"ab".repeat(32)}`;

describe("a value that its format cannot tell", () => {
  it.each<[string, string, object, unknown[], string]>([
    ["a value without a name", "uint256 a", mode, [9n], "9"],
    ["a value with a name", "uint256 a", mode, [2n], "variable"],
    [
      "bytes without a name",
      "bytes4 a",
      { ...mode, params: { $ref: "$.metadata.enums.kind" } },
      ["0x05060708"],
      "0x05060708",
    ],
    ["elements with and without names", "uint256[] a", { ...mode, path: "a.[]" }, [[2n, 2n]], "variable and variable"],
    ["an amount without its token", "uint256 a,address[] t", token({ tokenPath: "t.[0]" }), [5n, []], "5"],
    [
      "an amount with its token",
      "uint256 a,address[] t",
      token({ tokenPath: "t.[0]" }),
      [5_000_000n, [usdc]],
      "5 USDC",
    ],
    ["a token of another chain", "uint256 a", token({ token: checksum(usdc), chainId: 1 }), [5_000_000n], "5,000,000"],
    [
      "a token of a chain that is named",
      "uint256 a,uint256 c",
      token({ token: checksum(usdc), chainIdPath: "c" }),
      [5_000_000n, 1n],
      "5,000,000",
    ],
    [
      "a token of Base, which is named",
      "uint256 a,uint256 c",
      token({ token: checksum(usdc), chainIdPath: "c" }),
      [5_000_000n, 8453n],
      "5 USDC",
    ],
    [
      "a ticker of a chain that is named",
      "address a,uint256 c",
      { path: "a", format: "tokenTicker", params: { chainIdPath: "c" } },
      [usdc, 1n],
      `USDC (${shorten(usdc)})`,
    ],
    [
      "ether by an address of its own",
      "uint256 a,address t",
      token({ tokenPath: "t", nativeCurrencyAddress: vault }),
      [10n ** 18n, vault],
      "1 ETH",
    ],
    [
      "a token beside such an address",
      "uint256 a,address t",
      token({ tokenPath: "t", nativeCurrencyAddress: vault }),
      [5_000_000n, usdc],
      "5 USDC",
    ],
    ["a signed amount", "int256 a", token({ token: checksum(usdc) }), [-5_000_000n], "-5,000,000"],
    ["a signed amount of ether", "int256 a", { path: "a", format: "amount" }, [-(10n ** 18n)], "-1 ETH"],
    ["a word that is an address", "bytes32 a", { path: "a", format: "addressName" }, [word(bob)], shorten(bob)],
    ["a word that is none", "bytes32 a", { path: "a", format: "addressName" }, [foreign], foreign],
    ["a constant address", "uint256 a", { value: checksum(bob), format: "raw" }, [1n], shorten(bob)],
    ["a strange format", "uint256 a", { path: "a", format: "percentage" }, [1500n], "1,500"],
    [
      "an interoperable address",
      "bytes a",
      { path: "a", format: "interoperableAddressName" },
      ["0x000100000101"],
      "0x000100000101",
    ],
  ])("is told as it is: %s", (_, parameters, field, args, expected) => {
    expect(told(parameters, field, args)).toBe(`${start}, with info ${expected}.`);
  });

  it("is told as encrypted, and in no sentence", () => {
    const field = { ...token({ token: checksum(usdc) }), label: "Info", encryption: { scheme: "fhevm" } };
    const format = { interpolatedIntent: "Do it with {a}", fields: [field] };
    expect(tell({ signature: functionOf("bytes32 a"), format, args: [foreign] })).toBe(
      `${start}, with encrypted info ${foreign}.`,
    );
  });

  it("is left to the plain intent by an interpolated one", () => {
    const format = { interpolatedIntent: "Do it in mode {a}", fields: [{ ...mode, label: "Mode" }] };
    const say = (value: bigint) => tell({ signature: functionOf("uint256 a"), format, args: [value] });
    expect(say(2n)).toBe(`${start} in mode variable.`);
    expect(say(9n)).toBe(`${start}, with mode 9.`);
  });
});

it("rules with values that may be told otherwise lint clean beside all rules", () => {
  const fields = [
    { ...mode, label: "Mode" },
    { path: "n", label: "Sum", format: "tokenAmount", params: { tokenPath: "t.[0]", chainIdPath: "c" } },
    { path: "w", label: "For", format: "addressName" },
    {
      path: "n",
      label: "Pay",
      format: "tokenAmount",
      params: { tokenPath: "to", nativeCurrencyAddress: [vault, zeroAddress] },
    },
  ];
  const key = "f(uint256 a,uint256 n,address[] t,uint256 c,bytes32 w,address to)";
  const made = importOne(descriptorOf({ [key]: { intent: "Do it", fields } }, { metadata }));
  expect(reasonsOf(made).filter((one) => !one.includes("/metadata/"))).toEqual([]);
  expect(lintBeside(made)).toEqual([]);
}, 60_000);
