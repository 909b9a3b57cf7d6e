import { describe, expect, it } from "vitest";
import { balanceChanges } from "../../../src/engine/normalize/balance-changes.ts";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  frame,
  nftTransferLog,
  token,
  traced,
  transferLog,
  usdc,
  vault,
  weth,
  zero,
} from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { compileOwn, standing } from "../../support/own-rules.ts";

type Parts = Parameters<typeof caseOf>[0];
const read = (logs: RpcLog[], rest: Parts = {}) => normalize(caseOf({ receipt: { logs }, ...rest }), shippedLabels());
const sidesOf = (logs: RpcLog[], rest: Parts = {}) => {
  const { gives, gets, neutral } = balanceChanges(read(logs, rest), alice);
  const side = (assets: typeof gives) => assets.map(({ key, kind, amount }) => `${amount} ${kind} ${key}`);
  return { gives: side(gives), gets: side(gets), neutral: neutral.flatMap(({ movements }) => movements) };
};
const nft = (from: string, to: string, id: bigint) => nftTransferLog(token, from, to, id);

describe("balanceChanges", () => {
  it("sums each asset, native ether and wrapped ether apart, gas excluded", () => {
    const logs = [
      transferLog(usdc, alice, bob, 10n),
      transferLog(usdc, bob, alice, 3n),
      transferLog(weth, bob, alice, 2n),
    ];
    expect(sidesOf(logs, { transaction: { value: "0x7" } })).toEqual({
      gives: ["7 native native", `7 erc20 ${usdc}`],
      gets: [`2 erc20 ${weth}`],
      neutral: [],
    });
  });

  it("sets what cancels out aside: a round trip is no exchange", () => {
    const logs = [transferLog(usdc, alice, bob, 10n), transferLog(usdc, bob, alice, 10n)];
    expect(sidesOf(logs)).toEqual({ gives: [], gets: [], neutral: [0, 1] });
    expect(sidesOf([transferLog(usdc, alice, alice, 5n)])).toEqual({ gives: [], gets: [], neutral: [0] });
  });

  it("is exact where a float is not", () => {
    const logs = [transferLog(token, alice, bob, 2n ** 90n), transferLog(token, carol, alice, 2n ** 90n - 1n)];
    expect(sidesOf(logs).gives).toEqual([`1 erc20 ${token}`]);
    expect(sidesOf([transferLog(token, alice, bob, 1n)]).gives).toEqual([`1 erc20 ${token}`]);
  });

  it("counts every NFT by its id", () => {
    expect(sidesOf([nft(alice, bob, 1n), nft(bob, alice, 2n), nft(bob, alice, 2n)])).toEqual({
      gives: [`1 nft ${token}:1`],
      gets: [`2 nft ${token}:2`],
      neutral: [],
    });
  });

  it("names receivers and senders, each once, and what was minted or burned", () => {
    const flow = balanceChanges(
      read([transferLog(usdc, alice, bob, 1n), transferLog(usdc, alice, bob, 1n), transferLog(token, zero, alice, 1n)]),
      alice,
    );
    expect(flow).toMatchObject({ recipients: [bob], senders: [zero], minted: true, burned: false });
    expect(balanceChanges(read([transferLog(usdc, alice, zero, 1n)]), alice)).toMatchObject({
      minted: false,
      burned: true,
    });
  });

  it("says when ether may have moved unseen", () => {
    expect(balanceChanges(read([]), alice).complete).toBe(false);
    expect(balanceChanges(read([], { trace: traced(frame(alice, vault)) }), alice).complete).toBe(true);
  });

  it("puts ether that was given at an unknown place before what followed from it", () => {
    const trace = {
      source: "internal_transfers" as const,
      provider: "explorer.example",
      internal_transfers: [{ type: "call", from: alice, to: vault, value: "0x9", success: true }],
    };
    expect(sidesOf([transferLog(usdc, alice, vault, 5n)], { trace }).gives).toEqual([
      "9 native native",
      `5 erc20 ${usdc}`,
    ]);
  });

  it("is empty for an account with no movements", () => {
    expect(balanceChanges(read([transferLog(usdc, alice, bob, 1n)]), carol)).toMatchObject({
      gives: [],
      gets: [],
      neutral: [],
    });
  });
});

describe("what a rule asks of the flow", () => {
  const shown: Parts = {
    trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] },
  };
  const fits = (flow: string, logs: RpcLog[], rest: Parts = shown) => {
    const rules = compileOwn(`protocol: asked
kind: standard
rules:
  - { id: it, action: contract_interaction, money: ${flow}, say: "do it" }`);
    return standing(rules, caseOf({ receipt: { logs }, ...rest })).length === 1;
  };
  const out = transferLog(usdc, alice, bob, 1n);
  const other = transferLog(token, alice, bob, 1n);
  const back = transferLog(weth, bob, alice, 1n);

  it.each<[string, RpcLog[], boolean]>([
    ["{ gives: one fungible, gets: one fungible }", [out, back], true],
    ["{ gives: one fungible, gets: one fungible }", [out], false],
    ["{ gives: one fungible, gets: one fungible }", [out, other, back], false],
    ["{ gives: one fungible }", [out, back], true],
    ["{ gives: two fungible }", [out, other], true],
    ["{ gives: two fungible }", [out], false],
    ["{ gives: some }", [out, nft(alice, bob, 1n)], true],
    ["{ gives: some nft }", [out, nft(alice, bob, 1n)], true],
    ["{ gives: some nft }", [out], false],
    ["{ gives: one nft }", [out, nft(alice, bob, 1n)], false],
    ["{ gives: several }", [out], false],
    ["{ gives: several }", [out, other], true],
    ["{ gives: any, gets: nothing }", [], true],
    ["{ gives: any, gets: nothing }", [out], true],
    ["{ gives: any, gets: nothing }", [out, back], false],
    ["{ gets: one native }", [back], false],
    ["{ gives: { min: 1, max: 2, kind: erc20 } }", [out, other], true],
    ["{ gives: { min: 2, max: 3, kind: erc20 } }", [out], false],
  ])("%s", (flow, logs, expected) => {
    expect(fits(flow, logs)).toBe(expected);
  });
});
