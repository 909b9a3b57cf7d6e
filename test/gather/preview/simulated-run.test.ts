import { describe, expect, it } from "vitest";
import { readUnrun } from "../../../src/gather/preview/runs/simulated-run.ts";

const said = (message: string, code: number | null = -32000) => readUnrun({ ok: false, code, message });

describe("an answer without a run", () => {
  it.each([
    [-38010, "nonce_low"],
    [-38011, "nonce_high"],
    [-38012, "fee_low"],
    [-38013, "gas_low"],
    [-38014, "funds"],
    [-38015, "gas_high"],
    [-38024, "sender_code"],
    [-38025, "code_size"],
  ])("of code %i is refused for %s", (code, reason) => {
    expect(said("", code)).toEqual({ kind: "refused", reason });
  });

  it.each([
    ["nonce too low: next nonce 5", "nonce_low"],
    ["nonce too high", "nonce_high"],
    ["insufficient funds for gas * price + value", "funds"],
    ["lack of funds (1) for max fee (2)", "funds"],
    ["intrinsic gas too low", "gas_low"],
    ["insufficient gas for floor data gas cost", "gas_low"],
    ["exceeds block gas limit", "gas_high"],
    ["max fee per gas less than block base fee", "fee_low"],
    ["transaction underpriced", "fee_low"],
    ["max initcode size exceeded", "code_size"],
    ["sender not an eoa", "sender_code"],
  ])("%s: %s", (message, reason) => {
    expect(said(message)).toEqual({ kind: "refused", reason });
  });

  it("is missing where there is no such method, and failed otherwise", () => {
    expect(said("the method debug_traceCall does not exist", -32601)).toEqual({ kind: "missing" });
    expect(said("execution reverted: method not found", 3)).toEqual({ kind: "failed" });
    expect(said("try again")).toEqual({ kind: "failed" });
    expect([readUnrun(undefined), readUnrun({ ok: true, result: null } as never)]).toEqual(
      Array(2).fill({ kind: "failed" }),
    );
  });
});

describe("the words of a refusal", () => {
  it.each([
    ["nonce is too low", "nonce_low"],
    ["Nonce has already been used", "nonce_low"],
    ["nonce is too high", "nonce_high"],
    ["there is a nonce gap", "nonce_high"],
    ["out of funds", "funds"],
    ["OutOfFunds", "funds"],
    ["not enough balance to cover gas", "funds"],
    ["balance to pay is missing", "funds"],
    ["insufficient balance for transfer", "funds"],
    ["intrinsic gas exceeds limit", "gas_low"],
    ["floor gas is 21000", "gas_low"],
    ["call gas cost (53000) exceeds the gas limit (21000)", "gas_low"],
    ["gas limit reached", "gas_high"],
    ["gas limit too high", "gas_high"],
    ["gas limit exceeds the cap", "gas_high"],
    ["exceeds transaction gas limit", "gas_high"],
    ["exceeds max_tx gas limit", "gas_high"],
    ["gas limit is above the cap", "gas_high"],
    ["maximum fee per gas less than base fee", "fee_low"],
    ["fee cap less than block base fee", "fee_low"],
    ["gas price is less than basefee", "fee_low"],
    ["init code size is over the limit", "code_size"],
    ["reject transactions from senders with deployed code", "sender_code"],
    ["not allowed by EIP-3607", "sender_code"],
  ])("%s: %s", (message, reason) => {
    expect(said(message)).toEqual({ kind: "refused", reason });
    expect(said(message.toUpperCase(), null)).toEqual({ kind: "refused", reason });
  });

  it("count less than its code, and the first of them counts", () => {
    expect(said("insufficient funds", -38010)).toEqual({ kind: "refused", reason: "nonce_low" });
    expect(said("insufficient funds: nonce too low")).toEqual({ kind: "refused", reason: "nonce_low" });
    expect(said("intrinsic gas: insufficient funds")).toEqual({ kind: "refused", reason: "funds" });
  });

  it.each([
    ["the method does not exist", -32601, "missing"],
    ["method not supported", null, "missing"],
    ["execution reverted: method not supported", null, "failed"],
    ["method not supported", 3, "failed"],
    ["", null, "failed"],
    ["", -38016, "failed"],
  ])("may be none: %j with code %s is %s", (message, code, kind) => {
    expect(said(message, code)).toEqual({ kind });
  });
});
