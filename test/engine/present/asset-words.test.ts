import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { presentAssets } from "../../../src/engine/present/assets.ts";
import { wellKnownSymbols } from "../../../src/engine/present/teller/words.ts";
import { type Address, checksum, shorten } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { AssetChange } from "../../../src/model/match.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, caseOf, metadata, token, usdc, vault, weth } from "../../support/case-of.ts";
import { labelsOf, nameOf, shippedLabels, tokenOf } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>([7n]) };
const namesOf = () =>
  new AssetNames(caseOf({ tokens: { [token]: metadata("ODD", 2) } }), shippedLabels(), policy, teller);
const trusted = (text: string) => ({ text, untrusted: false });

describe("assets in words", () => {
  const change = (more: Partial<AssetChange>): AssetChange => ({
    ...{ key: "k", kind: "erc20", token: usdc, tokenId: null, amount: 5_000_000n, movements: [], ...more },
  });

  it("are amounts, NFTs by their number, or one of a collection", () => {
    const said = (more: Partial<AssetChange>) => namesOf().asset(change(more));
    expect(said({})).toEqual(trusted("5 USDC"));
    expect(said({ kind: "nft", token: bob, tokenId: 0n, amount: 2n })).toEqual(
      trusted(`2 × NFT #0 of ${shorten(bob)}`),
    );
    const any = teller.say("asset.any_nft", { collection: shorten(bob) });
    expect(said({ kind: "nft", token: bob, amount: 1n })).toEqual(any);
    expect(said({ kind: "nft", token: bob, amount: 1500n })).toEqual(trusted(`1,500 × ${any.text}`));
    const labelled = teller.say("asset.any_nft", { collection: "WETH9" });
    expect(said({ kind: "nft", token: weth, amount: 1n })).toEqual(labelled);
  });

  it("are recorded by key when they are told", () => {
    const names = namesOf();
    names.amount(usdc, 9n);
    const listed = names.record();
    names.amount(null, -3n);
    names.amount(usdc, 4n);
    names.nft(bob, 8n, 2n);
    names.tally([change({ key: "other", amount: 6n })]);
    names.name(usdc);
    expect(listed).toEqual([
      { key: "native", amount: 3n },
      { key: usdc, amount: 4n },
      { key: `${bob}:8`, amount: 2n },
      { key: "other", amount: 6n },
    ]);
    expect(names.record()).toEqual([]);
    expect(names.amount(null, -(10n ** 18n)).text).toBe("1 ETH");
  });

  it("have long numbers shortened, from thirteen digits on", () => {
    const shown = (id: bigint) => namesOf().nft(bob, id, 1n).text;
    expect([shown(123_456_789_012n), shown(1_234_567_890_123n)]).toEqual([
      `NFT #123456789012 of ${shorten(bob)}`,
      `NFT #123456…0123 of ${shorten(bob)}`,
    ]);
  });

  it("have the number of a listed token's or a labelled contract's NFT behind its name", () => {
    expect(namesOf().nft(usdc, 7n, 1n)).toEqual(trusted("USDC #7"));
    expect(namesOf().nft(weth, 7n, 1n)).toEqual(trusted("WETH9 #7"));
    expect(namesOf().nft(token, 7n, 1n)).toEqual({ text: `"ODD" #7 (${shorten(token)})`, untrusted: true });
  });

  it("are unlimited if they mean everything, and one of a token with unknown decimals is one raw unit", () => {
    expect(namesOf().allowance(usdc, 7n)).toEqual(teller.say("asset.unlimited", { asset: trusted("USDC") }));
    expect(namesOf().allowance(usdc, 8n).text).toBe("0.000008 USDC");
    const raw = (count: number) =>
      teller.say("asset.raw", { count, amount: String(count), asset: namesOf().name(bob) });
    expect([namesOf().amount(bob, 1n), namesOf().amount(bob, 2n)]).toEqual([raw(1), raw(2)]);
    expect([namesOf().exact(null, 5n), namesOf().exact(bob, 5n), namesOf().short(bob)]).toEqual([
      ...["0.000000000000000005", "5", shorten(bob)],
    ]);
  });

  it("take decimals from the case, otherwise from labels", () => {
    const labels = labelsOf({
      decimals: [
        { address: bob, decimals: 3 },
        { address: token, decimals: 9 },
      ],
    });
    const names = new AssetNames(caseOf({ tokens: { [token]: metadata("ODD", 2) } }), labels, policy, teller);
    expect([names.facts(bob), names.facts(token)]).toEqual([
      { symbol: null, decimals: 3, listed: false },
      { symbol: "ODD", decimals: 2, listed: false },
    ]);
    expect(names.facts(null)).toMatchObject({ symbol: "ETH", decimals: 18, listed: true });
  });

  it("of strangers never have a well-known symbol", () => {
    const labels = labelsOf({
      tokens: [
        tokenOf(usdc, "USDC", { decimals: 6, wellKnown: true }),
        tokenOf(bob, "Bob", { decimals: 6, wellKnown: false }),
      ],
      names: [nameOf(vault, "Vault")],
    });
    expect([...wellKnownSymbols(labels)]).toEqual(["eth", "usdc"]);
    expect(wellKnownSymbols(labels)).toBe(wellKnownSymbols(labels));
  });
});

describe("movements in an answer without room for all", () => {
  const move = (from: Address, to: Address, of: Address | null, amount = 1n): Movement =>
    ({ standard: of === null ? "native" : "erc20", token: of, tokenId: null, amount, from, to }) as Movement;
  const present = (...moves: Movement[]) => {
    const all = moves.map((one, index) => ({ ...one, index }));
    const { kept, cut, assets, untrusted } = presentAssets(all, [alice], namesOf());
    return { kept: kept.map(({ index }) => index), cut, count: assets.length, untrusted };
  };
  const times = (count: number, one: Movement) => Array<Movement>(count).fill(one);
  const [max, most] = [limits.assetsMax, limits.ownAssetsMax];

  it("are all there up to the limit, and then the account's own before others", () => {
    const others = times(max, move(bob, carol, usdc));
    expect(present(...others)).toMatchObject({ cut: 0, count: max });
    const own = present(...others, move(alice, bob, usdc), move(bob, alice, usdc));
    expect(own.kept).toEqual([...Array.from({ length: max - 2 }, (_, i) => i), max, max + 1]);
    expect(own.cut).toBe(2);
  });

  it("are chosen from the account's own in this order: what it gave, what it got, trifles, what anybody could have made", () => {
    const [much, more] = [5_000_000n, 6_000_000n];
    const junk = move(bob, alice, token);
    const ether = move(alice, bob, null, 10n ** 18n);
    const kinds = [move(alice, bob, usdc, 0n), junk, move(alice, bob, usdc, 1n), move(bob, alice, usdc, more), ether];
    const filled = (count: number) => times(count, move(alice, bob, usdc, much));
    const keptOf = (count: number) =>
      present(...kinds, ...filled(count))
        .kept.slice(0, 5)
        .filter((index) => index < 5);
    expect(keptOf(most - 1)).toEqual([4]);
    expect(keptOf(most - 2)).toEqual([3, 4]);
    expect(keptOf(most - 3)).toEqual([2, 3, 4]);
    expect(keptOf(most - 4)).toEqual([1, 2, 3, 4]);
    expect(keptOf(most - 5)).toEqual([0, 1, 2, 3, 4]);
    expect(present(...kinds, ...filled(most)).cut).toBe(5);
    expect(present(...times(most, move(alice, bob, usdc)), move(bob, carol, usdc)).kept).toHaveLength(most);
  });

  it("keep the largest that an account gave, even after many small ones", () => {
    const { kept } = present(
      ...times(most + 20, move(alice, bob, usdc, 1_000_000n)),
      move(alice, bob, usdc, 9_000_000n),
    );
    expect(kept).toHaveLength(most);
    expect(kept.at(-1)).toBe(most + 20);
  });

  it("say which names a stranger chose", () => {
    expect(present(move(bob, carol, usdc), move(bob, carol, token), move(bob, carol, vault)).untrusted).toEqual([1]);
  });
});

describe("a movement in the list", () => {
  const one = (more: Partial<Movement>) => {
    const move = { index: 0, standard: "erc20", token, tokenId: null, amount: 150n, from: alice, to: bob, ...more };
    return presentAssets([move as Movement], [alice], namesOf()).assets;
  };
  const [from, to] = [checksum(alice), checksum(bob)];
  const odd = { token: "ODD", from, to, token_address: checksum(token) };

  it.each<[string, Partial<Movement>, object]>([
    ["of tokens has their decimals", {}, { ...odd, amount: "1.5", standard: "erc20" }],
    [
      "of an NFT has none",
      { standard: "erc721", tokenId: 7n, amount: 1n },
      { ...odd, amount: "1", token_id: "7", standard: "erc721" },
    ],
    [
      "of copies has none",
      { standard: "erc1155", tokenId: 7n },
      { ...odd, amount: "150", token_id: "7", standard: "erc1155" },
    ],
    [
      "of an NFT without a number has 0",
      { standard: "erc721" },
      { ...odd, amount: "150", token_id: "0", standard: "erc721" },
    ],
    [
      "of ether has no address",
      { standard: "native", token: null },
      { from, to, token: "ETH", token_address: null, amount: "0.00000000000000015", standard: "native" },
    ],
    [
      "of a token without a symbol has its address",
      { token: vault },
      { from, to, token: shorten(vault), token_address: checksum(vault), amount: "150", standard: "erc20" },
    ],
  ])("%s", (_what, more, expected) => {
    expect(one(more)).toEqual([expected]);
  });
});
