import { describe, expect, it } from "vitest";
import { planLookups } from "../../../src/engine/spine.ts";
import { checksum } from "../../../src/kernel/address.ts";
import { labels, ruleset } from "../../property/world.ts";
import { execTransaction, executionSuccess } from "../../support/envelopes.ts";
import {
  alice,
  answers,
  caseOf,
  code,
  explain,
  flagged,
  router,
  type Scene,
  someone,
  token,
  transfer,
  transferCall,
  usdc,
} from "./scene.ts";

const bob = someone("bob");
const unpublished = (address: typeof token) =>
  answers({ verification: { [address]: code({ status: "absent", logic: [address] }) } });
const unverified = (scene: Scene) => flagged(scene, "unverified_contract");

describe("the code is examined", () => {
  it("of a contract that is no listed token, even if it is called by a function of tokens", () => {
    const scene = { to: router, input: transferCall(bob, 1n), risk: unpublished(router) };
    expect(unverified(scene)[0]).toContain(checksum(router));
    expect(unverified({ ...scene, value: 5n })[0]).toContain(`the recipient ${checksum(router)}`);
    expect(unverified({ ...scene, logs: [transfer(usdc, alice, bob, 5n)] })[0]).toContain("the called contract");
    expect(explain({ ...scene, risk: answers({}) }).checks.contract_verification).toBe("partial");
  });

  it("and not of a listed token", () => {
    expect(unverified({ to: usdc, input: transferCall(bob, 1n), risk: unpublished(usdc) })).toEqual([]);
  });

  it("that a Safe runs as its own", () => {
    const safe = someone("safe");
    const input = execTransaction(router, 0n, transferCall(bob, 0n), 1);
    const logs = [executionSuccess(safe)];
    expect(unverified({ to: safe, input, logs, risk: unpublished(router) })[0]).toContain(checksum(router));
  });

  it("that the account's own code delegates to, its proxy's logic apart", () => {
    const wallet = someone("wallet");
    const input = "0x12345678" as const;
    const logic = (inner: `0x${string}`) => [
      { type: "DELEGATECALL", from: alice, to: wallet, input: inner, calls: [] },
    ];
    const scene = { from: alice, to: alice, input, risk: unpublished(wallet) };
    expect(unverified({ ...scene, frames: logic("0x87654321") })).toHaveLength(1);
    expect(unverified({ ...scene, frames: logic(input) })).toEqual([]);
  });
});

it("plans lookups of the called contract, then of the largest receiver of each asset before those of dust, within the cap", () => {
  const dust = Array.from({ length: 30 }, (_, i) => transfer(usdc, alice, someone(`dust ${i}`), 1n));
  const draft = caseOf({ logs: [...dust, transfer(usdc, alice, bob, 5_000n)] });
  const { verify } = planLookups(draft, { ruleset, labels }, 2).risk;
  expect(verify.map(({ address }) => address)).toEqual([router, bob]);
});

it("keeps an account that took a listed token among the counterparties, no matter how much junk comes before it", () => {
  const junk = Array.from({ length: 160 }, (_, i) => transfer(token, alice, someone(`junk ${i}`), 9n));
  const { counterparties } = explain({ logs: [...junk, transfer(usdc, alice, bob, 5n)] });
  expect(counterparties.map(({ address }) => address)).toContain(checksum(bob));
});
