import { describe, expect, it } from "vitest";
import { balanceChanges } from "../../../src/engine/normalize/balance-changes.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, weth, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";
import { net, noChange } from "./net-of.ts";

describe("the net changes of an account", () => {
  const nft = { standard: "erc721", tokenId: 7n } as const;

  it.each<[string, readonly Movement[], object]>([
    ["nothing", [move(usdc, bob, carol, 1n)], {}],
    [
      "what it gave",
      [move(usdc, alice, bob, 3n), move(usdc, alice, carol, 4n)],
      { gives: [[usdc, 7, [0, 1]]], recipients: [bob, carol] },
    ],
    ["what it got", [move(null, bob, alice, 3n)], { gets: [["native", 3, [0]]], senders: [bob] }],
    [
      "the difference",
      [move(usdc, alice, bob, 3n), move(usdc, bob, alice, 5n)],
      { gets: [[usdc, 2, [0, 1]]], recipients: [bob], senders: [bob] },
    ],
    [
      "nothing where all came back",
      [move(usdc, alice, bob, 3n), move(usdc, bob, alice, 3n)],
      { neutral: [0, 1], recipients: [bob], senders: [bob] },
    ],
    ["nothing of what it gave itself", [move(usdc, alice, alice, 3n)], { neutral: [0] }],
    ["no fee", [move(usdc, alice, bob, 3n, { fee: true })], {}],
    [
      "an NFT by its id",
      [move(token, alice, bob, 1n, nft), move(token, bob, alice, 1n, { ...nft, tokenId: 8n })],
      { gives: [[`${token}:7`, 1, [0]]], gets: [[`${token}:8`, 1, [1]]], recipients: [bob], senders: [bob] },
    ],
    [
      "what was wrapped",
      [move(null, alice, weth, 3n), move(weth, weth, alice, 3n)],
      { gives: [["native", 3, [0]]], gets: [[weth, 3, [1]]], recipients: [weth], senders: [weth], wraps: true },
    ],
    [
      "what was unwrapped",
      [move(weth, alice, weth, 3n), move(null, weth, alice, 3n)],
      { gives: [[weth, 3, [0]]], gets: [["native", 3, [1]]], recipients: [weth], senders: [weth], wraps: true },
    ],
    [
      "what was not wrapped one to one",
      [move(null, alice, weth, 3n), move(weth, weth, alice, 2n)],
      { gives: [["native", 3, [0]]], gets: [[weth, 2, [1]]], recipients: [weth], senders: [weth] },
    ],
    [
      "what was bought at par",
      [move(null, alice, bob, 3n), move(usdc, bob, alice, 3n)],
      { gives: [["native", 3, [0]]], gets: [[usdc, 3, [1]]], recipients: [bob], senders: [bob] },
    ],
    [
      "what was bought with wrapped ether at par",
      [move(weth, alice, bob, 3n), move(usdc, bob, alice, 3n)],
      { gives: [[weth, 3, [0]]], gets: [[usdc, 3, [1]]], recipients: [bob], senders: [bob] },
    ],
    [
      "more than a wrap",
      [move(null, alice, weth, 3n), move(weth, weth, alice, 3n), move(usdc, alice, bob, 1n)],
      {
        gives: [
          ["native", 3, [0]],
          [usdc, 1, [2]],
        ],
        gets: [[weth, 3, [1]]],
        recipients: [weth, bob],
        senders: [weth],
      },
    ],
    [
      "ether of no known place first",
      [move(usdc, alice, bob, 1n), move(null, alice, bob, 2n, { basis: "internal" })],
      {
        gives: [
          ["native", 2, [1]],
          [usdc, 1, [0]],
        ],
        recipients: [bob],
      },
    ],
    [
      "other ether in its place",
      [move(usdc, alice, bob, 1n), move(null, alice, bob, 2n)],
      {
        gives: [
          [usdc, 1, [0]],
          ["native", 2, [1]],
        ],
        recipients: [bob],
      },
    ],
    [
      "ether of the transaction in its place, too",
      [
        move(usdc, alice, bob, 1n),
        move(null, alice, bob, 2n, { basis: "transaction" }),
        move(null, alice, bob, 2n, { basis: "internal" }),
      ],
      {
        gives: [
          [usdc, 1, [0]],
          ["native", 4, [1, 2]],
        ],
        recipients: [bob],
      },
    ],
  ])("are %s", (_, moves, expected) => expect(net(moves)).toEqual({ ...noChange, ...expected }));

  it("leave out what others explain", () => {
    const moves = [
      move(token, zero, alice, 3n),
      move(token, zero, alice, 5n),
      move(token, alice, zero, 1n),
      move(token, bob, alice, 2n),
    ];
    expect(net(moves, [0, 2])).toEqual({ ...noChange, gets: [[token, 7, [1, 3]]], senders: [zero, bob], minted: true });
    expect(net(moves, [1, 2])).toEqual({ ...noChange, gets: [[token, 5, [0, 3]]], senders: [zero, bob], minted: true });
    expect(net(moves, [0, 1, 2])).toEqual({ ...noChange, gets: [[token, 2, [3]]], senders: [bob] });
  });

  it("are whole for one asset and for many", () => {
    const [one] = balanceChanges(moved([move(token, alice, bob, 1n, nft)]), alice).gives;
    expect(one).toEqual({ key: `${token}:7`, kind: "nft", token, tokenId: 7n, amount: 1n, movements: [0] });
    const [coin, ether] = balanceChanges(moved([move(token, alice, bob, 1n), move(null, alice, bob, 1n)]), alice).gives;
    expect([coin?.kind, coin?.tokenId, ether?.kind]).toEqual(["erc20", null, "native"]);
    const many = Array.from({ length: 12 }, (_, i) => toAddress(`0x${(i + 1).toString(16).padStart(40, "0")}`));
    const twice = [...many, ...many].map((of) => move(of, alice, bob, 2n));
    expect(net(twice).gives).toEqual(many.map((key, i) => [key, 4, [i, i + 12]]));
  });

  it("are made once for a transaction", () => {
    const tx = moved([move(usdc, alice, bob, 3n)]);
    expect(balanceChanges(tx, alice)).toBe(balanceChanges(tx, alice));
    expect(balanceChanges(tx, bob).gets).toHaveLength(1);
    expect(balanceChanges(moved([], { nativeComplete: false }), alice).complete).toBe(false);
  });
});
