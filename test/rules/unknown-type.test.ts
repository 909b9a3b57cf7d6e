import { describe, expect, it } from "vitest";
import { buildEngine } from "../../src/engine/build-engine.ts";
import type { CaseFile, RpcReceipt, RpcTransaction } from "../../src/model/case-file.ts";
import { alice, bob, transferLog, usdc } from "../support/case-of.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";
import { shippedWorld } from "./world.ts";

const { ruleset, labels } = shippedWorld();
const engine = buildEngine(ruleset, labels);
const note = "It is a kind of transaction (0x79) that is not known here, so it may do more than is told.";

/** A transaction of a type that no rule knows, from alice. */
const told = (transaction: Partial<RpcTransaction> = {}, receipt: Partial<RpcReceipt> = {}) => {
  const file = caseFileOf(hashOf(1));
  const changed: CaseFile = {
    ...file,
    transaction: { ...file.transaction, type: "0x79", from: alice, to: null, ...transaction },
    receipt: { ...file.receipt, from: alice, gasUsed: "0x5208", ...receipt },
    trace: { source: "none", reason: "no endpoint traces" },
  };
  const { summary, action_type, partial, assets_moved } = engine.decide(changed).explanation;
  expect(partial).toBe(true);
  return { summary, action_type, moved: assets_moved.map(({ amount, token }) => `${amount} ${token}`) };
};

describe("a transaction of an unknown type", () => {
  it("without `to` deployed nothing and called nothing", () => {
    const undecoded = "The sender did something that could not be decoded";
    expect(told()).toEqual({ action_type: "unknown", summary: `${undecoded}. ${note}`, moved: [] });
    expect(told({}, { status: "0x0" }).summary).toBe(
      `${undecoded}, but the transaction reverted. The reason is not known.`,
    );
  });

  it("has its money told", () => {
    const { action_type, summary, moved } = told({}, { logs: [transferLog(usdc, alice, bob, 5_000_000n)] });
    expect([action_type, moved]).toEqual(["unknown", ["5 USDC"]]);
    expect(summary).toMatch(/ sent 5 USDC to .*that is not known here/);
  });

  it("is told by what it has", () => {
    expect(told({ to: bob, value: "0xde0b6b3a7640000" }).summary).toMatch(/ sent 1 ETH to .* not known here/);
    expect(told({}, { contractAddress: bob }).action_type).toBe("contract_deployment");
    // With `to` but without data it need not be empty.
    expect(told({ to: bob }).summary).not.toMatch(/empty|nothing/);
    expect(told({ to: alice }).summary).not.toMatch(/nonce/);
  });
});
