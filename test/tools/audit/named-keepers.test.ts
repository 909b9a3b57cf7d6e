import { describe, expect, it } from "vitest";
import { type Address, checksum, shorten } from "../../../src/kernel/address.ts";
import type { Explanation } from "../../../src/model/explanation.ts";
import { auditNames } from "../../../src/tools/audit/laws/names.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { acme, dora, moveOf, type SceneParts, sceneOf, stepsOf } from "./made-scene.ts";

const kept = (amount: number, by: Address, of = checksum(usdc), from: Address = alice) =>
  `${amount} units of ${of} that ${checksum(from)} gave ended with ${checksum(by)}, whom the summary does not tell.`;
const judge = (
  parts: SceneParts,
  summary = "gave 1,000 USDC on Acme",
  action: Explanation["action_type"] = "transfer",
) =>
  auditNames(sceneOf({ summary, ...parts, answer: { action_type: action } })).map(({ law, sentence }) => {
    expect(law).toBe(4);
    return sentence;
  });
const gift = moveOf(usdc, alice, bob, 1000n);
const found = [kept(1000, bob)];

describe("law 4 is about answers that name an exchange or a protocol", () => {
  it.each<Explanation["action_type"]>([
    "add_liquidity",
    "claim",
    "lending_supply",
    "nft_sale",
    "stake",
    "swap",
    "vault_deposit",
  ])("%s says that something came for it", (action) => {
    expect(judge({ moves: [gift] }, "gave 1,000 USDC", action)).toEqual(found);
    expect(judge({ moves: [gift] }, "gave 1,000 USDC", "transfer")).toEqual([]);
  });

  it.each<[string, boolean]>([
    ["gave 1,000 USDC on Acme", true],
    ["gave 1,000 USDC on Acme.", true],
    ["gave 1,000 USDC on Acmeish", false],
    ["gave 1,000 USDC on TheAcme", false],
    ["Acme took 1,000 USDC", false],
    [" Acme took 1,000 USDC", true],
    ["gave 1,000 USDC through Other", true],
  ])("by a whole word: %s: %s", (summary, names) => {
    expect(judge({ moves: [gift] }, summary)).toEqual(names ? found : []);
  });
});

describe("law 4 judges", () => {
  it("ether and listed tokens, a stranger's token that stands alone, and no NFT", () => {
    const junk = moveOf(token, alice, bob, 7n);
    expect(judge({ moves: [junk] })).toEqual([kept(7, bob, checksum(token))]);
    expect(judge({ moves: [gift, junk] })).toEqual(found);
    expect(judge({ moves: [gift, moveOf(null, alice, carol, 5n)] })).toEqual([...found, kept(5, carol, "ether")]);
    expect(judge({ moves: [moveOf(token, alice, bob, 1n, 7n)] })).toEqual([]);
    expect(judge({ moves: [gift] }, "gave to Acme. 1,000 USDC sent is not explained.")).toEqual([]);
  });

  it("an account that kept more than a tenth and is not told, not known and not a principal", () => {
    const split = (amount: bigint) => [moveOf(usdc, alice, bob, 1000n - amount), moveOf(usdc, alice, carol, amount)];
    expect(judge({ moves: split(100n) })).toEqual([kept(900, bob)]);
    expect(judge({ moves: split(101n) })).toEqual([kept(899, bob), kept(101, carol)]);
    expect(judge({ moves: split(101n) }, `gave 899 USDC to ${shorten(bob)} on Acme`)).toEqual([kept(101, carol)]);
    expect(judge({ moves: [moveOf(usdc, alice, acme, 1000n)] })).toEqual([]);
    const principals: SceneParts["principals"] = [
      [alice, "sender"],
      [bob, "allowance"],
    ];
    expect(judge({ moves: [gift], principals })).toEqual([]);
  });

  it("assets of worth with a protocol's name, and any asset with an exchange", () => {
    const price = (of: Address | null) => [gift, moveOf(of, bob, alice, 5n)];
    expect(judge({ moves: price(null) })).toEqual([]);
    expect(judge({ moves: price(token) })).toEqual(found);
    expect(judge({ moves: price(token) }, "gave 1,000 USDC", "swap")).toEqual([]);
    expect(judge({ moves: price(token) }, "gave 1,000 USDC on Acme", "swap")).toEqual(found);
  });
});

describe("law 4 takes as delivered", () => {
  const [to, other] = [bob, carol].map((address) => `0xa9059cbb${address.slice(2)}`) as [string, string];
  const by = (...steps: Parameters<typeof stepsOf>) => ({ moves: [gift], steps: stepsOf(...steps) });
  const outer = { to: acme };

  it("a token that a contract of a named protocol sent there inside a call to that contract", () => {
    const send = { parent: 0, from: acme, to: usdc, input: to };
    expect(judge(by(outer, send))).toEqual([]);
    expect(judge(by({ to: vault }, outer, { ...send, parent: 1 }))).toEqual([]);
    expect(judge(by(outer, { parent: 0, from: acme, to: vault }, { ...send, parent: 1 }))).toEqual([]);
    expect(judge({ ...by(outer, send), moves: [moveOf(usdc, alice, acme, 1n), gift] })).toEqual([]);
    expect(judge(by(outer, { ...send, input: other }))).toEqual(found);
    expect(judge(by(outer, { ...send, input: `0xa9059cbbc${bob.slice(3)}` }))).toEqual(found);
    expect(judge(by(outer, { ...send, to: token }))).toEqual(found);
    expect(judge(by(outer, { ...send, parent: -1 }))).toEqual(found);
    expect(judge(by({ to: vault }, send))).toEqual(found);
    expect(judge(by(outer, send), "gave 1,000 USDC on Other")).toEqual(found);
    // One of two deliveries is enough.
    expect(judge(by(outer, { ...send, parent: -1 }, send))).toEqual([]);
  });

  it("nothing by a call to the token alone", () => {
    const moves = [moveOf(acme, alice, bob, 7n)];
    const steps = stepsOf({ to: acme }, { parent: 0, to: acme, input: to });
    expect(judge({ moves, steps })).toEqual([kept(7, bob, checksum(acme))]);
  });

  it("ether that came there by a call with value", () => {
    const moves = [moveOf(null, alice, bob, 5n)];
    const paid = (step: object) => judge({ moves, steps: stepsOf(outer, { parent: 0, to: bob, value: 1n, ...step }) });
    expect(paid({})).toEqual([]);
    const lost = [kept(5, bob, "ether")];
    expect(paid({ value: 0n })).toEqual(lost);
    expect(paid({ to: carol, input: to })).toEqual(lost);
    expect(paid({ to: usdc, input: to })).toEqual(lost);
  });

  it("nothing in a swap whose market gave nothing", () => {
    const send = { parent: 0, from: acme, to: usdc, input: to };
    expect(judge(by(outer, send), "gave 1,000 USDC on Acme", "swap")).toEqual(found);
    const price = { ...by(outer, send), moves: [gift, moveOf(token, bob, alice, 5n)] };
    expect(judge(price, "gave 1,000 USDC on Acme", "swap")).toEqual([]);
  });

  it("anything without a call tree, unless a named contract got something too", () => {
    const untraced = { facts: { traced: false } };
    expect(judge({ moves: [gift], ...untraced })).toEqual([]);
    expect(judge({ moves: [gift], ...untraced }, "gave 1,000 USDC", "stake")).toEqual(found);
    const both = [moveOf(usdc, alice, acme, 1n), gift];
    expect(judge({ moves: both, ...untraced })).toEqual(found);
    const given = [gift, moveOf(token, bob, alice, 5n)];
    expect(judge({ moves: given, ...untraced })).toEqual([]);
    expect(judge({ moves: [moveOf(usdc, dora, bob, 5n)], ...untraced })).toEqual([]);
  });
});
