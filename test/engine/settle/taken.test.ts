import { describe, expect, it } from "vitest";
import { Markets } from "../../../src/engine/money/markets.ts";
import { MoneyTrail } from "../../../src/engine/money/trail.ts";
import { robbedIn, takenFrom } from "../../../src/engine/settle/taken.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { transferFromCall } from "../../../src/kernel/token-standards.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Call, Movement, Transaction } from "../../../src/model/transaction.ts";
import { callOf, candidateOf, type FitParts } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { labelsOf, nameOf, tokenOf } from "../../support/labels.ts";
import { move, moved } from "../../support/movements.ts";

describe("an owner whose tokens somebody else took", () => {
  const frame = (from: Address, to: Address, input: string, more: Partial<Call> = {}): Call => ({
    ...{ index: 0, parent: -1, depth: 0, kind: "call", from, to, value: 0n, input: input as never, ok: true },
    ...more,
  });
  const taking = frame(vault, usdc, `${transferFromCall(bob, carol)}0`);
  const entered = frame(alice, vault, "0x12345678");

  interface World {
    calls?: Call[];
    moves?: Movement[];
    acts?: FitParts[];
    named?: Address[];
    tx?: Partial<Transaction>;
    /** Calls that the sender's calldata holds. */
    own?: ActorCall[];
  }
  const found = ({ calls = [entered, taking], moves = [move(usdc, bob, carol, 7n)], ...parts }: World = {}) => {
    const tx = moved(moves, { calls, traced: true, listed: new Set([usdc]), ...parts.tx });
    const acts = (parts.acts ?? []).map((one) => candidateOf("act", tx, one));
    const names = (parts.named ?? []).map((one) => nameOf(one, "Known"));
    const labels = labelsOf({ names, tokens: [tokenOf(usdc, "USDC")] });
    return takenFrom({ tx, calls: parts.own ?? [] }, acts, labels);
  };

  it("is told by the call of a listed token", () => {
    expect(found()).toEqual([bob]);
    expect(found({ acts: [{ fit: { movements: [] } }] })).toEqual([bob]);
    expect(found({ calls: [entered, taking, taking] })).toEqual([bob]);
  });

  const called = (to: Address, more: Partial<ActorCall> = {}) => callOf({ from: alice, actor: alice, to, ...more });
  const untraced: World = { calls: [], own: [called(vault)], tx: { traced: false } };

  it("is told without a call tree if a token or an unknown contract was called", () => {
    expect(found(untraced)).toEqual([bob]);
    expect(found({ ...untraced, own: [called(usdc)] })).toEqual([bob]);
    expect(found({ ...untraced, own: [called(usdc), called(vault)] })).toEqual([bob]);
  });

  const toSender: World = { moves: [move(usdc, bob, alice, 7n)] };
  const burned: World = { moves: [move(usdc, bob, toAddress(`0x${"0".repeat(40)}`), 7n)] };
  const forJunk: World = { moves: [move(usdc, bob, carol, 7n), move(token, carol, bob, 9n)] };

  it("is told without a call tree if the owner got nothing from a stranger, even if only known contracts were called", () => {
    expect(found({ ...untraced, named: [vault] })).toEqual([bob]);
    expect(found({ ...untraced, ...forJunk })).toEqual([bob]);
    expect(found({ ...untraced, ...toSender })).toEqual([bob]);
  });

  it("is told for NFTs of a collection with a name", () => {
    const nft = { ...move(token, bob, carol, 1n), tokenId: 9n, standard: "erc721" } as Movement;
    const named: World = { moves: [nft], named: [token] };
    expect(found(named)).toEqual([bob]);
    expect(found({ ...untraced, ...named })).toEqual([bob]);
    expect(found({ moves: [nft] })).toEqual([]);
    expect(found({ ...untraced, moves: [nft] })).toEqual([]);
  });

  it("is told no matter which call took the tokens", () => {
    for (const change of [{ ok: false }, { kind: "delegatecall" as const }, { input: "0x12345678" as const }])
      expect(found({ calls: [entered, { ...taking, ...change }] })).toEqual([bob]);
  });

  describe("is told if the account runs code that anybody may call", () => {
    const sent = [entered, frame(vault, bob, "0xabcdef01"), { ...taking, from: bob }];
    const logs = [{ address: bob } as never];
    const [given, junk] = [move(usdc, bob, carol, 7n * 10n ** 18n), move(token, carol, bob, 9n)];
    const priced = {
      listed: new Set([usdc, weth]),
      etherWorth: (one: Address) => (one === weth ? 10n ** 18n : undefined),
    };

    it.each<[string, World]>([
      ["it only sent", {}],
      [
        "it called others too",
        { calls: [...sent, frame(bob, vault, "0x"), frame(bob, carol, "0x", { kind: "delegatecall" })] },
      ],
      ["it wrote a log", { tx: { logs } }],
      ["a stranger's token came for it", { moves: [given, junk], tx: priced }],
      ["a speck came for it", { moves: [given, move(weth, carol, bob, 1n)], named: [carol], tx: priced }],
      ["it sent ether", { moves: [move(null, bob, carol, 7n)] }],
    ])("where %s", (_, world) => expect(found({ calls: sent, ...world })).toEqual([bob]));

    it.each<[string, World]>([
      ["a price came for it", { moves: [given, move(weth, carol, bob, 10n ** 18n)], named: [carol], tx: priced }],
      ["it wrote a log, as pools do, and got something", { moves: [given, junk], tx: { ...priced, logs } }],
      ["it sent ether and wrote a log, as wrappers do", { moves: [move(null, bob, carol, 7n)], tx: { logs } }],
      ["no call tree shows who sent ether", { ...untraced, moves: [move(null, bob, carol, 7n)] }],
    ])("but not where %s", (_, world) => expect(found({ calls: sent, ...world })).toEqual([]));
  });

  it("is told if the owner was only called, or only got something", () => {
    expect(found({ calls: [entered, taking, frame(vault, bob, "0x12345678")] })).toEqual([bob]);
    expect(found({ own: [called(vault), called(bob)] })).toEqual([bob]);
    expect(found({ moves: [move(usdc, bob, carol, 7n), move(token, vault, bob, 1n)] })).toEqual([bob]);
    expect(found({ moves: [move(usdc, bob, carol, 7n), move(null, vault, bob, 1n)] })).toEqual([bob]);
  });

  it.each<[string, World]>([
    ["a known contract was called and got it", { ...untraced, named: [vault], moves: [move(usdc, bob, vault, 7n)] }],
    ["a known contract was called for the sender, who got it", { ...untraced, ...toSender, named: [vault] }],
    [
      "a known contract was called for an account, which got it",
      { ...untraced, named: [vault], own: [called(vault, { actor: carol })] },
    ],
    ["a known contract was called, and it was destroyed", { ...untraced, ...burned, named: [vault] }],
    ["a known contract was called, and something came for it", { ...untraced, ...forJunk, named: [vault] }],
    ["the call failed and the sender got it", { ...untraced, ...toSender, own: [called(vault, { state: "failed" })] }],
    [
      "an unknown account carries out known calls",
      { ...untraced, named: [carol], own: [called(vault), called(carol, { id: 1, parent: 0 })] },
    ],
    ["the owner wrote a log", { ...untraced, tx: { traced: false, logs: [{ address: bob } as never] } }],
    ["the owner was called", { ...untraced, own: [called(bob)] }],
    ["it paid for gas", { ...untraced, moves: [{ ...move(usdc, bob, carol, 7n), fee: true }] }],
    ["nobody knows the token", { ...untraced, tx: { traced: false, listed: new Set([token]) } }],
    ["an action tells it", { ...untraced, acts: [{ fit: { movements: [0] } }] }],
  ])("is nobody's without a call tree where %s", (_, world) => expect(found(world)).toEqual([]));

  it.each<[string, Movement[], boolean]>([
    ["nothing came for it", [], true],
    ["a token of somebody's own came for it", [move(token, carol, bob, 9n)], true],
    ["a speck came for it", [move(weth, carol, bob, 1n)], true],
    ["a price came for it", [move(weth, carol, bob, 10n ** 18n)], false],
  ])("is asked of an exchange where %s", (_, moves, isTold) => {
    const sold = move(usdc, bob, carol, 7n * 10n ** 18n);
    const tx = { listed: new Set([usdc, weth]), etherWorth: (one: Address) => (one === weth ? 10n ** 18n : undefined) };
    const flow = { gives: [{}], gets: [], complete: true } as never;
    const act = (rule: object, tier: "flow" | "fallback" = "flow"): FitParts => ({
      ...{ rule, tier, context: { subject: carol, flow }, fit: { movements: [0] } },
    });
    const told = (act: FitParts) => found({ moves: [sold, ...moves], acts: [act], tx });
    const expected = isTold ? [bob] : [];
    expect([told(act({ exchanges: true })), told(act({}, "fallback"))]).toEqual([expected, expected]);
    expect(told(act({}))).toEqual([]);
  });

  it("is told for those who lost most of each token, if there are many", () => {
    const person = (number: number) => toAddress(`0x${number.toString(16).padStart(40, "0")}`);
    const many = (asset: Address, from: number, count: number) =>
      Array.from({ length: count }, (_, i) => move(asset, person(from + i), carol, BigInt(i + 1)));
    const moves = [...many(usdc, 1_000, 200), ...many(token, 2_000, 3)];
    const owners = found({ ...untraced, moves, tx: { traced: false, listed: new Set([usdc, token]) } });
    expect(owners.slice(0, 7)).toEqual([1_199, 2_002, 1_198, 2_001, 1_197, 2_000, 1_196].map(person));
    expect(owners).toHaveLength(64);
    expect(found({ ...untraced, moves: many(usdc, 1_000, 64) })).toEqual(many(usdc, 1_000, 64).map(({ from }) => from));
  });

  it.each<[string, World]>([
    ["nobody knows the token", { tx: { listed: new Set([token]) } }],
    ["the owner sent the transaction", { calls: [frame(bob, vault, "0x12345678"), taking], tx: { from: bob } }],
    ["the called contract is the owner", { calls: [{ ...taking, from: bob }], tx: { to: bob } }],
    ["it came into being", { moves: [move(usdc, toAddress(`0x${"0".repeat(40)}`), carol, 7n)] }],
    ["it paid for gas", { moves: [{ ...move(usdc, bob, carol, 7n), fee: true }] }],
    ["the owner is known", { named: [bob] }],
    ["an action tells it", { acts: [{ fit: { movements: [0] } }] }],
    ["an action speaks of it", { acts: [{ fit: { absorbedMovements: [0] } }] }],
    ["an action is the owner's", { acts: [{ context: { subject: bob } }] }],
  ])("is nobody's where %s", (_, world) => expect(found(world)).toEqual([]));
});

describe("an account that was robbed in a bundle of operations, or in a batch of calls", () => {
  interface Bundle {
    moves?: Movement[];
    actors?: Address[];
    /** Whom the calls inside are made for. */
    callers?: Address[];
    named?: Address[];
    tx?: Partial<Transaction>;
  }
  const lost = move(usdc, bob, carol, 7n);
  const found = ({ moves = [lost], actors = [alice, bob], callers = [], named = [], ...parts }: Bundle = {}) => {
    const tx = moved(moves, parts.tx ?? {});
    const labels = labelsOf({ names: named.map((one) => nameOf(one, "Known")), tokens: [tokenOf(usdc, "USDC")] });
    const calls = [alice, ...callers].map((actor) => ({ actor })) as never;
    return robbedIn({ tx, calls, actors }, { trail: new MoneyTrail(tx), markets: new Markets(tx) }, labels);
  };

  it("is told once if a stranger kept its money, also through others", () => {
    expect(found()).toEqual([bob]);
    expect(found({ actors: [bob, bob, alice] })).toEqual([bob]);
    expect(found({ moves: [move(usdc, bob, vault, 7n), move(usdc, vault, carol, 7n)], named: [vault] })).toEqual([bob]);
    expect(found({ moves: [lost, move(token, alice, carol, 7n)] })).toEqual([alice, bob]);
    expect(found({ actors: [alice], callers: [alice, bob, bob] })).toEqual([bob]);
    expect(found({ moves: [lost, move(token, vault, bob, 7n)] })).toEqual([bob]);
  });

  it.each<[string, Bundle]>([
    ["there is one account", { actors: [bob] }],
    ["calls are made for others", { actors: [alice], callers: [vault] }],
    ["the bundle reverted", { tx: { status: "reverted" } }],
    ["the receiver is known", { named: [carol] }],
    ["the receiver is a listed token", { moves: [move(token, bob, usdc, 7n)] }],
    ["it was destroyed", { moves: [move(usdc, bob, toAddress(`0x${"0".repeat(40)}`), 7n)] }],
    ["it came back", { moves: [lost, move(usdc, carol, bob, 7n)] }],
    ["the receiver gave something for it", { moves: [lost, move(token, carol, bob, 7n)] }],
    ["somebody else's money moved", { moves: [move(usdc, vault, carol, 7n)] }],
  ])("is nobody where %s", (_, bundle) => expect(found(bundle)).toEqual([]));
});
