import { describe, expect, it } from "vitest";
import { type Address, checksum, shorten } from "../../../src/kernel/address.ts";
import { alice, bob, token, usdc } from "../../support/case-of.ts";
import { a, headline, two } from "./made-loss.ts";
import { dora, moveOf } from "./made-scene.ts";

describe("law 2 says", () => {
  const gave = [moveOf(usdc, alice, bob, 1000n)];
  const sentenceOf = (what: string) => [
    { law: 2, sentence: `The sender ${a} gave ${what}, and the summary tells neither of it nor of the sender.` },
  ];

  it("what the sender lost, if neither the loss nor the sender is told", () => {
    expect(headline({ moves: gave, summary: "Somebody did it." })).toEqual(
      sentenceOf(`1000 units of ${checksum(usdc)}`),
    );
    expect(headline({ moves: gave, summary: "1,000 USDC went." })).toEqual([]);
    expect(headline({ moves: gave, summary: `${shorten(alice)} did it.` })).toEqual([]);
    expect(headline({ moves: [moveOf(usdc, dora, bob, 5n)], principals: two(), summary: "x" })).toEqual([]);
    expect(headline({ moves: [moveOf(null, alice, bob, 5n)], summary: "x" })).toEqual(sentenceOf("5 units of ether"));
    const nft = [...gave, moveOf(token, alice, bob, 1n, 7n)];
    expect(headline({ moves: nft, summary: "1,000 USDC went." })).toEqual(
      sentenceOf(`1 units of NFT 7 of ${checksum(token)}`),
    );
    expect(headline({ moves: nft, summary: "1,000 USDC and #7 went." })).toEqual([]);
  });

  it("which right the sender gave, if neither the right nor the sender is told", () => {
    const right = (owner: Address) => ({ owner, spender: bob, token: usdc, left: 5n, log: 0, certain: true });
    const rights = (...owners: Address[]) => ({ scene: { rights: owners.map(right) } });
    expect(headline({ ...rights(dora, alice), summary: "x" })).toEqual(sentenceOf(`a right over ${checksum(usdc)}`));
    expect(headline({ ...rights(dora), summary: "x" })).toEqual([]);
    expect(headline({ ...rights(alice), summary: `for ${shorten(bob)}` })).toEqual([]);
    expect(headline({ ...rights(alice), moves: gave, summary: "1,000 USDC went." })).toEqual(
      sentenceOf(`a right over ${checksum(usdc)}`),
    );
    expect(headline({ ...rights(alice), moves: gave, summary: "x" })).toEqual(
      sentenceOf(`1000 units of ${checksum(usdc)}`),
    );
  });
});
