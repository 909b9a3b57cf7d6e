import { describe, expect, it } from "vitest";
import { checksum, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../../src/kernel/amount.ts";
import { usdc } from "../../support/case-of.ts";
import { captured, coin, reported, some, someone, there } from "./captured-field.ts";
import { vault } from "./descriptor-folder.ts";

const token = (params: object) => ({ path: "a", format: "tokenAmount", params });

describe("an amount of a token is captured", () => {
  const most = (unlimitedThreshold - 1n).toString();
  const amount = (of: string, more = {}) => ({ capture: { amount: "args.a", of, ...more }, where: [some("args.a")] });
  const ofT = (more = {}) => amount("args.t", more);

  it.each<[object, unknown]>([
    [{}, { capture: { integer: "args.a" }, reported }],
    [{ token: coin }, amount(coin)],
    [{ token: "$.metadata.constants.usdc" }, amount(coin)],
    [{ tokenPath: "$.metadata.constants.usdc" }, amount(coin)],
    [{ tokenPath: usdc }, amount(coin)],
    [{ token: zeroAddress }, amount("native")],
    [{ token: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE" }, amount("native")],
    [{ token: vault, nativeCurrencyAddress: [usdc, vault] }, amount("native")],
    [{ token: vault, nativeCurrencyAddress: usdc }, amount(checksum(toAddress(vault)))],
    [{ tokenPath: "t" }, ofT()],
    [{ tokenPath: "t", nativeCurrencyAddress: [zeroAddress] }, ofT()],
    [
      { tokenPath: "t", nativeCurrencyAddress: [zeroAddress, vault] },
      { ...ofT(), where: [some("args.a"), { "!": { "==": [{ var: "args.t" }, vault] } }] },
    ],
    [{ tokenPath: "t", chainId: 8453, chainIdPath: "@.chainId" }, ofT()],
    [{ tokenPath: "all.[1]" }, { ...amount("args.all.1"), where: [some("args.a"), there("args.all.1", zeroAddress)] }],
    [{ tokenPath: "a.gone" }, ["0: a path that the signature does not have"]],
    [{ tokenPath: 5 }, ["0/params/tokenPath: a path that is no text"]],
    [{ tokenPath: "flag" }, ["0: a value of another type than its format needs"]],
    [{ token: coin, threshold: "1" }, amount(coin, { cap: "1", capped: "unlimited" })],
    [{ token: coin, threshold: "0" }, ["0/params/threshold: a threshold that is no number above zero"]],
    [{ token: coin, threshold: most }, amount(coin, { cap: most, capped: "unlimited" })],
    [{ token: coin, threshold: unlimitedThreshold.toString() }, amount(coin)],
    [
      { token: coin, threshold: unlimitedThreshold.toString(), message: "All" },
      amount(coin, { cap: unlimitedThreshold.toString(), capped: "all" }),
    ],
    [{ token: coin, threshold: 9, thresholdLabel: "Max Out" }, amount(coin, { cap: "9", capped: "max out" })],
    [{ tokenPath: "t", threshold: 9, message: "A".repeat(6) }, ofT({ cap: "9", capped: "AAAAAA" })],
    [{ token: coin, threshold: 9, message: "5 coins" }, ["0/params/message: a message that is not short and plain"]],
  ])("%j", (params, expected) => {
    expect(captured("uint256 a,address t,bool flag,address[] all", token(params))).toEqual(expected);
  });

  it("of a list only beside values of the same list", () => {
    const list = { path: "o.[].n", format: "tokenAmount", params: { tokenPath: "o.[].t" } };
    expect(captured("(uint256 n,address t)[] o", list)).toEqual({
      capture: { amount: "item.n", of: "item.t" },
      where: [some("item.n")],
      each: "args.o",
    });
    const other = { ...list, params: { tokenPath: "t.[]" } };
    expect(captured("(uint256 n,address t)[] o,address[] t", other)).toEqual(["0: values of several arrays"]);
  });
});

describe("an NFT is captured", () => {
  const nft = (params: object) => ({ path: "a", format: "nftName", params });
  it.each<[object, unknown]>([
    [{}, { capture: { number: "args.a" }, reported }],
    [{ collection: usdc }, { capture: { nft: coin, id: "args.a" } }],
    [{ collectionPath: "t" }, { capture: { nft: "args.t", id: "args.a" }, where: [someone("args.t")] }],
    [
      { collectionPath: "n" },
      { capture: { nft: "args.n.addressAt.12", id: "args.a" }, where: [someone("args.n.addressAt.12")] },
    ],
  ])("%j", (params, expected) => {
    expect(captured("uint256 a,address t,uint256 n", nft(params))).toEqual(expected);
  });
});

describe("a quantity is captured", () => {
  const unit = (params: object) => ({ path: "a", format: "unit", params });
  const told = (decimals: string, more = {}) => ({ capture: { quantity: "args.a", decimals, ...more } });
  const [wrong, large] = [
    "0/params/base: a unit that is no short word",
    "0/params/decimals: decimals that are no small number",
  ];
  it.each<[object, unknown]>([
    [{}, { ...told("0"), reported }],
    [{ base: " bps ", decimals: 77, prefix: true }, told("77", { unit: "bps" })],
    [{ base: `a${"b".repeat(15)}` }, told("0", { unit: `a${"b".repeat(15)}` })],
    [{ base: `a${"b".repeat(16)}` }, [wrong]],
    [{ base: "%", decimals: 0 }, told("0", { unit: "%" })],
    [{ base: "%", decimals: 78 }, [large]],
    [{ decimals: -1 }, [large]],
    [{ decimals: 0.5 }, [large]],
    [{ decimals: "2" }, [large]],
  ])("%j", (params, expected) => {
    expect(captured("int256 a", unit(params))).toEqual(expected);
  });
});
