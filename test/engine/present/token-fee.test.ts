import { describe, expect, it } from "vitest";
import { tellTokenFee } from "../../../src/engine/present/present.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, token, usdc, vault, weth } from "../../support/case-of.ts";
import { namesOf, teller } from "./named-world.ts";

describe("gas that was paid in tokens", () => {
  const move = (of: Movement["token"], from: string, to: string, amount: bigint, fee = true) =>
    ({ token: of, from, to, amount, fee }) as Movement;
  const told = (...moves: Movement[]) => tellTokenFee(moves, alice, namesOf(), teller);

  it("is what was given less what came back", () => {
    expect(told(move(usdc, alice, bob, 5_000_000n), move(usdc, bob, alice, 2_000_000n))).toEqual({
      text: "paid 3 USDC for gas",
      untrusted: false,
    });
    expect(told(move(usdc, alice, bob, 1n), move(usdc, bob, alice, 1n))).toBeNull();
    expect(told(move(usdc, alice, bob, 1n), move(usdc, bob, alice, 2n))).toBeNull();
  });

  it("counts no ether, nothing of others and nothing that is no fee", () => {
    expect(told(move(usdc, alice, bob, 1_000_000n, false))).toBeNull();
    expect(told(move(null, alice, bob, 1n))).toBeNull();
    expect(told(move(usdc, bob, vault, 1n))).toBeNull();
    expect(told(move(usdc, alice, bob, 1n), move(usdc, bob, vault, 1n))?.text).toBe("paid 0.000001 USDC for gas");
    expect(told(move(usdc, alice, bob, 1_000_000n), move(usdc, alice, bob, 1_000_000n, false))?.text).toBe(
      "paid 1 USDC for gas",
    );
  });

  it("names each token", () => {
    const phrase = told(move(weth, alice, bob, 10n ** 18n), move(token, alice, bob, 150n));
    expect(phrase).toEqual({
      text: expect.stringMatching(/^paid 1 WETH and 1\.5 "ODD" \(0x.+\) for gas$/),
      untrusted: true,
    });
  });
});
