import { describe, expect, it } from "vitest";
import { netChanges } from "../../../src/engine/present/view/view.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";

const move = (from: Address, to: Address, amount: bigint, of: Address | null = usdc, more: object = {}) => ({
  ...{ standard: of === null ? "native" : "erc20", token: of, tokenId: null, from, to, amount, fee: false, ...more },
});
const nft = (from: Address, to: Address, tokenId: bigint, amount = 1n, standard = "erc721") =>
  move(from, to, amount, token, { standard, tokenId });

describe("the net changes of an account", () => {
  it("sums by asset in the order of the first movement, what an account sends itself left as it is", () => {
    const movements = [
      move(alice, bob, 5n, usdc),
      move(bob, bob, 9n, token),
      move(bob, carol, 7n, usdc, { fee: true }),
      move(alice, carol, 1n, null),
    ].map((one, index) => ({ ...one, index }));
    expect(netChanges(movements as never, bob)).toEqual([
      { standard: "erc20", token: usdc, tokenId: null, delta: -2n },
      { standard: "erc20", token, tokenId: null, delta: 0n },
    ]);
  });
});

it.each<[string, object[], [string, bigint][]]>([
  ["nothing", [], []],
  ["what others moved", [move(bob, carol, 5n)], []],
  ["what came", [move(bob, alice, 5n)], [["erc20", 5n]]],
  ["what went", [move(alice, bob, 5n)], [["erc20", -5n]]],
  ["both together", [move(alice, bob, 5n), move(carol, alice, 2n), move(bob, carol, 9n)], [["erc20", -3n]]],
  ["as much as came", [move(alice, bob, 5n), move(bob, alice, 5n)], [["erc20", 0n]]],
  ["what it moved to itself", [move(alice, alice, 5n)], [["erc20", 0n]]],
  ["what it paid for gas", [move(alice, bob, 5n, usdc, { fee: true })], [["erc20", -5n]]],
  [
    "each asset, in the order in which it first moved",
    [move(bob, alice, 1n, null), move(alice, bob, 2n), move(bob, alice, 3n, token), move(bob, alice, 4n, null)],
    [
      ["native", 5n],
      ["erc20", -2n],
      ["erc20", 3n],
    ],
  ],
  [
    "each NFT",
    [nft(bob, alice, 1n), nft(bob, alice, 2n), nft(alice, bob, 1n), nft(bob, alice, 2n, 5n, "erc1155")],
    [
      ["erc721 1", 0n],
      ["erc721 2", 1n],
      ["erc1155 2", 5n],
    ],
  ],
])("the net changes of an account are %s", (_what, movements, expected) => {
  const told = (list: object[]) =>
    netChanges(list as never, alice).map(({ standard, tokenId, delta }) => [
      ...[`${standard}${tokenId === null ? "" : ` ${tokenId}`}`, delta],
    ]);
  expect(told(movements)).toEqual(expected);
  // The result is the same among many movements of others, where an index is used.
  expect(told([...movements, ...Array.from({ length: 64 }, () => move(bob, carol, 1n))])).toEqual(expected);
});

describe("the balances of an account", () => {
  it("change by what came less what went, asset by asset, in the order in which they first moved", () => {
    const all = [
      move(alice, bob, 5n, usdc),
      move(alice, carol, 9n, usdc),
      move(bob, alice, 7n, null),
      move(bob, bob, 3n, null),
      move(bob, carol, 2n, usdc),
      nft(alice, bob, 1n, 1n, "erc1155"),
      nft(alice, bob, 2n, 2n, "erc1155"),
    ];
    expect(netChanges(all as never, bob)).toEqual([
      { standard: "erc20", token: usdc, tokenId: null, delta: 3n },
      { standard: "native", token: null, tokenId: null, delta: -7n },
      { standard: "erc1155", token, tokenId: 1n, delta: 1n },
      { standard: "erc1155", token, tokenId: 2n, delta: 2n },
    ]);
    expect(netChanges(all as never, vault)).toEqual([]);
  });
});
