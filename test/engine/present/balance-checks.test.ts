import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, usdc, weth } from "../../support/case-of.ts";
import { type Parts, view } from "./account-view-case.ts";
import { move } from "./named-world.ts";

describe("the balances of an account", () => {
  const read = (before: string | null, after: string | null, of: Address | null = usdc) => ({
    ...{ account: bob, prices: {}, balances: [{ token: of, before, after }] },
  });
  const check = (parts: Parts, account = bob) => view(parts, account).balance_changes.map((one) => one.balance_check);
  const movements = [move(alice, bob, 5n, usdc)];

  it.each<[string, Parts, string[]]>([
    ["were not read", { movements }, ["not_checked"]],
    ["of another account", { movements, view: { ...read("1", "6"), account: alice } }, ["not_checked"]],
    ["of another token", { movements, view: read("1", "6", weth) }, ["not_checked"]],
    ["not known before", { movements, view: read(null, "6") }, ["not_checked"]],
    ["not known after", { movements, view: read("1", null) }, ["not_checked"]],
    ["moved as much", { movements, view: read("1", "6") }, ["equal"]],
    ["moved otherwise", { movements, view: read("1", "7") }, ["differs"]],
    [
      "moved, where as much came as went",
      { movements: [...movements, move(bob, alice, 5n, usdc)], view: read("1", "2") },
      ["differs"],
    ],
    [
      "stood still, where as much came as went",
      { movements: [...movements, move(bob, alice, 5n, usdc)], view: read("1", "1") },
      [],
    ],
    [
      "of ether, of somebody who paid no gas",
      { movements: [move(alice, bob, 5n)], view: read("1", "6", null) },
      ["equal"],
    ],
    [
      "of ether, less the gas",
      { movements: [move(alice, bob, 50n)], tx: { from: bob }, view: read("1", "42", null) },
      ["equal"],
    ],
    [
      "of ether, of a fee that is not known",
      { movements: [move(alice, bob, 5n)], tx: { from: bob, feeWei: null }, view: read("1", "6", null) },
      ["not_checked"],
    ],
    ["of a token, whatever the gas", { movements, tx: { from: bob, feeWei: null }, view: read("1", "6") }, ["equal"]],
    [
      "of an NFT",
      { movements: [move(alice, bob, 1n, usdc, { standard: "erc721", tokenId: 1n })], view: read("0", "1") },
      ["not_checked"],
    ],
    [
      "of copies of an NFT",
      { movements: [move(alice, bob, 1n, usdc, { standard: "erc1155", tokenId: 1n })], view: read("0", "1") },
      ["not_checked"],
    ],
  ])("that %s", (_case, parts, expected) => {
    expect(check(parts)).toEqual(expected);
  });
});
