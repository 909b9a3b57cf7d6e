import { describe, expect, it } from "vitest";
import { type Address, deadAddress } from "../../src/kernel/address.ts";
import { transferCall, transferFromCall } from "../../src/kernel/token-standards.ts";
import type { Candidate } from "../../src/match/candidate.ts";
import type { ActorCall } from "../../src/model/match.ts";
import type { Call, Movement, Transaction } from "../../src/model/transaction.ts";
import { balanceChanges } from "../../src/normalize/balance-changes.ts";
import { assetKey, netsOf } from "../../src/settle/completeness.ts";
import { findLosses } from "../../src/settle/losses.ts";
import { narrow, promises } from "../../src/settle/narrow.ts";
import { isOwnTransfer, ReachedMoney } from "../../src/settle/reached-money.ts";
import type { Unwrapped } from "../../src/unwrap/unwrap.ts";
import { callOf, candidateOf, type FitParts, logAt } from "../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../support/case-of.ts";
import { move, moved } from "../support/movements.ts";

const approve = "0x095ea7b3";
const agent = "0x4444444444444444444444444444444444444444" as Address;

interface World {
  moves: readonly Movement[];
  tx?: Partial<Transaction>;
  calls?: readonly ActorCall[];
  names?: readonly Address[];
}

function worldOf({ moves, tx: more, calls = [callOf()], names = [] }: World) {
  const tx = moved(moves, more);
  const unwrapped = { tx, calls, subject: alice, certain: new Set() } as unknown as Unwrapped;
  const grants = {
    calls: new Map([[approve, [{ owner: null, amount: 1 }]]]),
    events: new Map([["0xa", [{ contracts: new Set([agent]) }]]]),
  };
  const labels = { name: (address: Address) => (names.includes(address) ? { name: "known" } : undefined) };
  return { tx, money: new ReachedMoney(unwrapped, { grants, labels } as never) };
}

/** What of alice's first asset reached an act, and how much went to whom else; then how its first part arrived. */
function reached(world: World, parts: FitParts = {}, account = alice) {
  const { tx, money } = worldOf(world);
  const act = candidateOf("act", tx, parts);
  const [asset] = balanceChanges(tx, account).gives;
  if (asset === undefined) throw new Error("nothing was given");
  const { amount, strangers } = money.of(act, account, asset);
  const [parcel] = money.trail.parcelsOf(account, asset);
  return [
    Number(amount),
    strangers.map(({ holder, amount: part }) => [holder, Number(part)]),
    parcel && money.covers(act, account, asset, parcel),
  ];
}

const paid = (to: Address, of: Address | null = usdc) => move(of, alice, to, 10n);
const lost = (to: Address) => [0, [[to, 10]], null];
const all = [10, [], "reached"];
const callRule = { anchor: { kind: "call" } } as unknown as NonNullable<FitParts["rule"]>;
const flowRule = { anchor: { kind: "none" } } as unknown as NonNullable<FitParts["rule"]>;
/** Nothing but the token is called, by somebody whom the rule does not admit. */
const elsewhere = [callOf({ to: carol })];

describe("what an account gave reaches an act", () => {
  it.each<[string, World, FitParts, unknown[]]>([
    ["where a contract that the rule admits has it", { moves: [paid(vault)] }, {}, all],
    [
      "where the contract that wrote the log has it",
      { moves: [paid(bob)], calls: elsewhere },
      { context: { log: logAt(bob) } },
      all,
    ],
    ["not where a stranger has it", { moves: [paid(bob)], calls: elsewhere }, {}, lost(bob)],
    [
      "where the called contract has it, by a rule about the call",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: callRule, context: { call: callOf({ to: bob }) } },
      all,
    ],
    [
      "not where another contract was called",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: callRule, context: { call: callOf({ to: token }) } },
      lost(bob),
    ],
    [
      "where the called contract has it, by a rule about the event beside the call",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: { anchor: { kind: "event", companion: {} } as never }, context: { call: callOf({ to: bob }) } },
      all,
    ],
    [
      "not where a call is known to a rule about an event alone",
      { moves: [paid(bob)], calls: elsewhere },
      { context: { call: callOf({ to: bob }) } },
      lost(bob),
    ],
    [
      "where a leg names who has it",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: { legs: [{ to: [bob] }] as never } },
      all,
    ],
    [
      "not where a leg lets anybody have it",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: { legs: [{ to: Object.assign([bob], { kind: "any" }) }] as never } },
      lost(bob),
    ],
    [
      "not by a leg that names nobody",
      { moves: [paid(bob)], calls: elsewhere },
      { rule: { legs: [{ to: null }, { to: () => bob }] as never } },
      lost(bob),
    ],
    [
      "not by money flow alone, though the rule admits him",
      { moves: [paid(vault)], calls: elsewhere },
      { rule: flowRule },
      lost(vault),
    ],
    ["where it was burned", { moves: [paid(deadAddress)] }, { place: 0, home: [] }, all],
    ["where its own contract has it", { moves: [paid(usdc)] }, { place: 0, home: [] }, all],
    ["where wrapped ether has it", { moves: [paid(weth, null)] }, { place: 0, home: [] }, all],
  ])("%s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));

  it("where a leg is bound to it by receiver, by id, or by a name in the sentence; not by its amount", () => {
    const { tx } = worldOf({ moves: [paid(bob)] });
    const bound = (leg: object, captures = new Map()) =>
      reached(
        { moves: tx.movements, calls: elsewhere },
        { rule: { legs: [leg] as never, captures }, context: { legs: tx.movements } },
      );
    // A movement is known by itself, so the same one is asked for.
    const world = worldOf({ moves: [paid(bob)], calls: elsewhere });
    const covers = (leg: object, captures: [string, object][] = []) => {
      const [asset] = balanceChanges(world.tx, alice).gives;
      const [parcel] = world.money.trail.parcelsOf(alice, asset as never);
      const act = candidateOf("act", world.tx, {
        rule: { legs: [leg] as never, captures: new Map(captures) as never },
        context: { legs: world.tx.movements },
      });
      return world.money.covers(act, alice, asset as never, parcel as never);
    };
    expect(bound({ to: null, id: null })).toEqual(lost(bob));
    expect(covers({ to: () => bob, id: null })).toBe("reached");
    expect(covers({ to: null, id: () => 1n })).toBe("reached");
    expect(covers({ to: null, id: null })).toBeNull();
    const names = (address: Address, kind = "address") => ["who", { kind, get: () => address }] as [string, object];
    expect(covers({ to: null, id: null }, [names(bob)])).toBe("reached");
    expect(covers({ to: null, id: null }, [names(carol)])).toBeNull();
    expect(covers({ to: null, id: null }, [names(bob, "text")])).toBeNull();
  });

  it("where it is the movement that the rule is about", () => {
    const { tx, money } = worldOf({ moves: [paid(bob)], calls: elsewhere });
    const [asset] = balanceChanges(tx, alice).gives;
    const [parcel] = money.trail.parcelsOf(alice, asset as never);
    const covers = (of: Movement | null) =>
      money.covers(candidateOf("act", tx, { context: { move: of } }), alice, asset as never, parcel as never);
    expect(covers(tx.movements[0] as Movement)).toBe("reached");
    expect(covers(null)).toBeNull();
  });

  it.each<[string, World, FitParts, unknown[]]>([
    ["what passed an admitted contract", { moves: [paid(vault), move(usdc, vault, bob, 10n)] }, {}, all],
    [
      "not what passed strangers",
      { moves: [paid(carol), move(usdc, carol, bob, 10n)], calls: elsewhere },
      {},
      lost(bob),
    ],
    [
      "for an exchange only a fifth of it, as sent on",
      { moves: [paid(vault), move(usdc, vault, bob, 2n)] },
      { rule: { exchanges: true } },
      [10, [], "reached"],
    ],
    [
      "for an exchange no more than that",
      { moves: [paid(vault), move(usdc, vault, bob, 3n)] },
      { rule: { exchanges: true } },
      [7, [[bob, 3]], "reached"],
    ],
    [
      "for an exchange all that somebody gave ether for",
      { moves: [paid(vault), move(usdc, vault, bob, 10n), move(null, bob, carol, 1n)] },
      { rule: { exchanges: true } },
      all,
    ],
    ["what somebody gave ether for", { moves: [paid(bob), move(null, bob, carol, 1n)], calls: elsewhere }, {}, all],
    [
      "not what somebody gave a token for that nobody knows",
      { moves: [paid(bob), move(token, bob, carol, 1n)], calls: elsewhere },
      {},
      lost(bob),
    ],
    [
      "what somebody gave a token for that an admitted contract gave, too",
      { moves: [paid(bob), move(token, bob, carol, 1n), move(token, vault, carol, 1n)], calls: elsewhere },
      {},
      all,
    ],
    [
      "where no contract is proven, what somebody gave towards what the account got",
      { moves: [paid(bob), move(token, bob, alice, 1n)], calls: elsewhere },
      { place: 1 },
      all,
    ],
    [
      "not where he gave it to somebody else",
      { moves: [paid(bob), move(token, bob, carol, 1n)], calls: elsewhere },
      { place: 1 },
      lost(bob),
    ],
    [
      "not ether that he gave to somebody else, either",
      { moves: [paid(bob), move(null, bob, carol, 1n)], calls: elsewhere },
      { place: 1 },
      lost(bob),
    ],
  ])("of what was passed on or paid for, %s", (_, world, parts, expected) =>
    expect(reached(world, parts)).toEqual(expected),
  );

  const bobs = { subject: bob };
  it.each<[string, World, FitParts, unknown]>([
    ["it passed an admitted contract", { moves: [paid(vault), move(usdc, vault, bob, 10n)] }, { context: bobs }, all],
    ["an admitted contract sent it", { moves: [paid(bob)] }, { context: bobs }, all],
    [
      "it passed an admitted contract among others that were called",
      { moves: [paid(vault), move(usdc, vault, bob, 10n)], calls: [callOf(), callOf({ id: 1, to: carol })] },
      { context: bobs },
      all,
    ],
    ["nobody admitted had to do with it", { moves: [paid(bob)], calls: elsewhere }, { context: bobs }, lost(bob)],
  ])("to whom it is about, where %s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));
});

describe("what an admitted contract had sent on", () => {
  const sent = [10, [], "sent"];
  const part = [move(usdc, alice, bob, 3n), move(usdc, alice, vault, 7n)];
  it.each<[string, World, FitParts, unknown[]]>([
    ["is sent where nothing else was called", { moves: [paid(bob)] }, {}, sent],
    [
      "is not where something else was called",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: carol })] },
      {},
      lost(bob),
    ],
    [
      "is where what else was called failed",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: carol, state: "failed" })] },
      {},
      sent,
    ],
    [
      "is where a token was allowed beside it",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: usdc, input: approve })] },
      {},
      sent,
    ],
    [
      "is where a listed token was allowed beside it",
      {
        moves: [paid(bob)],
        tx: { listed: new Set([token]) },
        calls: [callOf(), callOf({ id: 1, to: token, input: approve })],
      },
      {},
      sent,
    ],
    [
      "is not where something unknown was allowed beside it",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: token, input: approve })] },
      {},
      lost(bob),
    ],
    [
      "is not where the token was told to send it there",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: usdc, input: `${transferCall(bob)}00` as never })] },
      {},
      lost(bob),
    ],
    [
      "is where the token was told to send something elsewhere",
      {
        moves: [paid(bob)],
        calls: [callOf(), callOf({ id: 1, to: usdc, input: `${transferCall(carol)}00` as never })],
      },
      {},
      sent,
    ],
    ["is not where nothing was called", { moves: [paid(bob)], calls: [] }, {}, lost(bob)],
    ["is not by an unproven contract", { moves: [paid(bob)] }, { place: 1 }, lost(bob)],
    ["is not ether", { moves: [paid(bob, null)] }, {}, lost(bob)],
    ["is not a larger part where the contract kept the rest", { moves: part }, {}, [7, [[bob, 3]], null]],
    [
      "is a larger part where somebody else kept the rest",
      { moves: [part[0] as Movement, move(usdc, alice, carol, 7n)] },
      {},
      sent,
    ],
    ["is for an exchange only a fifth", { moves: [paid(bob)] }, { rule: { exchanges: true } }, lost(bob)],
    [
      "is for an exchange a fifth",
      { moves: [move(usdc, alice, bob, 2n), move(usdc, alice, vault, 8n)] },
      { rule: { exchanges: true } },
      sent,
    ],
  ])("%s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));

  const frame = (index: number, parent: number, from: Address, to: Address): Call => ({
    ...{ index, parent, depth: 0, kind: "call", from, to, value: 0n, input: "0x", ok: true },
  });
  const tree = (...calls: Call[]): World => ({
    moves: [move(usdc, alice, bob, 10n, { call: calls.length - 1 })],
    tx: { traced: true, calls },
    calls: elsewhere,
  });

  it.each<[string, World, unknown[]]>([
    ["it called the token", tree(frame(0, -1, alice, vault), frame(1, 0, vault, usdc)), sent],
    [
      "it called the token, which called itself",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, usdc), frame(2, 1, usdc, usdc)),
      sent,
    ],
    [
      "the token called another contract for it",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, usdc), frame(2, 1, usdc, carol)),
      sent,
    ],
    [
      "somebody else called the token",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, carol), frame(2, 1, carol, usdc)),
      lost(bob),
    ],
    [
      "an agent called the token for it",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, agent), frame(2, 1, agent, usdc)),
      sent,
    ],
    [
      "an agent called the token for somebody else",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, carol), frame(2, 1, carol, agent), frame(3, 2, agent, usdc)),
      lost(bob),
    ],
    ["the account called the token", tree(frame(0, -1, alice, usdc)), lost(bob)],
    [
      "a frame around it does not belong to the caller",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, carol), frame(2, 1, agent, usdc)),
      lost(bob),
    ],
  ])("by the call tree: %s", (_, world, expected) => expect(reached(world)).toEqual(expected));
});

describe("ether behind the called contract", () => {
  const unseen = { nativeComplete: false };
  it.each<[string, World, FitParts, unknown[]]>([
    ["is sent where it is not seen", { moves: [paid(bob, null)], tx: unseen, calls: elsewhere }, {}, [10, [], "sent"]],
    ["reached an admitted contract", { moves: [paid(vault, null)], tx: unseen }, {}, all],
    [
      "is seen where it went on",
      { moves: [paid(bob, null), move(null, bob, carol, 10n)], tx: unseen, calls: elsewhere },
      {},
      lost(carol),
    ],
    ["is seen where it is no ether", { moves: [paid(bob)], tx: unseen, calls: elsewhere }, {}, lost(bob)],
    [
      "is seen where it is not the subject's",
      { moves: [paid(bob, null)], tx: unseen, calls: elsewhere },
      { context: { subject: carol } },
      lost(bob),
    ],
  ])("%s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));
});

describe("money flow alone", () => {
  const made = move(token, zero, alice, 1n);
  it.each<[string, World, object, unknown[]]>([
    ["reaches the called contract", { moves: [paid(bob)] }, { target: bob }, all],
    [
      "reaches whom the called contract passed it to",
      { moves: [paid(bob), move(usdc, bob, carol, 10n)] },
      { target: bob },
      all,
    ],
    ["reaches nobody else", { moves: [paid(carol)] }, { target: bob }, lost(carol)],
    [
      "is not for what a known contract made that the called one has no part in",
      { moves: [paid(bob), made], names: [token] },
      { target: bob, legs: [null, made] },
      lost(bob),
    ],
    [
      "is for what a known contract made, where the called one is known",
      { moves: [paid(bob), made], names: [token, bob] },
      { target: bob, legs: [made] },
      all,
    ],
    ["is for what an unknown contract made", { moves: [paid(bob), made] }, { target: bob, legs: [made] }, all],
    [
      "is for what a known contract sold",
      { moves: [paid(bob), made], names: [token] },
      { target: bob, legs: [move(token, carol, alice, 1n)] },
      all,
    ],
    [
      "is for what the called contract made itself",
      { moves: [paid(token), made] },
      { target: token, legs: [made] },
      all,
    ],
  ])("%s", (_, world, context, expected) =>
    expect(reached(world, { rule: flowRule, place: 0, context })).toEqual(expected),
  );
});

describe("an account's own call of a token", () => {
  const own = (parts: FitParts = {}) => ({
    tier: "transfer" as const,
    place: 1,
    ...parts,
    rule: { ...callRule, ...parts.rule },
    context: { call: callOf({ to: usdc }), ...parts.context },
  });
  const tellsOwn = (calls: ActorCall[], of = paid(bob), tx: Partial<Transaction> = {}) =>
    reached({ moves: [of], calls, tx }, own())[2];

  it("is one of a transfer without proof of its place, by a real call, for the account itself", () => {
    const is = (parts: FitParts) => isOwnTransfer(candidateOf("act", moved([]), own(parts)));
    expect(is({})).toBe(true);
    expect(is({ place: 2 })).toBe(false);
    expect(is({ tier: "act" })).toBe(false);
    expect(is({ rule: { anchor: { kind: "event" } as never } })).toBe(false);
    expect(is({ rule: { actsFor: (() => bob) as never } })).toBe(false);
    expect(is({ context: { call: callOf({ step: "X" }) } })).toBe(false);
    expect(is({ context: { call: null } })).toBe(false);
  });

  it("tells what that call moved, and nothing beside it", () => {
    const call = (input: string, to: Address = usdc) => callOf({ to, input: input as never });
    expect(tellsOwn([call(`${transferCall(bob)}0`)])).toBe("reached");
    expect(tellsOwn([call("0x12"), call(`${transferCall(bob)}0`)])).toBe("reached");
    expect(tellsOwn([call(`${transferFromCall(alice, bob)}0`)])).toBe("reached");
    expect(tellsOwn([call(`${transferCall(carol)}0`)])).toBeNull();
    expect(tellsOwn([call(`${transferCall(bob)}0`, token)])).toBeNull();
    expect(tellsOwn([call("0x12")], { ...paid(bob), tokenId: 1n, standard: "erc721" })).toBe("reached");
    const calls = (from: Address): Call[] => [
      { index: 0, parent: -1, depth: 0, kind: "call", from, to: usdc, value: 0n, input: "0x", ok: true },
    ];
    expect(tellsOwn([], { ...paid(bob), call: 0 }, { traced: true, calls: calls(alice) })).toBe("reached");
    expect(tellsOwn([], { ...paid(bob), call: 0 }, { traced: true, calls: calls(carol) })).toBeNull();
    const ether = (from: Address, basis: Movement["basis"]) =>
      tellsOwn([], { ...paid(bob, null), call: 0, basis }, { calls: calls(from) });
    expect([ether(alice, "trace"), ether(carol, "trace"), ether(carol, "transaction")]).toEqual([
      "reached",
      null,
      "reached",
    ]);
  });
});

describe("an act without what went to strangers", () => {
  const moves = [paid(vault), move(usdc, alice, bob, 4n), move(token, alice, carol, 5n)];
  const world = (list: readonly Movement[] = moves) => worldOf({ moves: list, calls: elsewhere });
  const narrowed = (parts: FitParts = {}, list: readonly Movement[] = moves) => {
    const { tx, money } = world(list);
    const act = candidateOf("act", tx, { fit: { movements: [0, 1, 2], absorbedMovements: [1, 0] }, ...parts });
    const found = narrow(act, money);
    if (found === act) return "whole";
    return (
      found && {
        gives: found.context.flow.gives.map(({ key, amount, movements }) => [key, Number(amount), movements]),
        movements: found.movements,
        absorbed: found.absorbedMovements,
      }
    );
  };

  it("neither claims nor tells it", () => {
    expect(narrowed()).toEqual({ gives: [[usdc, 10, [0]]], movements: [0], absorbed: [0] });
  });

  it.each<[string, FitParts, Movement[]]>([
    ["of a transaction that reverted", { rule: { status: "reverted" } }, moves],
    ["where nothing was given", {}, [move(usdc, bob, alice, 1n)]],
    ["where all reached it", {}, [paid(vault)]],
    ["that promises nothing", { tier: "approval" }, moves],
  ])("is whole %s", (_, parts, list) => expect(narrowed(parts, list)).toBe("whole"));

  it("is none where a leg went to strangers, or the rest does not fit", () => {
    const legs = (...places: number[]) => ({
      context: { legs: [null, ...places.map((place) => ({ ...(moves[place] as Movement), index: place }))] },
    });
    expect(narrowed(legs(1))).toBeUndefined();
    expect(narrowed(legs(0))).toMatchObject({ movements: [0] });
    const side = (min: number) => ({ min, max: 9, kind: "any", others: true, token: null, unseen: false });
    const flow = (min: number) => ({ rule: { flow: { gives: side(min), gets: null, open: {} } as never } });
    expect(narrowed(flow(1))).toMatchObject({ movements: [0] });
    expect(narrowed(flow(2))).toBeUndefined();
  });

  it("keeps a movement of which a part reached it", () => {
    const split = [move(usdc, alice, carol, 10n), move(usdc, carol, bob, 4n), move(usdc, carol, vault, 6n)];
    expect(narrowed({}, split)).toEqual({ gives: [[usdc, 6, [0]]], movements: [0, 1, 2], absorbed: [1, 0] });
    const whole = [move(usdc, alice, carol, 10n), move(usdc, carol, bob, 4n), move(usdc, carol, zero, 0n), paid(vault)];
    expect(narrowed({ fit: { movements: [0, 3] } }, whole)).toEqual({
      gives: [[usdc, 10, [3]]],
      movements: [3],
      absorbed: [],
    });
  });

  it.each<[string, FitParts, boolean]>([
    ["system", { tier: "system" }, false],
    ["authority", { tier: "authority" }, false],
    ["protocol", {}, true],
    ["act", { tier: "act" }, true],
    ["approval", { tier: "approval" }, false],
    ["transfer", { tier: "transfer" }, false],
    ["transfer", { tier: "transfer", place: 1, rule: callRule, context: { call: callOf() } }, true],
    ["fallback", { tier: "fallback" }, true],
    ["fallback", { tier: "fallback", place: 2 }, true],
    ["fallback", { tier: "fallback", place: 1 }, false],
  ])("of tier %s promises something, case %#", (_, parts, expected) => {
    expect(promises(candidateOf("act", moved([]), parts))).toBe(expected);
  });
});

describe("losses", () => {
  const told = (
    list: readonly Movement[],
    acts: ((tx: Transaction) => Candidate)[],
    more: Partial<Transaction> = {},
    accounts = [alice],
  ) => {
    const { tx, money } = worldOf({ moves: list, tx: more });
    return findLosses(accounts, { tx, actions: acts.map((act) => act(tx)), money }).map(
      ({ account, asset, gross, reached: own, sent, strangers }) => ({
        loss: [account, asset.key, Number(asset.amount), Number(gross)],
        reached: own.map(({ action, amount, redeemed }) => [action.rule.id, Number(amount), redeemed]),
        sent: sent.map(({ action, to, amount }) => [action.rule.id, to, Number(amount)]),
        strangers: strangers.map(({ to, holders, amount }) => [to, holders, Number(amount)]),
      }),
    );
  };
  const act =
    (id: string, parts: FitParts = {}) =>
    (tx: Transaction) =>
      candidateOf(id, tx, parts);
  const none = { reached: [], sent: [], strangers: [] };
  const allOf = (key: string, amount = 10) => [alice, key, amount, amount];

  it("are none where nothing was given, or the transaction reverted", () => {
    expect(told([move(usdc, bob, alice, 1n)], [])).toEqual([]);
    expect(told([paid(bob)], [], { status: "reverted" })).toEqual([]);
    expect(told([paid(bob), move(usdc, bob, alice, 10n)], [])).toEqual([]);
  });

  it("are parted by who received them directly", () => {
    const list = [paid(bob), move(usdc, bob, carol, 4n), move(usdc, alice, bob, 2n), move(usdc, alice, carol, 1n)];
    expect(told(list, [])).toEqual([
      {
        ...none,
        loss: allOf(usdc, 13),
        strangers: [
          [bob, [bob, carol], 12],
          [carol, [carol], 1],
        ],
      },
    ]);
  });

  it("are of every account and every asset", () => {
    const list = [paid(bob), move(token, alice, bob, 1n), move(usdc, carol, vault, 3n)];
    expect(told(list, [], {}, [alice, carol, weth]).map(({ loss }) => loss)).toEqual([
      [alice, usdc, 10, 10],
      [alice, token, 1, 1],
      [carol, usdc, 3, 3],
    ]);
  });

  it("are the rest where some came back by another way", () => {
    const list = [paid(bob), move(usdc, alice, carol, 5n), move(usdc, weth, alice, 8n)];
    expect(told(list, [])).toEqual([{ ...none, loss: [alice, usdc, 7, 15], strangers: [[bob, [bob], 7]] }]);
    const back = [paid(bob), move(usdc, bob, alice, 4n)];
    expect(told(back, [])).toEqual([{ ...none, loss: [alice, usdc, 6, 6], strangers: [[bob, [bob], 6]] }]);
  });

  it("belong to the act that they reached, before one that sent them on", () => {
    const list = [paid(bob), move(usdc, alice, bob, 2n)];
    const sends = act("sends");
    const has = act("has", { home: [bob] });
    expect(told(list, [sends])).toEqual([{ ...none, loss: allOf(usdc, 12), sent: [["sends", bob, 12]] }]);
    expect(told(list, [sends, act("other")])).toEqual([{ ...none, loss: allOf(usdc, 12), sent: [["sends", bob, 12]] }]);
    expect(told(list, [sends, has])).toEqual([{ ...none, loss: allOf(usdc, 12), reached: [["has", 12, false]] }]);
    const two = [paid(bob), move(usdc, alice, carol, 2n)];
    expect(told(two, [sends])).toEqual([
      {
        ...none,
        loss: allOf(usdc, 12),
        sent: [
          ["sends", bob, 10],
          ["sends", carol, 2],
        ],
      },
    ]);
  });

  it("belong to each act that they reached", () => {
    const list = [paid(bob), move(usdc, alice, carol, 2n)];
    expect(told(list, [act("one", { home: [bob] }), act("other", { home: [carol] })])).toEqual([
      {
        ...none,
        loss: allOf(usdc, 12),
        reached: [
          ["one", 10, false],
          ["other", 2, false],
        ],
      },
    ]);
  });

  it("belong to an act that only sends where it claims them, of its own account", () => {
    const claims = (subject: Address, movements: number[]) =>
      act("send", { tier: "transfer", context: { subject }, fit: { movements } });
    expect(told([paid(bob)], [claims(alice, [0])])).toEqual([
      { ...none, loss: allOf(usdc), reached: [["send", 10, false]] },
    ]);
    const open = [{ ...none, loss: allOf(usdc), strangers: [[bob, [bob], 10]] }];
    expect(told([paid(bob)], [claims(carol, [0])])).toEqual(open);
    expect(told([paid(bob)], [claims(alice, [])])).toEqual(open);
  });

  it("are redeemed where they were destroyed and the account got something", () => {
    const got = move(token, bob, alice, 1n);
    const redeemed = (list: readonly Movement[], parts: FitParts = {}) => told(list, [act("act", parts)])[0]?.reached;
    expect(redeemed([paid(zero), got])).toEqual([["act", 10, true]]);
    expect(redeemed([paid(usdc), got])).toEqual([["act", 10, true]]);
    expect(redeemed([paid(zero)])).toEqual([["act", 10, false]]);
    expect(redeemed([paid(vault), got])).toEqual([["act", 10, false]]);
    expect(redeemed([paid(zero, null), got])).toEqual([["act", 10, true]]);
    expect(redeemed([paid(weth, weth), got])).toEqual([["act", 10, false]]);
    expect(redeemed([paid(zero), got], { context: { subject: carol } })).toEqual([["act", 10, true]]);
    expect(redeemed([paid(zero)], { context: { subject: carol } })).toEqual([["act", 10, false]]);
    expect(redeemed([paid(zero), got, paid(vault), move(usdc, alice, usdc, 1n)])).toEqual([
      ["act", 11, true],
      ["act", 10, false],
    ]);
  });
});

describe("nets of movements", () => {
  it("are what is left for an account, by asset, in order", () => {
    const nft = move(token, bob, alice, 1n, { tokenId: 3n });
    const nets = netsOf([paid(bob), move(usdc, bob, alice, 4n), paid(bob, null), nft], alice);
    expect([...nets]).toEqual([
      [usdc, -6n],
      ["native", -10n],
      [`${token}:3`, 1n],
    ]);
    expect([assetKey(nft), assetKey(paid(bob)), assetKey(paid(bob, null))]).toEqual([`${token}:3`, usdc, "native"]);
  });
});
