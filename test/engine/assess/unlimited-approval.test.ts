import { encodeFunctionData, keccak256, parseAbi, toFunctionSelector, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { judgeAllowances } from "../../../src/engine/assess/grants/allowance.ts";
import { isGrantCall } from "../../../src/engine/assess/grants/grant-call.ts";
import { findGrants } from "../../../src/engine/assess/grants/grants.ts";
import { checksum } from "../../../src/kernel/address.ts";
import type { RpcFrame } from "../../../src/model/case-file.ts";
import { ruleset } from "../../property/world.ts";
import { execTransaction, executionSuccess } from "../../support/envelopes.ts";
import { labelsOf, tokenOf } from "../../support/labels.ts";
import {
  actOf,
  alice,
  approval,
  approveCall,
  caseOf,
  entryPoint,
  explain,
  findings,
  flagged,
  maxUint,
  nftTransfer,
  permit2,
  permit2Approval,
  permit2Permit,
  router,
  type Scene,
  someone,
  spender,
  token,
  transfer,
  usdc,
  word,
} from "./scene.ts";

/** Alice approves by a call of her own. */
function approves(amount: bigint, rest: Scene = {}): Scene {
  return { to: token, input: approveCall(spender, amount), logs: [approval(token, alice, spender, amount)], ...rest };
}

function bases(scene: Scene): string[] {
  return findings(scene).map(({ flag, basis }) => `${flag ?? "evidence"} ${basis}`);
}

const unlimited = (scene: Scene) => flagged(scene, "unlimited_approval");

describe("unlimited_approval fires", () => {
  it.each([
    ["2^256-1", maxUint],
    ["2^256-2", maxUint - 1n],
    ["2^160 - 1", (1n << 160n) - 1n],
  ])("at %s, whatever the supply", (_name, amount) => {
    const [detail] = unlimited(approves(amount, { supplies: { [token]: maxUint } }));
    expect(detail).toMatch(
      /^The spender 0x\w{40} may take an effectively unlimited amount of the token 0x\w{40} from 0x\w{40}\.$/,
    );
    expect(bases(approves(amount))).toContain("unlimited_approval sentinel, call");
  });

  it("at 2^128-1 of USDC, by its supply", () => {
    const amount = (1n << 128n) - 1n;
    const scene = {
      to: usdc,
      input: approveCall(spender, amount),
      logs: [approval(usdc, alice, spender, amount)],
      supplies: { [usdc]: 4_000_000_000_000_000n },
    };
    expect(bases(scene)).toContain("unlimited_approval exceeds_supply, call");
  });

  it("when increaseAllowance lifts the allowance over the threshold", () => {
    const input = encodeFunctionData({
      abi: parseAbi(["function increaseAllowance(address, uint256)"]),
      args: [spender, 1n << 254n],
    });
    const logs = [approval(token, alice, spender, (1n << 255n) + 5n)];
    expect(bases({ to: token, input, logs })).toContain("unlimited_approval sentinel, call");
  });

  it("for a permit as DAI has it, that a contract hands in", () => {
    const input = encodeFunctionData({
      abi: parseAbi(["function permit(address, address, uint256, uint256, bool, uint8, bytes32, bytes32)"]),
      args: [alice, spender, 0n, 0n, true, 27, word(1n), word(2n)],
    });
    const frames: RpcFrame[] = [{ type: "CALL", from: router, to: token, input, calls: [] }];
    expect(bases({ frames, logs: [approval(token, alice, spender, maxUint)] })).toContain(
      "unlimited_approval sentinel, call",
    );
  });

  it.each([
    ["approve", permit2Approval(alice, usdc, spender, (1n << 160n) - 1n, (1n << 48n) - 1n), "without end"],
    ["permit", permit2Permit(alice, usdc, spender, (1n << 160n) - 1n), "in the block of the transaction only"],
  ])("for the largest amount of Permit2 %s, and tells when it ends", (_name, log, end) => {
    const [detail] = unlimited({ to: permit2, logs: [log] });
    expect(detail).toContain(`through Permit2, ${end}.`);
    expect(bases({ to: permit2, logs: [log] })).toContain("unlimited_approval type_max, call");
  });

  it("for every grant of a Permit2 batch", () => {
    const logs = [usdc, token].map((of) => permit2Permit(alice, of, spender, (1n << 160n) - 1n));
    expect(unlimited({ to: permit2, logs })).toHaveLength(2);
  });

  it("for an approval inside a Safe's call, whose owner is the Safe", () => {
    const safe = someone("safe");
    const input = execTransaction(token, 0n, approveCall(spender, maxUint));
    const scene = { to: safe, input, logs: [approval(token, safe, spender, maxUint), executionSuccess(safe)] };
    expect(unlimited(scene)).toHaveLength(1);
  });

  it("inside a user operation, for the account, and for what the bundler itself allowed", () => {
    const account = someone("account");
    const topic = keccak256(toHex("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"));
    const operation = {
      address: entryPoint,
      topics: [topic, word(9n), word(account), word(0n)],
      data: `${word(0n)}${word(1n).slice(2)}${word(7n).slice(2)}${word(7n).slice(2)}`,
    };
    const logs = [approval(token, account, spender, maxUint), operation];
    expect(unlimited({ from: someone("bundler"), to: entryPoint, input: "0x1fad948c", logs })[0]).toContain("may take");
    const others = [approval(token, someone("bundler"), spender, maxUint), operation];
    const [detail] = unlimited({ from: someone("bundler"), to: entryPoint, input: "0x1fad948c", logs: others });
    expect(detail).toContain(`from ${checksum(someone("bundler"))}`);
  });

  it("for the largest uint96 of a token that is known to store no more, and of no other", () => {
    const amount = (1n << 96n) - 1n;
    const file = caseOf(approves(amount, { tokens: { [token]: { decimals: 18 } } }));
    const judge = (allowanceBits?: number) => {
      const labels = labelsOf({
        tokens: [tokenOf(token, "UNI", allowanceBits === undefined ? {} : { allowanceBits })],
      });
      const act = actOf(file, labels);
      return judgeAllowances(findGrants(act), act).map(({ basis }) => basis);
    };
    expect(judge(96)).toEqual(["type_max, event_only"]);
    expect(judge()).toEqual([]);
  });
});

describe("unlimited_approval stays silent", () => {
  it("at 2^255-1 of a supply of 2^255", () => {
    expect(unlimited(approves((1n << 160n) - 2n, { supplies: { [token]: 1n << 255n } }))).toEqual([]);
  });

  it("at nothing", () => {
    expect(unlimited(approves(0n))).toEqual([]);
  });

  it("when the transaction sets the allowance to zero again, and keeps that as evidence", () => {
    const logs = [approval(token, alice, spender, maxUint), approval(token, alice, spender, 0n)];
    expect(unlimited(approves(maxUint, { logs }))).toEqual([]);
    expect(bases(approves(maxUint, { logs }))).toContain("evidence revoked_in_tx");
  });

  it("and fires when zero comes first: reset, then set", () => {
    const logs = [approval(token, alice, spender, 0n), approval(token, alice, spender, maxUint)];
    expect(unlimited(approves(maxUint, { logs }))).toHaveLength(1);
  });

  it("for what a token of OpenZeppelin before 4.5 reports beside a spend", () => {
    const logs = [transfer(token, alice, router, 5n), approval(token, alice, router, maxUint - 5n)];
    expect(unlimited({ logs })).toEqual([]);
    const inner = encodeFunctionData({
      abi: parseAbi(["function transferFrom(address, address, uint256)"]),
      args: [alice, router, 5n],
    });
    const traced = logs.map((log, i) => ({ ...log, index: `0x${i}`, position: "0x0" }));
    const frames: RpcFrame[] = [{ type: "CALL", from: router, to: token, input: inner, logs: traced }];
    expect(unlimited({ logs, frames })).toEqual([]);
  });

  it("for what an Aave token reports, with the interest that it mints in between", () => {
    const logs = [
      approval(token, alice, router, maxUint - 5n),
      transfer(token, "0x0000000000000000000000000000000000000000" as typeof token, alice, 1n),
      transfer(token, alice, router, 5n),
    ];
    expect(unlimited({ logs })).toEqual([]);
  });

  it("for a router, pool or tax token that approves for itself", () => {
    const logs = [approval(usdc, router, spender, maxUint), approval(token, token, spender, maxUint)];
    expect(explain({ logs }).risk_flags).toEqual([]);
  });

  it("at 2^160-2 of Permit2 below the supply, and fires above it", () => {
    const logs = [permit2Approval(alice, token, spender, (1n << 160n) - 2n)];
    expect(unlimited({ to: permit2, logs, supplies: { [token]: 1n << 161n } })).toEqual([]);
    expect(unlimited({ to: permit2, logs, supplies: { [token]: 1n << 100n } })).toHaveLength(1);
  });

  it("when Permit2's lockdown takes it back", () => {
    const lockdown = {
      address: permit2,
      topics: [keccak256(toHex("Lockdown(address,address,address)")), word(alice)],
      data: `${word(token)}${word(spender).slice(2)}`,
    };
    const logs = [permit2Approval(alice, token, spender, (1n << 160n) - 1n), lockdown];
    expect(unlimited({ to: permit2, logs })).toEqual([]);
  });

  it("for the approval of one NFT, whose id is no amount", () => {
    const log = { ...approval(token, alice, spender, 0n), data: "0x" };
    log.topics = [...log.topics, word(maxUint)];
    expect(unlimited({ to: token, input: approveCall(spender, maxUint), logs: [log] })).toEqual([]);
    expect(unlimited({ to: token, logs: [nftTransfer(token, alice, spender, maxUint)] })).toEqual([]);
  });
});

describe("unlimited_approval says what it could not measure", () => {
  it("when the supply cannot be read: evidence, a note, and no flag", () => {
    const amount = 10n ** 15n * 10n ** 18n;
    const scene = approves(amount, { tokens: { [token]: { decimals: 18 } }, risk: {} });
    expect(unlimited(scene)).toEqual([]);
    expect(bases(scene)).toContain("evidence very_large, call");
    expect(explain(scene).checks.note).toContain("total supply of 1 token could not be read");
  });

  it("and says that only the contract reported it, if no call for it was seen", () => {
    const [detail] = unlimited({ logs: [approval(token, alice, spender, maxUint)] });
    expect(detail).toMatch(/^The token contract reported that the spender /);
  });
});

it("knows the selectors of all grants", () => {
  const signatures = [
    "approve(address,uint256)",
    "increaseAllowance(address,uint256)",
    "setApprovalForAll(address,bool)",
    "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
    "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
    "permit(address,address,uint256,uint256,bytes)",
  ];
  expect(signatures.filter((signature) => !isGrantCall(toFunctionSelector(signature), ruleset.grants))).toEqual([]);
  expect(isGrantCall(toFunctionSelector("transfer(address,uint256)"), ruleset.grants)).toBe(false);
});
