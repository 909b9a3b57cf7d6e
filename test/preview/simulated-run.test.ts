import { describe, expect, it } from "vitest";
import { readUnrun } from "../../src/preview/runs/simulated-run.ts";

const said = (message: string, code: number | null = -32000) => readUnrun({ ok: false, code, message });

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
