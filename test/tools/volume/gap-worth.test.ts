import { describe, expect, it } from "vitest";
import type { Decision } from "../../../src/model/decision.ts";
import type { Evidence } from "../../../src/model/evidence.ts";
import type { Explanation } from "../../../src/model/explanation.ts";
import type { Labels } from "../../../src/model/label.ts";
import { findGaps, isTyped } from "../../../src/tools/volume/gaps.ts";
import { alice, bob, carol, caseOf, token, usdc, vault, weth } from "../../support/case-of.ts";
import { evidenceOf, explanationOf, hashOf } from "../../support/sample.ts";

const oneEther = 10n ** 18n;
const topic = `0x${"ab".repeat(32)}` as const;
const decimals: Record<string, number> = { [weth]: 18, [usdc]: 6, [token]: 2 };
const labels = {
  system: (role: string) => ({ weth: [weth], dollars: [usdc] })[role] ?? [],
  token: (address: string) => (address in decimals ? { decimals: decimals[address] } : undefined),
} as unknown as Labels;
const file = caseOf({ price: { status: "found", source: "test", eth_usd: "2000" } });

function gapsOf(type: string, evidence: Partial<Evidence> = {}, assets_moved: Explanation["assets_moved"] = []) {
  const explanation = { ...explanationOf(hashOf(1)), action_type: type, assets_moved };
  const told = { ...evidenceOf(), subject: alice, ...evidence };
  return findGaps({ explanation, evidence: () => told } as unknown as Decision, file, labels);
}

const moved = (of: string | null, amount: bigint) =>
  ({ movement: 0, token: of, amount: String(amount), from: alice, to: bob }) as Evidence["unexplained"][number];
const asset = (from: string, to: string, amount: string, more: Partial<Explanation["assets_moved"][number]> = {}) =>
  ({ token: "ETH", token_address: null, amount, from, to, standard: "native", ...more }) as never;

describe("an answer with a type", () => {
  const call = { call: 0, to: vault, selector: "0x12345678" };
  const log = { log: 0, address: vault, topic0: topic };
  const calls = [
    { address: vault, selector: "0x12345678", topic0: null },
    { address: vault, selector: null, topic0: topic },
  ];

  it.each<[string, Partial<Evidence>, object]>([
    ["nothing left over", {}, { places: [], worth: 0n }],
    ["logs alone left over", { unclaimed_logs: [log] }, { places: [], worth: 0n }],
    ["a call left over", { unexplained_calls: [call], unclaimed_logs: [log] }, { places: calls, worth: 0n }],
    [
      "a movement left over",
      { unexplained: [moved(null, 5n)], unclaimed_logs: [log] },
      { places: calls.slice(1), worth: 5n },
    ],
    [
      "as many calls as movements left over",
      { unexplained: [moved(null, 5n)], unexplained_calls: [call] },
      { places: calls.slice(0, 1), worth: 5n },
    ],
    ["a creation left over", { unexplained_calls: [{ ...call, to: null }] }, { places: [], worth: 0n }],
    [
      "the same call and the same log left over twice",
      { unexplained_calls: [call, { ...call, call: 1 }], unclaimed_logs: [log, { ...log, log: 1 }] },
      { places: calls, worth: 0n },
    ],
    [
      "ether, wrapped ether, dollars and another token left over",
      { unexplained: [moved(null, 1n), moved(weth, 10n), moved(usdc, 2_000_000n), moved(token, 100n)] },
      { places: [], worth: 11n + oneEther / 1_000n },
    ],
  ])("and %s", (_what, evidence, gaps) => {
    expect(gapsOf("swap", evidence)).toEqual({ typed: true, ...gaps });
  });
});

describe("an answer without a type", () => {
  const half = oneEther / 2n;
  it.each<[string, Explanation["assets_moved"], bigint]>([
    ["nothing", [], 0n],
    ["what the subject gave", [asset(alice, bob, "0.5"), asset(alice, bob, "1")], oneEther + half],
    ["what the subject got", [asset(bob, alice.toUpperCase().replace("0X", "0x"), "0.5")], half],
    ["the larger of both", [asset(bob, alice, "0.5"), asset(alice, bob, "1")], oneEther],
    ["the larger of both, in any order", [asset(alice, bob, "0.5"), asset(bob, alice, "1")], oneEther],
    ["nothing of others", [asset(bob, carol, "9"), asset(alice, carol, "0.5")], half],
    ["dollars", [asset(alice, bob, "1000", { token_address: usdc, standard: "erc20" })], half],
    ["no other token", [asset(alice, bob, "1000", { token_address: token, standard: "erc20" })], 0n],
    ["no token that nobody knows", [asset(alice, bob, "1000", { token_address: vault, standard: "erc20" })], 0n],
    ["no number of a piece", [asset(alice, bob, "1", { token_address: weth, standard: "erc721" })], 0n],
    ["no pieces", [asset(alice, bob, "1", { token_address: usdc, standard: "erc1155" })], 0n],
  ])("is worth %s", (_what, assets, worth) => {
    expect(gapsOf("contract_interaction", { unexplained: [moved(null, 7n)] }, assets)).toEqual({
      ...{ typed: false, places: [], worth },
    });
  });
});

it.each([
  ["swap", true],
  ["contract_interaction", false],
  ["unknown", false],
])("%s is a type: %s", (action_type, typed) => {
  expect(isTyped({ action_type })).toBe(typed);
});
