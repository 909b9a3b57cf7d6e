import { describe, expect, it } from "vitest";
import { type Address, checksum, shorten } from "../../../src/kernel/address.ts";
import type { Move } from "../../../src/tools/audit/facts/facts.ts";
import { alice, bob, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { dollars, foos, losses, untold } from "./made-loss.ts";
import { acme, moveOf } from "./made-scene.ts";

describe("law 3 takes a receipt as told by what came for it", () => {
  const share = (amount: bigint, to: Address = zero) => moveOf(token, alice, to, amount);
  const back = moveOf(usdc, vault, alice, 500n);
  const given = (moves: Move[], summary: string) => losses({ moves, summary: `${shorten(alice)} got ${summary}.` });
  const found = [untold(foos(900))];

  it("if it was burnt", () => {
    expect(given([share(900n), back], "500 USDC")).toEqual([]);
    expect(given([share(900n)], "500 USDC")).toEqual(found);
    expect(given([share(900n)], "900 things")).toEqual(found);
    expect(given([share(900n), back], "something")).toEqual(found);
    expect(given([share(900n, bob), moveOf(weth, bob, zero, 900n), back], "500 USDC")).toEqual(found);
    const other = [moveOf(usdc, alice, bob, 7n), moveOf(weth, vault, alice, 5n)];
    expect(given([share(900n), ...other], "7 USDC")).toEqual(found);
    expect(given([share(900n), back], "900 things")).toEqual([]);
    expect(given([share(900n, bob), back], "500 USDC")).toEqual(found);
    expect(given([share(891n), share(9n, bob), back], "500 USDC")).toEqual([]);
    expect(given([share(890n), share(10n, bob), back], "500 USDC")).toEqual(found);
    expect(given([moveOf(null, alice, zero, 900n), back], "500 USDC")).toEqual([untold("900 units of ether")]);
  });

  it("beside a part of it that is told by its own name", () => {
    const parts = (burnt: bigint) => [
      moveOf(usdc, alice, zero, burnt),
      moveOf(usdc, alice, bob, 900n - burnt),
      moveOf(null, vault, alice, 500n),
    ];
    const summary = "0.0000000000000005 ETH and 300 USDC";
    expect(given(parts(591n), summary)).toEqual([]);
    expect(given(parts(590n), summary)).toEqual([untold(dollars(900))]);
    // All of it, in more numbers than are added up.
    const many = [moveOf(usdc, alice, bob, 4100n), moveOf(null, vault, alice, 500n)];
    const hundreds = "100 USDC and ".repeat(41);
    expect(given(many, `${hundreds}0.0000000000000005 ETH`)).toEqual([untold(dollars(4100))]);
    expect(given(parts(891n), "0.0000000000000005 ETH and 950 USDC")).toEqual([]);
    expect(given(parts(600n), "0.0000000000000005 ETH and 950 USDC")).toEqual([untold(dollars(900))]);
  });

  it("if the summary names its protocol", () => {
    const moves = [moveOf(acme, alice, bob, 900n), back];
    const own = [untold(`900 units of ${checksum(acme)}`)];
    expect(given(moves, "500 USDC from Acme")).toEqual([]);
    expect(given(moves, "500 USDC from Other")).toEqual(own);
    expect(given(moves, "something from Acme")).toEqual(own);
  });
});
