import type { FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";

export const inputs = (
  parseSignature(
    "function f(bool up, bool down, string word, string other, uint256 n, int256 i, address who, bytes data, uint256[] list)",
  ) as FunctionItem
).inputs;
export const pool = `0x${"ab".repeat(20)}`;
/** The names that a condition may read: the arguments of one call, and a contract role. */
export const scope = {
  args: inputs,
  input: null,
  item: null,
  legs: [],
  anchor: "call" as const,
  contracts: new Map([["pool", [pool as never]]]),
};
/** The values of those arguments. */
export const world = {
  up: true,
  down: false,
  word: "abc",
  other: "",
  n: 10n,
  i: -3n,
  who: pool,
  data: "0x1234abcd",
  list: [1n],
};
