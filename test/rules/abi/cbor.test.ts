import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CborValue, readCbor } from "../../../src/rules/abi/cbor.ts";

/** Plain objects in the place of mappings. */
const plain = (value: CborValue | undefined): unknown => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
};

describe("CBOR", () => {
  // Examples of RFC 8949, appendix A.
  it.each<[string, unknown]>([
    ["00", 0],
    ["17", 23],
    ["1818", 24],
    ["1903e8", 1000],
    ["1a000f4240", 1_000_000],
    ["1b000000e8d4a51000", 1_000_000_000_000],
    ["1bffffffffffffffff", null],
    ["20", null],
    ["f4", null],
    ["f97e00", null],
    ["fb3ff199999999999a", null],
    ["4401020304", null],
    ["60", ""],
    ["6449455446", "IETF"],
    ["62c3bc", "ü"],
    ["80", []],
    ["8301820203820405", [1, [2, 3], [4, 5]]],
    ["a0", {}],
    ["a26161016162820203", { a: 1, b: [2, 3] }],
    ["a56161614161626142616361436164614461656145", { a: "A", b: "B", c: "C", d: "D", e: "E" }],
    ["c074323031332d30332d32315432303a30343a30305a", "2013-03-21T20:04:00Z"],
    // A key that is no text is left out; of equal keys the last one counts.
    ["a201026161 6162".replace(" ", ""), { a: "b" }],
    ["a2616101616102", { a: 2 }],
  ])("%s is read", (digits, value) => {
    expect(plain(readCbor(digits))).toEqual(value);
  });

  it.each([
    ["nothing", ""],
    ["half a byte", "0"],
    ["a text that is cut off", "644945544"],
    ["a list that is cut off", "8301"],
    ["a mapping that is cut off", "a16161"],
    ["a length that is cut off", "1903"],
    ["what follows", "0000"],
    ["an indefinite length", "9fff"],
    ["a reserved length", "1c"],
    ["a length of more than there is", "9bffffffffffffffff"],
    ["what nests too deep", `${"81".repeat(9)}00`],
    ["too many values", `991000${"00".repeat(4096)}`],
  ])("%s is refused", (_what, digits) => {
    expect(readCbor(digits)).toBeUndefined();
  });

  it("nests so deep", () => {
    expect(readCbor(`${"81".repeat(8)}00`)).toEqual([[[[[[[[0]]]]]]]]);
  });

  it("is read or refused, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const digits = Buffer.from(bytes).toString("hex");
        const value = readCbor(digits);
        // One value has one head of at least a byte.
        if (value !== undefined) expect(JSON.stringify(plain(value)).length).toBeLessThan(bytes.length * 40);
      }),
    );
  });
});
