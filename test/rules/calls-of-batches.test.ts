import { encodeAbiParameters, encodeFunctionData, numberToHex, parseAbi, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { type GivenActs, readActs, shippedWorld } from "./world.ts";

const world = shippedWorld();
const abi = parseAbi(["function execute(bytes32 mode, bytes executionData)"]);
const batchOf = parseAbiParameters("(address to, uint256 value, bytes data)[]");

/** One call of a batch, and what was written inside of it. */
type Act = GivenActs["calls"][number] & { logs: unknown[] };

/** The summary of a batch that an account with EIP-7702 code sends to itself. Its call tree is known. */
function tell(...acts: Act[]): string {
  const read = acts.map(({ logs, ...call }) => readActs({ calls: [call], logs }, world));
  const calls = read.flatMap((one) => one.calls);
  const file = (read[0] as (typeof read)[number]).plain;
  const { from } = file.transaction;
  const mode = `0x01${"0".repeat(62)}` as const;
  const input = encodeFunctionData({
    abi,
    functionName: "execute",
    args: [mode, encodeAbiParameters(batchOf, [calls])],
  });
  const frames = read.map(({ plain, calls: [call] }) => ({
    ...{ type: "CALL", from, to: call?.to ?? "", value: numberToHex(call?.value ?? 0n), input: call?.data ?? "0x" },
    logs: plain.receipt.logs.map((log) => ({ ...log, position: "0x0" })),
  }));
  const batch: CaseFile = {
    ...file,
    transaction: { ...file.transaction, to: from, value: "0x0", input },
    receipt: { ...file.receipt, logs: read.flatMap(({ plain }) => plain.receipt.logs) },
    trace: {
      source: "debug_traceTransaction",
      root: { type: "CALL", from, to: from, value: "0x0", input, calls: frames },
    },
  };
  return decide(batch, world.ruleset, world.labels).explanation.summary;
}

const winnings: Act = {
  ...{ to: "megapot/jackpot", call: { "megapot/withdrawWinnings": {} } },
  logs: [
    { transfer: { token: "DAI", from: "megapot/jackpot", to: "alice", amount: "9000000000000000000" } },
    { "megapot/UserWinWithdrawal": { at: "megapot/jackpot", user: "alice", amount: "9000000000000000000" } },
  ],
};
const poolTaken: Act = {
  ...{ to: "curve/pool", call: { "curve/removeLiquidity2": {} } },
  logs: [
    { transfer: { token: "curve/pool", from: "alice", to: "zero", amount: "1500" } },
    { transfer: { token: "USDC", from: "curve/pool", to: "alice", amount: "100000000" } },
    { "curve/Remove2": { at: "curve/pool", provider: "alice" } },
  ],
};
const sent = (token: string, to: string): Act => ({
  ...{ to: token, call: { "erc20/transfer": { to, value: "5000000" } } },
  logs: [{ transfer: { token, from: "alice", to, amount: "5000000" } }],
});
const supplied: Act = {
  ...{ to: "bob", call: { "market-forks/supply": { asset: "USDC", amount: "1000000", onBehalfOf: "alice" } } },
  logs: [
    { transfer: { token: "USDC", from: "alice", to: "carol", amount: "1000000" } },
    { transfer: { token: "carol", from: "zero", to: "alice", amount: "1000001" } },
    { "market-forks/Supply": { at: "bob", reserve: "USDC", user: "alice", onBehalfOf: "alice", amount: "1000000" } },
  ],
};

describe("what one call of a batch moved", () => {
  it("is no part of what another call did", () => {
    expect(tell(poolTaken, winnings)).toBe(
      "0xA11C…11Ce removed liquidity from Curve and received 100 USDC. It also collected lottery winnings of 9 DAI on Megapot.",
    );
    expect(tell(supplied, winnings)).toBe(
      "0xA11C…11Ce collected lottery winnings of 9 DAI on Megapot. It also supplied 1 USDC to the lending pool 0xb0B0…0B0B.",
    );
  });

  it("is told apart from what was sent beside it", () => {
    expect(tell(poolTaken, sent("WETH", "bob"))).toBe(
      "0xA11C…11Ce removed liquidity from Curve and received 100 USDC. It also sent 0.000000000005 WETH to 0xb0B0…0B0B.",
    );
  });

  it("is told at once where it was only sent", () => {
    expect(tell(sent("USDC", "bob"), sent("WETH", "bob"))).toBe(
      "0xA11C…11Ce sent 5 USDC and 0.000000000005 WETH to 0xb0B0…0B0B.",
    );
  });
});
