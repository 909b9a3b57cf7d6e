import { describe, expect, it } from "vitest";
import { FlowClaim, FlowMemory } from "../../../src/engine/match/flow-memory.ts";
import { ArgumentMemory } from "../../../src/engine/match/match.ts";
import { RuleTrials } from "../../../src/engine/match/rule-trials.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall, MatchContext } from "../../../src/model/match.ts";
import type { Log, Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const call = (parts: Partial<ActorCall> = {}): ActorCall => ({
  ...{ id: 0, parent: -1, via: null, step: null, from: alice, actor: alice, to: vault, value: 0n, input: "0xaaaaaaaa" },
  ...{ delegate: false, state: "executed", frame: -1, ...parts },
});
interface World {
  moves?: Movement[];
  calls?: ActorCall[];
  tx?: Partial<Transaction>;
}
/** Trials for alice, beside whom carol is a principal. */
function trialsOf({ moves = [], calls = [call()], tx = {} }: World = {}) {
  const known = { grants: { calls: new Map() }, accounts: { makers: [] }, subjects: [] };
  const unwrapped = {
    ...{ tx: moved(moves, tx), calls, subject: alice, actors: [alice] },
    ...{ principals: new Set([alice, carol]), certain: new Set(), truncated: [] },
  };
  return new RuleTrials(
    unwrapped as never,
    known as never,
    { admits: (_gate: unknown, one: Address, of: Address) => one === of } as never,
  );
}
const anchor = { kind: "event", companion: null };
const rule = (parts: object = {}) =>
  ({
    ...{ id: "it", anchor, status: "success", actsFor: null, legsFirst: false, control: false },
    ...{ who: [], legs: [], flow: null, premise: () => true, where: () => true, exchanges: false },
    ...{ specificity: { place: 0 }, tier: 0, ...parts },
  }) as never;
const log = { index: 4, address: vault, topics: ["0x1"], data: "0x", call: -1 } as unknown as Log;

/** The claims of a rule on this evidence. Undefined if the rule does not fit. */
function tried(parts: object, world: World = {}, anchored: object = { log }) {
  const trials = trialsOf(world);
  const fits = trials.consider(rule(parts), trials.context(anchored));
  const { candidates, deferred } = trials.matches([]);
  expect(candidates.length).toBe(fits ? 1 : 0);
  return { made: candidates[0], deferred, count: trials.count };
}
const side = { min: 1, max: 1, kind: "any", unseen: false, others: false, token: null };
const pays = move(usdc, alice, bob, 5n);
const [got, gift] = [move(weth, bob, alice, 7n), move(token, carol, alice, 9n)];

describe("what a rule that fits claims", () => {
  it("is its log, at its place", () => {
    const { rule: one, context, ...claims } = tried({}).made as never as Record<string, unknown>;
    expect(claims).toEqual({
      ...{ logs: [4], calls: [], movements: [], steps: [], absorbedMovements: [], alone: false, foreign: false },
      ...{ gift: null, position: 4, refit: null },
    });
    expect([(one as { id: string }).id, (context as MatchContext).subject]).toEqual(["it", alice]);
  });

  it.each<[string, object, World, object, object]>([
    ["a call that is alone", { anchor: { kind: "call" } }, {}, { call: 0 }, { calls: [0], alone: true, position: 0 }],
    [
      "one of two calls",
      { anchor: { kind: "call" } },
      { calls: [call(), call({ id: 1 })] },
      { call: 0 },
      { calls: [0], alone: false },
    ],
    ["the call beside an event", {}, {}, { call: 0, log }, { calls: [], logs: [4], alone: true, position: 4 }],
    ["a movement", {}, { moves: [pays, { ...pays, log: 7 }] }, { move: 1 }, { movements: [1], position: 7 }],
    ["what stands at the end", {}, { tx: { logs: [log, log] } }, {}, { position: 2 }],
    [
      "of an authorization whose signer is not known",
      {},
      {},
      { authorization: { authority: null } },
      { foreign: true },
    ],
    ["of an authorization of somebody", {}, {}, { authorization: { authority: bob } }, { foreign: false }],
    [
      "what the flow counts, and what else there is",
      { flow: { gives: side, gets: null } },
      { moves: [got, pays] },
      { log },
      { movements: [1], absorbedMovements: [0] },
    ],
  ])(
    "may be %s",
    (_what, parts, world, { call: at, move: of, ...anchored }: { call?: number; move?: number }, expected) => {
      const tx = moved(world.moves ?? []);
      const found = {
        ...(at === undefined ? {} : { call: world.calls?.[at] ?? ownCall }),
        ...(of === undefined ? {} : { move: tx.movements[of] }),
      };
      expect(tried(parts, { calls: [ownCall], ...world }, { ...found, ...anchored }).made).toMatchObject(expected);
    },
  );
  const ownCall = call();

  it("is nothing where a premise or condition does not hold, or the flow is another", () => {
    expect(tried({ premise: () => false }).made).toBe(undefined);
    expect(tried({ where: () => false }).made).toBe(undefined);
    expect(tried({ flow: { gives: side, gets: null } }).made).toBe(undefined);
  });

  it("is no exchange where ether was only wrapped, unless as an attempt", () => {
    const wraps = [move(null, alice, weth, 5n), move(weth, zero, alice, 5n)];
    expect(tried({ exchanges: true }, { moves: wraps }).made).toBe(undefined);
    expect(tried({ exchanges: true, status: "reverted" }, { moves: wraps }).made).toBeDefined();
    expect(tried({}, { moves: wraps }).made).toBeDefined();
  });
});

describe("the account that a rule is about", () => {
  const subjectOf = (parts: object) => tried(parts).made?.context.subject;
  const is = (one: unknown) => () => one;
  it.each<[string, object, unknown]>([
    ["the subject", {}, alice],
    ["the subject that it names", { who: [is(bob), is(alice)] }, alice],
    ["not another that it names", { who: [is(bob)] }, undefined],
    ["another principal that gives up control", { control: true, who: [is(bob), is(carol)] }, carol],
    ["the subject before another principal", { control: true, who: [is(carol), is(alice)] }, alice],
    ["nobody else that gives up control", { control: true, who: [is(bob), is(undefined)] }, undefined],
    ["whom it acts for", { actsFor: is(bob) }, bob],
    ["the subject, where it acts for it", { actsFor: is(alice) }, alice],
    ["nobody where it acts for nobody", { actsFor: is(undefined) }, undefined],
    ["not the zero address", { actsFor: is(zero) }, undefined],
    ["not what is no address", { actsFor: is("0x12") }, undefined],
    ["not whom it acts for, where it names another", { actsFor: is(bob), who: [is(carol)] }, undefined],
    ["whom it acts for and names", { actsFor: is(bob), who: [is(bob)] }, bob],
  ])("is %s", (_what, parts, expected) => expect(subjectOf(parts)).toBe(expected));

  it("is foreign where it is another, with that one's flow and gates", () => {
    const { made } = tried({ actsFor: () => bob }, { moves: [pays] });
    expect(made).toMatchObject({ foreign: true, context: { flow: { account: bob, gets: [{ key: usdc }] } } });
    expect([made?.context.admits({}, bob), made?.context.admits({}, alice)]).toEqual([true, false]);
    expect(tried({}).made?.context.admits({}, alice)).toBe(true);
  });
});

describe("what others leave", () => {
  const flow = { gives: side, gets: null };
  const proven = { flow, specificity: { place: 2 } };
  it("is tried again, of a rule that fits", () => {
    const { made, deferred } = tried(proven, { moves: [pays] });
    expect(deferred).toEqual([]);
    expect(made?.refit?.(new Set())?.movements).toEqual([0]);
    expect(made?.refit?.(new Set([0]))).toBe(undefined);
  });

  it("is tried later, of a rule of a proven place that does not fit", () => {
    const { made, deferred, count } = tried(proven, { moves: [pays, move(token, alice, bob, 1n)] });
    expect([made, deferred.length, deferred[0]?.position, count]).toEqual([undefined, 1, 4, 1 / 8]);
    expect(deferred[0]?.refit(new Set([1]))?.movements).toEqual([0]);
    expect(tried(proven, { tx: { logs: [log, log] } }, {}).deferred[0]?.position).toBe(2);
    expect(tried({ flow }).deferred).toEqual([]);
    expect(tried({ ...proven, flow: null, where: () => false }).deferred).toEqual([]);
    expect(tried({ ...proven, legsFirst: true, where: () => false }).deferred).toEqual([]);
  });
});

describe("a bystander's gift", () => {
  const some = (...moves: Movement[]) => ({ moves });
  const gets = { ...side, kind: "fungible" };
  const one = { flow: { gives: null, gets }, tier: 1 };
  it.each<[string, object, World, string | null | undefined]>([
    ["is none in what it gives", { ...one, flow: { gives: side, gets: null } }, some(pays, gift), null],
    ["is left aside by a rule that fits without it", one, some(pays, got, gift), null],
    ["is taken by one that does not", one, some(pays, gift), "taken"],
    ["is taken by one of a proven place", { ...one, specificity: { place: 2 } }, some(pays, gift), null],
    [
      "is left by one of a proven place that does not fit with it",
      { ...one, specificity: { place: 2 } },
      some(pays, got, gift),
      "left",
    ],
    ["is not known to rules for others", { ...one, actsFor: () => alice }, some(pays, got, gift), undefined],
  ])("%s", (_what, parts, world, expected) => {
    const gifted = { ...world, calls: [call({ to: bob })] };
    expect(tried(parts, gifted).made?.gift).toBe(expected);
    expect(trialsOf(gifted).hasGifts).toBe(true);
  });

  it("is no part of what is left, where a rule of a proven place knows better", () => {
    const trials = trialsOf({ moves: [pays, got, gift], calls: [call({ to: bob })] });
    const base = trials.context({ log });
    trials.consider(rule({ ...one, id: "left", specificity: { place: 2 } }), base);
    expect(trials.matches(["cut"])).toMatchObject({ candidates: [{ rule: { id: "left" } }], truncated: ["cut"] });
    trials.consider(rule({ id: "weak" }), base);
    expect(trials.matches([]).candidates).toHaveLength(2);
    trials.consider(rule({ id: "known", specificity: { place: 2 } }), base);
    expect(trials.matches([]).candidates.map((two) => two.rule.id)).toEqual(["weak", "known"]);
    // What the other rule does not claim may still be told.
    expect(trials.matches([]).deferred.map((two) => two.rule.id)).toEqual(["left"]);
  });
});

describe("memories of one transaction", () => {
  it("claim movements once, in order", () => {
    const claim = new FlowClaim([3, 1, 2], [9]);
    expect([claim.claimWith([]), claim.claimWith([2, 1]), claim.claimWith([5, 0, 2, 5])]).toEqual([
      ...[
        [1, 2, 3],
        [1, 2, 3],
        [0, 1, 2, 3, 5],
      ],
    ]);
    expect([claim.takenAlong, new FlowClaim([], []).claimWith([10, 9])]).toEqual([[9], [9, 10]]);
  });

  it("know what is left as seen", () => {
    const flows = new FlowMemory(moved([pays, got], { nativeComplete: false }));
    expect(flows.of(alice)).toMatchObject({ complete: false, gives: [{ key: usdc }], gets: [{ key: weth }] });
    expect(flows.rest(alice, new Set([0]))).toMatchObject({ complete: true, gives: [], gets: [{ key: weth }] });
    expect(flows.rest(bob, new Set([0]))).toMatchObject({ account: bob, gets: [], gives: [{ key: weth }] });
  });

  it("read each log and call with each reader", () => {
    const memory = new ArgumentMemory();
    const item = (name: string) => ({ read: (...given: unknown[]) => [name, ...given] }) as never;
    const [one, two] = [item("one"), item("two")];
    const other = { ...log, data: "0x2" } as Log;
    const [first, second] = [call(), call({ id: 1, input: "0xbb" })];
    const told = [memory.ofLog(one, log), memory.ofLog(two, log), memory.ofLog(two, other), memory.ofLog(one, other)];
    expect(told.map((args) => [args?.[0], args?.[2]])).toEqual([
      ["one", "0x"],
      ["two", "0x"],
      ["two", "0x2"],
      ["one", "0x2"],
    ]);
    const read = [
      memory.ofCall(one, first),
      memory.ofCall(one, second),
      memory.ofCall(two, first),
      memory.ofCall(one, first),
    ];
    expect(read).toEqual([
      ["one", "0xaaaaaaaa"],
      ["one", "0xbb"],
      ["two", "0xaaaaaaaa"],
      ["one", "0xaaaaaaaa"],
    ]);
  });
});
