import { describe, expect, it } from "vitest";
import { largeAllowancesFirst, spentGrants, tellGrants } from "../../../src/engine/present/given/grants.ts";
import type { ToldAct } from "../../../src/engine/present/told-act.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { alice, bob, carol, usdc, vault, weth } from "../../support/case-of.ts";
import { nameOf as labelOf, labelsOf } from "../../support/labels.ts";
import { namesOf, teller } from "./named-world.ts";

describe("rights that no act tells", () => {
  const words = {
    names: namesOf(),
    teller,
    nameOf: (address: Address) => (address === bob ? "Bob" : "?"),
    isSpent: () => false,
  };
  const grant = (more: object = {}) => ({
    ...{ owner: alice, token: usdc, grantee: bob, amount: 5_000_000n, stands: true, uncertain: false, logs: [3] },
    ...more,
  });
  const tell = (grants: object[], { actions = [], ...more }: { actions?: object[]; isSpent?: () => boolean } = {}) =>
    tellGrants({ grants } as never, actions as never, { ...words, ...more } as never);
  const said = {
    account: alice,
    predicate: teller.say("summary.allowed", { spender: "Bob", amount: { text: "5 USDC", untrusted: false } }),
    logs: [3],
  };

  it("are told with their owners", () => {
    expect(tell([])).toEqual([]);
    expect(tell([grant(), grant({ owner: carol })])).toEqual([said, { ...said, account: carol }]);
  });

  it.each<[string, object, object]>([
    ["an act rests on its log", {}, { actions: [{ logs: [1, 3] }] }],
    ["it is of nothing", { amount: 0n }, {}],
    ["it ended", { stands: false }, {}],
    ["it may be the rest of an older one", { uncertain: true }, {}],
    ["it was used up", {}, { isSpent: () => true }],
  ])("are not those of which %s", (_case, more, parts) => {
    expect(tell([grant(more)], parts)).toEqual([]);
  });

  it("over a whole collection are told by its name", () => {
    const all = grant({ kind: "operator", amount: null });
    expect(tell([all]).map(({ predicate }) => predicate.text)).toEqual(["allowed Bob to move every token of ?"]);
    expect(tell([{ ...all, stands: false }])).toEqual([]);
    expect(tell([all], { actions: [{ logs: [3] }] })).toEqual([]);
  });

  it("over one NFT are told by its number", () => {
    const nft = (key?: string) => tell([grant({ kind: "nft", amount: null, ...(key && { key }) })]);
    expect(nft("77").map(({ predicate }) => predicate.text)).toEqual(["allowed Bob to move USDC #77"]);
    expect(nft().map(({ predicate }) => predicate.text)).toEqual(["allowed Bob to move USDC #0"]);
  });

  it("are told with the largest first if there are many, otherwise in their order", () => {
    const [small, large] = [grant({ amount: 1_000_000n }), grant({ amount: 9_000_000n, token: usdc })];
    const amounts = (grants: object[]) => tell(grants).map(({ predicate }) => predicate.text.match(/[\d.]+ USDC/)?.[0]);
    expect(amounts([small, small, large])).toEqual(["1 USDC", "1 USDC", "9 USDC"]);
    expect(amounts([small, small, small, large])).toEqual(["9 USDC", "1 USDC", "1 USDC", "1 USDC"]);
  });

  it("that acts tell are reordered, the largest first, if there are many", () => {
    const act = (log: number, more: object = {}) =>
      ({ rule: { tier: tierRank("approval"), action: "allow", ...more }, logs: [log] }) as never as ToldAct;
    const grants = [1, 2, 3, 4].map((i) => grant({ logs: [i], amount: BigInt(i) * 1_000_000n }));
    const sent = act(9, { tier: tierRank("transfer") });
    const other = act(3, { action: "allow all" });
    const told = [act(1), sent, other, act(2), act(4), act(8)];
    const ordered = (acts: ToldAct[], some: object[]) =>
      largeAllowancesFirst(acts, { grants: some } as never, namesOf());
    expect(ordered(told, grants).map(({ logs }) => logs[0])).toEqual([4, 9, 3, 2, 1, 8]);
    expect(ordered(told, grants.slice(1))).toBe(told);
    expect(ordered(told.slice(3), grants)).toHaveLength(3);
  });

  it("are told beside acts about other logs, of any size", () => {
    expect(tell([grant()], { actions: [{ logs: [1] }] })).toEqual([said]);
    expect(tell([grant({ amount: 1n })])).toHaveLength(1);
    const [unlimited] = tell([grant({ amount: 2n ** 256n - 1n })]);
    expect(unlimited?.predicate.text).toBe("allowed Bob to spend unlimited USDC");
  });
});

describe("an allowance that was used up", () => {
  const labels = labelsOf({ names: [labelOf(vault, "Vault")] });
  const move = (amount: bigint, log: number, more: object = {}) => ({
    index: 0,
    from: alice,
    to: bob,
    token: usdc,
    amount,
    log,
    ...more,
  });
  const spent = (moves: object[], more: object = {}, traced = false) =>
    spentGrants(
      { movements: moves.map((one, index) => ({ ...one, index })), traced } as never,
      labels,
    )({
      ...{ kind: "managed", owner: alice, token: usdc, grantee: vault, amount: 5n, logs: [1, 3] },
      ...more,
    } as never);

  it.each<[string, boolean, Parameters<typeof spent>]>([
    ["all of it was given after", true, [[move(5n, 4)]]],
    ["in parts", true, [[move(2n, 4), move(3n, 9)]]],
    ["less", false, [[move(4n, 4)]]],
    ["more", false, [[move(6n, 4)]]],
    ["at its own log", false, [[move(5n, 3)]]],
    ["without a log", true, [[move(5n, 0)], { logs: [] }]],
    ["before all logs", false, [[move(5n, -1)], { logs: [] }]],
    ["another token", false, [[move(5n, 4, { token: weth })]]],
    ["the other way", false, [[move(5n, 4, { from: bob, to: alice })]]],
    ["with a call tree", false, [[move(5n, 4)], {}, true]],
    ["of another kind", false, [[move(5n, 4)], { kind: "erc20" }]],
    ["of all tokens", false, [[], { amount: null }]],
    ["of an NFT that moved after", true, [[move(1n, 4, { tokenId: 77n })], { kind: "nft", amount: null, key: "77" }]],
    ["of an NFT that moved before", false, [[move(1n, 2, { tokenId: 77n })], { kind: "nft", amount: null, key: "77" }]],
    [
      "of an NFT, and another one moved",
      false,
      [[move(1n, 4, { tokenId: 7n })], { kind: "nft", amount: null, key: "77" }],
    ],
    ["to somebody without a name", false, [[move(5n, 4)], { grantee: bob }]],
  ])("%s: %j", (_case, expected, given) => {
    expect(spent(...given)).toBe(expected);
  });
});
