import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEther } from "viem";
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/engine/spine.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import { importDescriptors } from "../../../src/tools/erc7730/import.ts";
import { alice, bob, calldata, caseOf, frame, traced, usdc } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { compileOwn } from "../../support/own-rules.ts";
import { root } from "../../support/shared.ts";
import { descriptorOf, noRules, vault, writeFolder } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";

const perform = "function perform(address target, uint256 sum, bytes data)";
const batch = "function batch((address to, uint256 value, bytes data)[] calls)";
const multicall = "function multicall(bytes[] data)";
const round = "function setRound(uint256 n)";
const transfer = calldata("function transfer(address to, uint256 value)", [bob, 5_000_000n]);

const field = (path: string, params: object) => ({ path, label: "Action", format: "calldata", params });
const formats = {
  "perform(address target,uint256 sum,bytes data)": {
    intent: "Perform",
    fields: [field("data", { calleePath: "target", amountPath: "sum" })],
  },
  "batch((address to,uint256 value,bytes data)[] calls)": {
    intent: "Execute all",
    fields: [field("calls.[].data", { calleePath: "calls.[].to", amountPath: "calls.[].value" })],
  },
  "multicall(bytes[] data)": { intent: "Do several things", fields: [field("data.[]", { calleePath: "@.to" })] },
  "setRound(uint256 n)": { intent: "Set the Round", fields: [{ path: "n", label: "Round", format: "raw" }] },
};

const made = importDescriptors(writeFolder({ "calldata-vault.json": descriptorOf(formats) }), noRules);
const rules = compileOwn(
  ...made.files.map(({ text }) => text),
  ...["standards/erc20", "lending/aave-v3"].map((name) => readFileSync(join(root, `rules/${name}.yaml`), "utf8")),
);

/** What is said of a call of the vault that reverted. */
function tell(input: `0x${string}`): string {
  const to = toAddress(vault);
  const trace = traced(frame(alice, to, { error: "out of gas", input }));
  const file = caseOf({
    transaction: { from: alice, to, value: "0x0", input },
    receipt: { status: "0x0", logs: [] },
    trace,
  });
  return decide(file, rules, shippedLabels()).explanation.summary.replace(/, but the transaction reverted\..*$/, "");
}

describe("a call inside of a field", () => {
  it("is told by the rules about that call", () => {
    expect(tell(calldata(perform, [usdc, 0n, transfer]))).toMatch(
      /^\S+ tried to call 0x1111…1111 to perform, with action 0x\S+ \(68 bytes\), so as to send 5 USDC to 0xB0b0…B0B0$/i,
    );
    expect(tell(calldata(perform, [bob, parseEther("2"), "0x"]))).toMatch(/, so as to call 0xb0b0…b0b0 with 2 ETH$/i);
    expect(tell(calldata(perform, [bob, 7n, "0x12345678"]))).toMatch(/, so as to call 0xb0b0…b0b0 with 7 wei of ETH$/i);
  });

  it("is told for each element of a list, and the rest is counted", () => {
    const pool = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
    const supply = calldata("function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)", [
      usdc,
      9_000_000n,
      vault,
      0,
    ]);
    const calls = [
      { to: usdc, value: 0n, data: transfer },
      { to: pool, value: 0n, data: supply },
      ...["0x11111111", "0x22222222", "0x33333333"].map((data, i) => ({
        to: `0x${`d${i}`.repeat(20)}`,
        value: 0n,
        data,
      })),
    ];
    expect(tell(calldata(batch, [calls.slice(0, 2)]))).toMatch(
      /, so as to send 5 USDC to 0xb0b0…b0b0 and supply 9 USDC to Aave v3$/i,
    );
    expect(tell(calldata(batch, [calls]))).toMatch(
      /, so as to send 5 USDC to \S+, supply 9 USDC to Aave v3, call 0xd0d0…d0d0 and do 2 more things$/i,
    );
  });

  it("is told by descriptors too, and calls inside of it, to a depth", () => {
    const inner = (data: `0x${string}`) => calldata(multicall, [[data]]);
    const set = calldata(round, [7n]);
    expect(tell(inner(set))).toMatch(/, so as to call 0x1111…1111 to set the round, with round 7$/i);
    expect(tell(inner(inner(set)))).toMatch(/, so as to call 0x1111…1111 to do several things.*, with round 7$/i);
    expect(tell(inner(inner(inner(inner(set)))))).not.toContain("round 7");
  });

  it("holds nothing that is told where there is none", () => {
    expect(tell(calldata(batch, [[]]))).toMatch(/^\S+ tried to call 0x1111…1111 to execute all$/);
    expect(tell(calldata(multicall, [[]]))).not.toContain("so as to");
  });

  it("passes rule-lint", () => {
    expect(made.findings).toEqual([]);
    expect(lintBeside(made)).toEqual([]);
  });
});
