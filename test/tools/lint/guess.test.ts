import { describe, expect, it } from "vitest";
import type { BalanceChanges } from "../../../src/model/match.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import {
  actionsLike,
  folderFor,
  guessAction,
  guessRole,
  sentenceFor,
  unusedRole,
} from "../../../src/tools/lint/scaffold/guess.ts";
import {
  both,
  change,
  erc20,
  ether,
  flowOf,
  gets,
  gives,
  move,
  nft,
  nothing,
  pool,
  subject,
  zero,
} from "./survey-of.ts";

describe("the action that words and money suggest", () => {
  it.each<[string[], BalanceChanges, string]>([
    [[], flowOf([], [nft], { minted: true }), "nft_mint"],
    [["stake"], flowOf([ether], [erc20, nft], { minted: true }), "nft_mint"],
    [[], flowOf([], [nft]), "nft_sale"],
    [["stake"], flowOf([nft], [ether], { minted: true }), "nft_sale"],
    [["LiquidationCall"], nothing, "liquidation"],
    [["borrow"], gets, "lending_borrow"],
    [["borrow"], gives, "payment"],
    [["Repaid"], gives, "lending_repay"],
    [["paybackAll"], gets, "claim"],
    [["addLiquidity"], both, "add_liquidity"],
    [["increase_liquidity"], gets, "claim"],
    [["removeLiquidity"], gets, "remove_liquidity"],
    [["decreaseLiquidity"], gives, "payment"],
    [["unstake"], gets, "unstake"],
    [["unlock"], gives, "stake"],
    [["createLock"], gives, "stake"],
    [["createLock"], gets, "claim"],
    [["supply"], gives, "lending_supply"],
    [["bridgeTo"], gives, "bridge_out"],
    [["bridgeTo"], both, "swap"],
    [["claimReward"], gets, "claim"],
    [["claim"], both, "swap"],
    [["Voted"], nothing, "governance"],
    [["attest"], gives, "attestation"],
    [["renew"], gives, "name_registration"],
    [["other", "borrow"], gets, "lending_borrow"],
    [["deposit"], gives, "stake"],
    [["deposit"], gets, "claim"],
    [["deposit"], both, "swap"],
    [["redeem"], gets, "unstake"],
    [["withdraw"], gives, "payment"],
    [[], gets, "claim"],
    [[], gives, "payment"],
    [[], nothing, "contract_interaction"],
  ])("%j", (words, flow, action) => {
    expect(guessAction(words, flow, [])).toBe(action);
  });

  it.each<[Partial<BalanceChanges>, Movement[], string]>([
    [{ minted: true }, [move(zero, subject, 1n)], "vault_deposit"],
    [{ minted: true }, [move(pool, zero, 1n)], "swap"],
    [{ minted: true }, [], "swap"],
    [{ burned: true }, [move(subject, zero, 1n)], "vault_withdraw"],
    [{ burned: true }, [move(zero, subject, 1n)], "swap"],
    [{}, [move(zero, subject, 1n)], "swap"],
    [{}, [move(subject, zero, 1n)], "swap"],
    // A share is created: the deposit, even where the other side is burned too.
    [{ minted: true, burned: true }, [move(zero, zero, 1n)], "vault_deposit"],
  ])("where both sides move, of a share: %j %#", (more, movements, action) => {
    expect(guessAction([], flowOf([erc20], [erc20], more), movements)).toBe(action);
  });

  it("takes one share among what moves for one", () => {
    const shares = flowOf([erc20], [change("erc20", [0, 1]), change("erc20", [1])], { minted: true });
    expect(guessAction([], shares, [move(zero, subject, 1n), move(pool, subject, 1n)])).toBe("vault_deposit");
  });

  it("has others beside it that such money may mean", () => {
    expect([both, gives, gets, nothing, flowOf([nft], [ether])].map((flow) => actionsLike(flow).join(" "))).toEqual([
      "swap vault_deposit vault_withdraw add_liquidity",
      "stake lending_supply lending_repay add_liquidity bridge_out payment",
      "claim unstake lending_withdraw lending_borrow remove_liquidity bridge_in",
      "governance social_action attestation name_update contract_interaction",
      "nft_mint nft_sale swap vault_deposit vault_withdraw add_liquidity",
    ]);
    expect(actionsLike(flowOf([nft], []))[0]).toBe("nft_mint");
    expect(actionsLike(flowOf([], [nft]))[0]).toBe("nft_mint");
  });

  it.each([
    ["swap", "{gives}", "{gets}", "dex", "swap {gives} for {gets} on {protocol}"],
    ["add_liquidity", "{gives}", "", "dex", "add {gives} as liquidity on {protocol}"],
    ["remove_liquidity", "", "{gets}", "dex", "take {gets} of liquidity out of {protocol}"],
    ["nft_mint", "", "{gets}", "nft", "mint {gets} on {protocol}"],
    ["nft_mint", "{gives}", "{gets}", "nft", "mint {gets} for {gives} on {protocol}"],
    ["nft_sale", "", "{gets}", "nft", "give nothing for {gets} on {protocol}"],
    ["nft_sale", "{gives}", "", "nft", "give {gives} for nothing on {protocol}"],
    ["liquidation", "{gives}", "{gets}", "lending", "use {protocol} with {gives}"],
    ["liquidation", "", "{gets}", "lending", "use {protocol} with {gets}"],
    ["governance", "", "", "governance", "use {protocol}"],
    ["contract_interaction", "", "", "new", "use {protocol}"],
  ])("%s with %j for %j goes to %s", (action, paid, got, family, does) => {
    expect([folderFor(action), sentenceFor(action, { gives: paid, gets: got })]).toEqual([family, does]);
  });

  it.each<[string[], string, boolean, string]>([
    [["createLock"], "swap", true, "staking"],
    [["x", "claim"], "swap", false, "distributor"],
    [["bridge"], "swap", true, "bridge"],
    [["propose"], "swap", true, "governor"],
    [["renew"], "swap", true, "registrar"],
    [["repay"], "swap", true, "pool"],
    [["redeem"], "swap", true, "vault"],
    [["Sync"], "swap", false, "pool"],
    [["Other", "Sync"], "swap", false, "pool"],
    [["Other"], "swap", false, "module"],
    [["Sync"], "swap", true, "router"],
    [[], "claim", true, "distributor"],
    [[], "payment", true, "entry"],
    [[], "no_action", true, "entry"],
  ])("%j of %s, called: %s, is a %s", (words, action, called, role) => {
    expect(guessRole(words, { action, called })).toBe(role);
  });

  it("of a name that others have gets a number", () => {
    const used = new Set(["vault"]);
    expect(["pool", "vault", "vault", "pool"].map((role) => unusedRole(role, used))).toEqual([
      ...["pool", "vault_2", "vault_3", "pool_2"],
    ]);
    expect([...used]).toEqual(["vault", "pool", "vault_2", "vault_3", "pool_2"]);
  });
});
