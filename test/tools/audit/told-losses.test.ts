import { describe, expect, it } from "vitest";
import { shorten } from "../../../src/kernel/address.ts";
import type { Move } from "../../../src/tools/audit/facts/facts.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { d, dollars, foo, foos, listOf, losses, nobodys, two, unlisted, untold } from "./made-loss.ts";
import { dora, entry, moveOf, type SceneParts } from "./made-scene.ts";

describe("law 3 takes a loss as listed", () => {
  const moves = [moveOf(usdc, alice, bob, 600n), moveOf(usdc, alice, carol, 400n), moveOf(usdc, bob, alice, 100n)];
  const summary = `${shorten(alice)} gave 900 USDC.`;
  const listed = (list: readonly Move[], parts: SceneParts = {}) =>
    losses({ moves, summary, ...parts, answer: { assets_moved: listOf(list), ...parts.answer } });

  it("if its outflows have the same sum", () => {
    expect(listed(moves)).toEqual([]);
    expect(listed([moveOf(usdc, alice, dora, 1000n)])).toEqual([]);
    expect(listed(moves.slice(1))).toEqual([unlisted(dollars(900))]);
    expect(listed([])).toEqual([unlisted(dollars(900))]);
    expect(listed([moveOf(usdc, bob, alice, 1000n)])).toEqual([unlisted(dollars(900))]);
  });

  it("for ether only if its transfers are known", () => {
    const ether = { moves: [moveOf(null, alice, bob, 5n)], summary: "gave 0.000000000000000005 ETH" };
    expect(listed([], ether)).toEqual([unlisted("5 units of ether")]);
    expect(listed([], { ...ether, facts: { etherKnown: false } })).toEqual([]);
    expect(listed([], { facts: { etherKnown: false } })).toEqual([unlisted(dollars(900))]);
  });

  it("for a stranger's token if a cut list holds only what principals moved", () => {
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

  it("if the answer says so, and tells no stranger's token before it", () => {
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
    // For another principal, a token that no list names is not asked for.
    const others = [gave, moveOf(token, dora, bob, 7n)];
    expect(losses({ moves: others, principals: two(), summary: `${shorten(dora)}. ${hidden}` })).toEqual([]);
  });

  it("for ether if its transfers are not known and the answer is partial", () => {
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

  it("for an account in a bundle of several operations at a genuine EntryPoint", () => {
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

describe("law 3 asks for the owner of a loss", () => {
  const taken = [moveOf(usdc, dora, alice, 500n)];
  const principals = two();
  const told = (summary: string, moves = taken) => losses({ moves, principals, summary });

  it("if another account lost it and got nothing for it", () => {
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
