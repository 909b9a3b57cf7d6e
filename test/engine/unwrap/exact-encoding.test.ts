import { encodeAbiParameters, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { isExact } from "../../../src/engine/unwrap/exact-encoding.ts";
import { compileReader, decode } from "../../../src/rules/abi/decoder.ts";
import { bob, carol } from "../../support/case-of.ts";
import { tuple, uint } from "./read-values.ts";

describe("whether data is the exact encoding of what was read from it", () => {
  const marker = "8021".repeat(8);
  const check = (
    signature: string,
    values: unknown[],
    change: (digits: string) => string = (same) => same,
    suffix = 0,
  ) => {
    const type = tuple(signature);
    const written = encodeAbiParameters(parseAbiParameters(signature) as never, values as never).slice(2);
    const digits = change(written);
    const read = decode(compileReader(type), `0x${digits}`, 2);
    return read !== undefined && isExact(digits, type.items, read, suffix);
  };
  const shapes: [string, unknown[]][] = [
    ["uint256, address", [5n, bob]],
    ["bytes", ["0x1234"]],
    ["bytes, bytes", [`0x${"12".repeat(32)}`, "0x"]],
    ["string", ["näme"]],
    ["uint256[]", [[1n, 2n, 3n]]],
    ["uint256[2], bytes", [[1n, 2n], "0x12"]],
    ["bytes[2]", [["0x12", "0x"]]],
    [
      "(address to, bytes data)[]",
      [
        [
          { to: bob, data: "0x1234" },
          { to: carol, data: "0x" },
        ],
      ],
    ],
    ["(address to, uint256 value), bytes", [{ to: bob, value: 5n }, "0x12"]],
  ];

  it.each(shapes)("is so for %s, with a mark behind it or as many bytes as are let", (signature, values) => {
    expect(check(signature, values)).toBe(true);
    expect(check(signature, values, (digits) => `${digits}00`)).toBe(false);
    expect(check(signature, values, (digits) => `${digits}00`, 1)).toBe(true);
    expect(check(signature, values, (digits) => `${digits}0000`, 1)).toBe(false);
    expect(check(signature, values, (digits) => `${digits}12${marker}`)).toBe(true);
    expect(check(signature, values, (digits) => `${digits}12${marker}00`)).toBe(false);
  });

  it.each<[string, string, unknown[], (digits: string) => string]>([
    ["another offset", "bytes", ["0x1234"], (d) => `${uint(64)}${uint(0)}${d.slice(64)}`],
    ["dirty padding", "bytes", ["0x1234"], (d) => `${d.slice(0, -1)}1`],
    ["dirty padding at once", "bytes", ["0x1234"], (d) => `${d.slice(0, 132)}1${d.slice(133)}`],
    [
      "a gap between two",
      "bytes, bytes",
      ["0x12", "0x34"],
      (d) => `${d.slice(0, 64)}${uint(160)}${d.slice(128, 256)}${uint(0)}${d.slice(256)}`,
    ],
    ["one place for two", "bytes, bytes", ["0x12", "0x12"], (d) => `${uint(64)}${uint(64)}${d.slice(128)}`],
    ["text that is no UTF-8", "string", ["aa"], (d) => d.replace("6161", "ff61")],
    [
      "an offset inside of an array",
      "bytes[]",
      [["0x12"]],
      (d) => `${d.slice(0, 128)}${uint(64)}${uint(0)}${d.slice(192)}`,
    ],
  ])("is not so for %s", (_, signature, values, change) => expect(check(signature, values, change)).toBe(false));
});
