import { describe, expect, it } from "vitest";
import type { Move } from "../../src/audit/facts/facts.ts";
import { auditHeadline, auditLosses } from "../../src/audit/laws/losses.ts";
import { type Address, checksum, shorten } from "../../src/kernel/address.ts";
import type { AssetMoved } from "../../src/model/explanation.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../support/case-of.ts";
import { acme, dora, entry, moveOf, type SceneParts, sceneOf } from "./made-scene.ts";

/** An entry of `assets_moved` for each move; tokens of strangers are named FOO. */
const listOf = (moves: readonly Move[]): AssetMoved[] =>
  moves.map(({ token: of, amount, from, to, id }) => ({
    token: of === usdc ? "USDC" : of === null ? "ETH" : "FOO",
    amount: of === null ? `0.${String(amount).padStart(18, "0")}` : String(amount),
    from: checksum(from),
    to: checksum(to),
    token_address: of === null ? null : checksum(of),
    standard: "erc20",
    ...(id !== null && { token_id: String(id) }),
  })) as AssetMoved[];

const scene = (parts: SceneParts) =>
  sceneOf({ ...parts, answer: { assets_moved: listOf(parts.moves ?? []), ...parts.answer } });
const headline = (parts: SceneParts) => auditHeadline(scene(parts));
const losses = (parts: SceneParts) => auditLosses(scene(parts)).map(({ sentence }) => sentence);
const [a, d] = [alice, dora].map(checksum) as [string, string];
const foo = (amount: number | bigint) => `${amount} "FOO" (${shorten(token)})`;
/** Dora is a principal besides alice. */
const two = (authority: "operation" | "allowance" = "allowance"): SceneParts["principals"] => [
  [alice, "sender"],
  [dora, authority],
];

describe("law 2 says", () => {
  const gave = [moveOf(usdc, alice, bob, 1000n)];
  const sentenceOf = (what: string) => [
    { law: 2, sentence: `The sender ${a} gave ${what}, and the summary tells neither of it nor of the sender.` },
  ];

  it("what the sender lost, where neither that nor he is told", () => {
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

  it("what right the sender gave, where neither that nor he is told", () => {
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

const lost = (what: string, of = a) => `${of} lost ${what}`;
const unlisted = (what: string, of?: string) => `${lost(what, of)}, and assets_moved does not list it exactly.`;
const untold = (what: string, of?: string) => `${lost(what, of)}, and the summary does not tell it.`;
const nobodys = (what: string, of?: string) =>
  `${lost(what, of)} for nothing, and the summary does not tell whose it was.`;
const dollars = (count: number) => `${count} units of ${checksum(usdc)}`;
const foos = (count: number) => `${count} units of ${checksum(token)}`;

describe("law 3 takes an amount as told", () => {
  const from = (amount: bigint, back: bigint) => [
    moveOf(usdc, alice, bob, amount),
    ...(back === 0n ? [] : [moveOf(usdc, bob, alice, back)]),
  ];
  const isTold = (moves: Move[], amounts: string) => {
    const found = losses({ moves, summary: `${shorten(alice)} gave ${amounts}.` });
    expect(found.every((text) => text.endsWith("the summary does not tell it."))).toBe(true);
    return found.length === 0;
  };

  it.each<[string, boolean]>([
    ["989 USDC", true],
    ["988 USDC", false],
    ["1,011 USDC", true],
    ["1,012 USDC", false],
    ["500 USDC and 500 USDC", true],
    ["500 USDC and 7 USDC and 500 USDC", true],
    ["3 USDC and 200 USDC, 300 USDC and 500 USDC", true],
    ["200 USDC and 900 USDC", false],
    ["all its USDC", true],
    ["7 USDC and unlimited USDC", true],
  ])("of a thousand: %s: %s", (amounts, told) => expect(isTold(from(1000n, 0n), amounts)).toBe(told));

  it("between what was lost in the end and all that was given", () => {
    const told = ["493", "494", "809", "810"].map((amount) => isTold(from(800n, 300n), `${amount} USDC`));
    expect(told).toEqual([false, true, true, false]);
  });

  it("among the first forty numbers", () => {
    const many = (count: number) => `${"5000 USDC and ".repeat(count)}1000 USDC`;
    expect([isTold(from(1000n, 0n), many(39)), isTold(from(1000n, 0n), many(40))]).toEqual([true, false]);
  });
});

describe("law 3 takes ether and wrapped ether as one", () => {
  const wrapped = "1 WETH";
  const sent = (moves: Move[], summary: string) => {
    const answer = {
      assets_moved: listOf(moves).map((one) => (one.token === "FOO" ? { ...one, token: "WETH" } : one)),
    };
    return losses({ moves, summary: `${shorten(alice)} gave ${summary}.`, answer });
  };
  const one = 10n ** 18n;

  it("by either name, or both together", () => {
    expect(sent([moveOf(weth, alice, bob, one)], "1 ETH")).toEqual([]);
    expect(sent([moveOf(weth, alice, bob, one)], "1.2 ETH")).toEqual([untold(`${one} units of ${checksum(weth)}`)]);
    const both = [moveOf(weth, alice, bob, one), moveOf(null, alice, bob, one)];
    expect(sent(both, "2 ETH")).toEqual([
      // Its entry is written with one ether's decimals at most.
      unlisted(`${one} units of ether`),
    ]);
    expect(sent([moveOf(weth, alice, bob, 5n), moveOf(usdc, bob, alice, 5n)], wrapped)).not.toEqual([]);
  });

  it("where what came back of one is as much as what was given of the other", () => {
    const swap = (back: bigint) => [moveOf(weth, alice, bob, 500n), moveOf(null, bob, alice, back)];
    expect(sent(swap(500n), "something")).toEqual([]);
    expect(sent(swap(499n), "something")).toEqual([untold(`500 units of ${checksum(weth)}`)]);
    const beside = [...swap(500n), moveOf(usdc, alice, bob, 500n)];
    expect(sent(beside, "500 USDC")).toEqual([]);
    expect(sent([...swap(500n), moveOf(weth, dora, bob, 500n)], "something")).toEqual([]);
    expect(
      losses({ moves: [...swap(500n), moveOf(weth, dora, bob, 9n)], principals: two(), summary: "x" }),
    ).not.toContain(untold(`500 units of ${checksum(weth)}`));
    const hundred = (told: number) => sent([moveOf(weth, alice, bob, 100n)], `0.000000000000000${told} ETH`);
    expect([hundred(102), hundred(103)]).toEqual([[], [untold(`100 units of ${checksum(weth)}`)]]);
    // What another principal gave, or what came of another asset, is not counted.
    const others = [moveOf(weth, alice, bob, 500n), moveOf(token, bob, alice, 500n)];
    expect(sent(others, "something")).toEqual([untold(`500 units of ${checksum(weth)}`)]);
    expect(sent([moveOf(usdc, alice, bob, 500n), moveOf(null, bob, alice, 500n)], "something")).toEqual([
      untold(dollars(500)),
    ]);
  });
});

describe("law 3 takes a loss as listed", () => {
  const moves = [moveOf(usdc, alice, bob, 600n), moveOf(usdc, alice, carol, 400n), moveOf(usdc, bob, alice, 100n)];
  const summary = `${shorten(alice)} gave 900 USDC.`;
  const listed = (list: readonly Move[], parts: SceneParts = {}) =>
    losses({ moves, summary, ...parts, answer: { assets_moved: listOf(list), ...parts.answer } });

  it("where its outflows make the same sum", () => {
    expect(listed(moves)).toEqual([]);
    expect(listed([moveOf(usdc, alice, dora, 1000n)])).toEqual([]);
    expect(listed(moves.slice(1))).toEqual([unlisted(dollars(900))]);
    expect(listed([])).toEqual([unlisted(dollars(900))]);
    expect(listed([moveOf(usdc, bob, alice, 1000n)])).toEqual([unlisted(dollars(900))]);
  });

  it("of ether only where its transfers are known", () => {
    const ether = { moves: [moveOf(null, alice, bob, 5n)], summary: "gave 0.000000000000000005 ETH" };
    expect(listed([], ether)).toEqual([unlisted("5 units of ether")]);
    expect(listed([], { ...ether, facts: { etherKnown: false } })).toEqual([]);
    expect(listed([], { facts: { etherKnown: false } })).toEqual([unlisted(dollars(900))]);
  });

  it("of a stranger's token where a list that is cut has nothing but what principals moved", () => {
    const junk = [moveOf(token, alice, bob, 5n)];
    const cut = `${shorten(alice)} gave ${foo(5)}. 3 movements are not listed.`;
    const short = (list: Move[], parts: SceneParts = {}, partial = true) =>
      listed(list, { moves: junk, summary: cut, ...parts, answer: { assets_moved: listOf(list), partial } });
    const names = [moveOf(usdc, alice, bob, 1n), moveOf(usdc, bob, alice, 1n)];
    expect(short(names)).toEqual([]);
    expect(short([...names, moveOf(usdc, bob, carol, 1n)])).toEqual([unlisted(foos(5))]);
    expect(short(names, {}, false)).toEqual([unlisted(foos(5))]);
    expect(short(names, { summary: `${shorten(alice)} gave ${foo(5)}.` })).toEqual([unlisted(foos(5))]);
    const ether = { moves: [moveOf(null, alice, bob, 5n)], summary: `0.000000000000000005 ETH. ${cut}` };
    expect(short(names, ether)).toEqual([unlisted("5 units of ether")]);
    const listedToken = { moves: [moveOf(usdc, alice, bob, 5n)], summary: `5 USDC. ${cut}` };
    expect(short([], listedToken)).toEqual([unlisted(dollars(5))]);
  });
});

describe("law 3 takes a loss as left out", () => {
  const cut = `${shorten(alice)} gave 2 more assets.`;

  it("where the answer says so, and does not tell a stranger's token before it", () => {
    const gave = moveOf(usdc, alice, bob, 500n);
    const junk = moveOf(token, alice, bob, 7n);
    expect(losses({ moves: [gave], summary: cut })).toEqual([]);
    expect(losses({ moves: [gave], summary: "nothing" })).toEqual([untold(dollars(500))]);
    const hidden = `${shorten(alice)} gave ${foo(7)} and 1 more asset.`;
    expect(losses({ moves: [gave, junk], summary: hidden })).toEqual([untold(dollars(500))]);
    expect(losses({ moves: [junk, moveOf(weth, alice, bob, 9n)], summary: hidden })).toEqual([]);
    expect(losses({ moves: [gave, junk], summary: cut })).toEqual([]);
    expect(
      losses({ moves: [gave, moveOf(null, alice, bob, 7n)], summary: `0.000000000000000007 ETH. ${cut}` }),
    ).toEqual([]);
    const ether = [moveOf(null, alice, bob, 500n), junk];
    expect(losses({ moves: ether, summary: hidden })).toEqual([untold("500 units of ether")]);
    // What another principal's stranger's token says of him is not asked.
    const others = [gave, moveOf(token, dora, bob, 7n)];
    expect(losses({ moves: others, principals: two(), summary: `${shorten(dora)}. ${hidden}` })).toEqual([]);
  });

  it("of ether where its transfers are not known and the answer is partial", () => {
    const ether = { moves: [moveOf(null, alice, bob, 5n)], facts: { etherKnown: false } };
    const file = { trace: { source: "none", reason: "test" } } as const;
    expect(losses({ ...ether, file, summary: "x", answer: { partial: true } })).toEqual([]);
    expect(losses({ ...ether, file, summary: cut })).toEqual([untold("5 units of ether")]);
    expect(losses({ moves: ether.moves, file, summary: "x", answer: { partial: true } })).toEqual([
      untold("5 units of ether"),
    ]);
    const dollar = { moves: [moveOf(usdc, alice, bob, 5n)], facts: { etherKnown: false } };
    expect(losses({ ...dollar, file, summary: "x", answer: { partial: true } })).toEqual([untold(dollars(5))]);
  });

  it("of an account in a bundle of several operations at a genuine EntryPoint", () => {
    const bundle = (parts: SceneParts = {}, summary = "A bundle of 2 user operations.") =>
      losses({
        moves: [moveOf(usdc, dora, bob, 5n)],
        principals: [...(two("operation") ?? []), [carol, "operation"]],
        ...parts,
        facts: { called: entry, ...parts.facts },
        summary,
      });
    const found = [untold(dollars(5), d)];
    expect(bundle()).toEqual([]);
    expect(bundle({}, "A bundle of user operations.")).toEqual(found);
    expect(bundle({ facts: { called: vault } })).toEqual(found);
    expect(bundle({ facts: { called: null } })).toEqual(found);
    expect(bundle({ principals: two("operation") })).toEqual(found);
    expect(bundle({ principals: [...(two("allowance") ?? []), [carol, "operation"], [bob, "operation"]] })).toEqual(
      found,
    );
  });
});

describe("law 3 takes a receipt as told by what came for it", () => {
  const share = (amount: bigint, to: Address = zero) => moveOf(token, alice, to, amount);
  const back = moveOf(usdc, vault, alice, 500n);
  const given = (moves: Move[], summary: string) => losses({ moves, summary: `${shorten(alice)} got ${summary}.` });
  const found = [untold(foos(900))];

  it("where it was burnt", () => {
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

  it("where the summary names its protocol", () => {
    const moves = [moveOf(acme, alice, bob, 900n), back];
    const own = [untold(`900 units of ${checksum(acme)}`)];
    expect(given(moves, "500 USDC from Acme")).toEqual([]);
    expect(given(moves, "500 USDC from Other")).toEqual(own);
    expect(given(moves, "something from Acme")).toEqual(own);
  });
});

describe("law 3 asks whose a loss was", () => {
  const taken = [moveOf(usdc, dora, alice, 500n)];
  const principals = two();
  const told = (summary: string, moves = taken) => losses({ moves, principals, summary });

  it("where somebody else got nothing for it", () => {
    expect(told("got 500 USDC.")).toEqual([nobodys(dollars(500), d)]);
    expect(told(`got 500 USDC of ${shorten(dora)}.`)).toEqual([]);
    expect(told("got 500 USDC and 2 more assets.")).toEqual([]);
    expect(told("got 500 USDC.", [...taken, moveOf(token, alice, dora, 5n)])).toEqual([untold(foos(5))]);
    expect(told("got 500 USDC.", [moveOf(usdc, alice, bob, 500n)])).toEqual([]);
    const bundled = { principals: [...(two("operation") ?? []), [carol, "operation"]] as SceneParts["principals"] };
    const summary = "2 user operations, and 500 USDC.";
    expect(losses({ moves: taken, ...bundled, facts: { called: entry }, summary })).toEqual([]);
  });
});
