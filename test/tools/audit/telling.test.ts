import { describe, expect, it } from "vitest";
import { type Address, checksum, shorten } from "../../../src/kernel/address.ts";
import type { AssetMoved, Explanation } from "../../../src/model/explanation.ts";
import { holdingOf } from "../../../src/tools/audit/facts/moves.ts";
import type { Knowledge } from "../../../src/tools/audit/knowledge.ts";
import { readTelling } from "../../../src/tools/audit/telling.ts";
import { alice, bob, carol, caseOf, metadata, token, usdc, vault, weth } from "../../support/case-of.ts";
import { explanationOf } from "../../support/sample.ts";
import { known } from "./made-scene.ts";

const knowledge: Knowledge = {
  ...known,
  name: (address) => (address === vault ? { label: "The Vault", protocols: ["Vaults"] } : undefined),
  token: (address) => (address === usdc ? { symbol: "USDC", decimals: 6 } : undefined),
  protocols: ["Vaults"],
};

describe("what an answer tells", () => {
  const reading = (summary: string, parts: Partial<Explanation> = {}, tokens = {}) =>
    readTelling(
      explanationOf(caseOf().tx_hash, {
        summary,
        assets_moved: [],
        counterparties: [],
        risk_flags: [],
        partial: false,
        ...parts,
      }),
      caseOf({ tokens }),
      knowledge,
    );
  const of = (one: Address | null, id: bigint | null = null) => holdingOf(one, id);
  const named: Explanation["counterparties"] = [{ address: checksum(bob), label: "Bob's shop" } as never];

  it("names addresses in full, in short or by their label", () => {
    expect(reading(`to ${bob}`).names(bob)).toBe(true);
    expect(reading(`to ${checksum(bob)}`).names(bob)).toBe(true);
    expect(reading(`to ${shorten(bob)}`).names(bob)).toBe(true);
    expect(reading("to Bob's shop", { counterparties: named }).names(bob)).toBe(true);
    expect(reading("to The Vault").names(vault)).toBe(true);
    expect(reading("to null").names(bob)).toBe(false);
    expect(reading(`to ${shorten(carol)}`).names(bob)).toBe(false);
  });

  it.each<[string, Address | null, (bigint | null)[]]>([
    ["gave 1.5 USDC.", usdc, [1_500_000n]],
    ["gave 1,250.5 USDC and 2 USDC.", usdc, [1_250_500_000n, 2_000_000n]],
    ["gave 1.5 USDCX.", usdc, []],
    ["gave 1.5 ETH.", usdc, []],
    ["gave 1.5 ETH.", null, [1_500_000_000_000_000_000n]],
    ["gave all its USDC.", usdc, [null]],
    ["gave unlimited USDC.", usdc, [null]],
    ["gave a USDC.", usdc, [null]],
    ["gave all of USDC.", usdc, [null]],
    [`gave 7 raw units of token ${shorten(usdc)}.`, usdc, [7n]],
    ["locked 7 USDC at veUSDC, 3 times and gave 2 USDC.", usdc, [21_000_000n, 2_000_000n]],
    [`gave 7 base units of token ${shorten(usdc)}.`, usdc, [7n]],
    ["gave 5,660 wei of ETH.", null, [5_660n]],
    ["gave 1.5 × 10^21 wei of ETH.", null, [1_500_000_000_000_000_000_000n]],
    [`gave 7 "FOO" (${shorten(usdc)}).`, usdc, [7_000_000n]],
    [`gave 7 "USDC" (${shorten(carol)}).`, usdc, []],
    [`gave 7 token ${checksum(usdc)}.`, usdc, [7_000_000n]],
    ["gave #7 USDC.", usdc, []],
    ["gave 0x7 USDC.", usdc, []],
    ["gave 1.2345678 USDC.", usdc, []],
  ])("has amounts: %s", (summary, asset, expected) => expect(reading(summary).amounts(of(asset))).toEqual(expected));

  it("reads amounts of a token with the decimals on chain, or with any number of decimals", () => {
    const summary = `gave 7 "FOO" (${shorten(token)}).`;
    expect(reading(summary, {}, { [token]: metadata("FOO", 2) }).amounts(of(token))).toEqual([700n, 7n]);
    expect(reading(summary).amounts(of(token))).toEqual(
      Array.from({ length: 37 }, (_, places) => 7n * 10n ** BigInt(places)),
    );
    expect(reading("gave 7 of 3 things").numbers(of(usdc))).toEqual([7_000_000n, 3_000_000n]);
    expect(reading(summary).amounts(of(token, 1n))).toEqual([]);
  });

  it("has entries of what moved, and their sums", () => {
    const entry = (amount: string, of: Address | null, token_id?: string): AssetMoved =>
      ({
        token: "FOO",
        amount,
        from: alice,
        to: bob,
        token_address: of === null ? null : checksum(of),
        standard: "erc20",
        ...(token_id !== undefined && { token_id }),
      }) as AssetMoved;
    const list = [entry("1.5", usdc), entry("2", usdc), entry("1", null), entry("1", token, "7")];
    const told = reading("gave 3 FOO.", { assets_moved: list }, { [token]: metadata("FOO", 0) });
    expect(told.moved(of(usdc))).toEqual(list.slice(0, 2));
    expect(told.moved(of(null))).toEqual(list.slice(2, 3));
    expect(told.moved(of(token, 7n))).toEqual(list.slice(3));
    expect(told.moved(of(weth))).toEqual([]);
    expect(told.sums(list.slice(0, 2), of(usdc))).toEqual([3_500_000n]);
    expect(told.sums([entry("0.0000001", usdc)], of(usdc))).toEqual([]);
    expect(told.sums(list.slice(3), of(token, 7n))).toEqual([1n]);
    expect(told.sums([entry("3", token)], of(token))).toEqual([3n]);
  });

  it("has NFTs by id or collection", () => {
    expect(reading("gave NFT #7.").tellsNft(of(token, 7n))).toBe(true);
    expect(reading("gave NFT #77.").tellsNft(of(token, 7n))).toBe(false);
    expect(reading(`gave NFTs of ${shorten(token)}.`).tellsNft(of(token, 7n))).toBe(true);
  });

  it("says who may take something, in its summary or a flag about a right", () => {
    const flagged = (detail: string) => reading("x", { risk_flags: [{ flag: "unlimited_approval", detail } as never] });
    expect(reading(`to ${shorten(bob)}`).tellsPower(bob)).toBe(true);
    expect(flagged(`The spender ${shorten(bob)} is new.`).tellsPower(bob)).toBe(true);
    expect(flagged(`${shorten(bob)} may take it.`).tellsPower(bob)).toBe(true);
    expect(flagged(`The recipient ${shorten(bob)} is new.`).tellsPower(bob)).toBe(false);
    expect(flagged(`The spender ${shorten(carol)} is new.`).tellsPower(bob)).toBe(false);
    expect(flagged(`The spender ${shorten(bob)}`).flags("unlimited_approval", bob)).toBe(true);
    expect(flagged(`The spender ${shorten(bob)}`).flags("known_drainer", bob)).toBe(false);
    expect(flagged(`The spender ${shorten(carol)}`).flags("unlimited_approval", bob)).toBe(false);
  });

  it("says that it cannot explain an asset, sentence by sentence", () => {
    const told = reading("It gave 3 ETH. 1.5 USDC received is not explained.");
    expect([told.isOpen(of(usdc)), told.isOpen(of(null))]).toEqual([true, false]);
  });

  it.each<[string, boolean, [boolean, boolean, boolean]]>([
    ["It sent 1 ETH and 2 more assets.", false, [true, false, false]],
    ["It sent 1 ETH and 1 more asset.", false, [true, false, false]],
    ["1 ETH is not explained.", false, [true, false, false]],
    ["Ether could not be read.", false, [true, false, false]],
    ["It sent many things…", false, [true, false, false]],
    ["It sent… Then more.", false, [true, false, false]],
    ["It sent 1 ETH.", false, [false, false, false]],
    ["3 movements are not listed.", false, [false, false, false]],
    ["3 movements are not listed.", true, [false, true, false]],
    ["1 movement is not listed.", true, [false, true, false]],
    ["Not everything was read: 3 movements are missing.", true, [true, true, false]],
    ["It made 2 more changes of control.", true, [false, false, true]],
    ["It made 2 more changes of control.", false, [false, false, false]],
  ])("says what is missing: %s (partial: %s)", (summary, partial, expected) => {
    const told = reading(summary, { partial });
    expect([told.cutsAssets, told.cutsList, told.cutsControl]).toEqual(expected);
  });

  it("leaves out assets if it is partial although the ether is known", () => {
    const trace = { source: "internal_transfers" as const, provider: "x", internal_transfers: [] };
    const told = (summary: string) =>
      readTelling(
        explanationOf(caseOf().tx_hash, { summary, assets_moved: [], counterparties: [], partial: true }),
        caseOf({ trace }),
        knowledge,
      ).cutsAssets;
    expect([told("It sent 1 ETH."), told("3 movements are not listed.")]).toEqual([true, false]);
  });
});
