import { describe, expect, it } from "vitest";
import { feeOf, ranNoCode } from "../../../src/engine/normalize/normalize.ts";
import { bob, caseOf, token, transferLog, zero } from "../../support/case-of.ts";

const receipt = { gasUsed: "0x5208", effectiveGasPrice: "0xa", l1Fee: "0x64", logs: [] };
const fee = (change: object, transaction = {}) =>
  feeOf(caseOf({ transaction: { type: "0x2", ...transaction }, receipt: { ...receipt, ...change } }));

describe("feeOf", () => {
  it("adds execution gas and the L1 data fee", () => {
    expect(fee({})).toBe(21_000n * 10n + 100n);
  });

  it("adds the operator fee of Isthmus: gas × scalar ÷ 10⁶, rounded down, plus the constant", () => {
    expect(fee({ operatorFeeScalar: "0x7a120", operatorFeeConstant: "0x3" })).toBe(210_100n + 10_500n + 3n);
    expect(fee({ operatorFeeScalar: "0x1" })).toBe(210_100n);
  });

  it("adds the operator fee of Jovian: gas × scalar × 100 plus the constant, told by its receipt field", () => {
    const jovian = { operatorFeeScalar: "0x2", operatorFeeConstant: "0x3", daFootprintGasScalar: "0x190" };
    expect(fee(jovian)).toBe(210_100n + 21_000n * 2n * 100n + 3n);
    expect(fee({ daFootprintGasScalar: "0x190" })).toBe(210_100n);
  });

  it("is unknown when the receipt lacks a part, never an estimate", () => {
    expect(fee({ gasUsed: undefined })).toBeNull();
    expect(fee({ l1Fee: undefined })).toBeNull();
    expect(fee({ effectiveGasPrice: undefined })).toBeNull();
    expect(fee({ effectiveGasPrice: undefined }, { gasPrice: "0x7" })).toBeNull();
    expect(fee({ gasUsed: "many" })).toBeNull();
  });

  it("takes a legacy envelope's own price, which is what it pays", () => {
    for (const type of ["0x0", "0x1", undefined])
      expect(fee({ effectiveGasPrice: undefined }, { type, gasPrice: "0x7" })).toBe(21_000n * 7n + 100n);
  });

  it("is nothing for deposits, which paid on Ethereum", () => {
    expect(fee({ gasUsed: undefined, l1Fee: undefined }, { type: "0x7e" })).toBe(0n);
  });
});

describe("ranNoCode", () => {
  const gas = (used: number, input: string, rest: Parameters<typeof caseOf>[0] = {}) =>
    ranNoCode(
      caseOf({
        transaction: { to: bob, input, ...rest.transaction },
        receipt: { gasUsed: `0x${used.toString(16)}`, logs: [], ...rest.receipt },
      }),
    );

  it("holds for exactly the price of the envelope", () => {
    expect(gas(21_000, "0x")).toBe(true);
    // EIP-2028: 4 for a zero byte, 16 for another one.
    expect(gas(21_000 + 2 * 4 + 16, "0x0000ab")).toBe(true);
  });

  it.each([
    ["other gas", gas(21_001, "0x")],
    ["the floor of EIP-7623, 10 and 40 for a byte, below which code is free", gas(21_000 + 2 * 10 + 40, "0x0000ab")],
    ["the price of other data", gas(21_000, "0xab")],
    ["logs", gas(21_000, "0x", { receipt: { gasUsed: "0x5208", logs: [transferLog(token, bob, zero, 1n)] } })],
    ["a creation", gas(21_000, "0x", { transaction: { to: null } })],
    ["no gas told", gas(21_000, "0x", { receipt: { gasUsed: undefined, logs: [] } })],
  ])("does not hold with %s", (_what, answer) => {
    expect(answer).toBe(false);
  });
});
