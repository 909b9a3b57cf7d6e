import { describe, expect, it } from "vitest";
import { CallScopes } from "../../../src/engine/match/call-scope.ts";
import { balanceChanges } from "../../../src/engine/normalize/balance-changes.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Call, Log, Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, weth } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

/** Depths of the frames: the batch, its first call with two calls inside, its second call with one. */
const depths = [0, 1, 2, 2, 1, 2];
const frames = depths.map((depth, index) => ({ depth, index }) as Call);
const call = (id: number, frame: number) => ({ id, frame }) as ActorCall;
const [first, second] = [call(1, 1), call(2, 4)];
const inFrame = (frame: number, moves: Movement, log = frame * 10) => ({ ...moves, call: frame, log });
const sold = inFrame(2, move(usdc, alice, bob, 5n));
const bought = inFrame(3, move(weth, bob, alice, 7n));
const paid = inFrame(5, move(token, alice, carol, 9n));
const earned = inFrame(5, move(null, carol, alice, 3n), -1);
const all = [sold, bought, paid, earned];
const logIn = (frame: number) => ({ call: frame }) as Log;

interface World {
  moves?: Movement[];
  calls?: ActorCall[];
  tx?: Partial<Transaction>;
}
function scopesOf({ moves = all, calls = [first, second], tx = {} }: World = {}) {
  const whole = moved(moves, { traced: true, calls: frames, ...tx });
  return new CallScopes(whole, calls, balanceChanges(whole, alice));
}
/** What a call exchanged: its assets, the movements of other calls, and its first log. */
function scopeOf(one: ActorCall | null, log: Log | null, world: World = {}) {
  const scope = scopesOf(world).of(one, log);
  if (scope === null) return null;
  const { gives, gets } = scope.flow;
  const outside = (world.moves ?? all).map((_, index) => scope.outside.has(index));
  return [gives.map(({ key }) => key), gets.map(({ key }) => key), outside, scope.first];
}
const ofFirst = [[usdc], [weth], [false, false, true, true], 20];
const ofSecond = [[token], ["native"], [true, true, false, false], 50];

describe("what one call of several moved", () => {
  it.each<[string, ActorCall | null, Log | null, World, unknown]>([
    ["the first", first, null, {}, ofFirst],
    ["the last", second, null, {}, ofSecond],
    ["the call around a log", null, logIn(3), {}, ofFirst],
    ["the call that wrote a log", null, logIn(4), {}, ofSecond],
    ["the call, wherever a log is", first, logIn(5), {}, ofFirst],
    ["nothing of a log outside of all", null, logIn(0), {}, null],
    ["nothing of a log that stands nowhere", null, logIn(-1), {}, null],
    ["nothing of nothing", null, null, {}, null],
    ["nothing of a call of others", call(3, 1), null, {}, null],
    ["nothing without a call tree", first, null, { tx: { traced: false } }, null],
    ["nothing of the only call", first, null, { calls: [first] }, null],
    ["nothing of a call without a frame", call(1, -1), null, {}, null],
    [
      "nothing where own money stands nowhere",
      first,
      null,
      { moves: [...all, inFrame(-1, move(usdc, bob, alice, 1n))] },
      null,
    ],
    [
      "the first, where others' money stands nowhere",
      first,
      null,
      { moves: [...all, inFrame(-1, move(usdc, bob, carol, 1n))] },
      [...ofFirst.slice(0, 2), [false, false, true, true, true], 20],
    ],
    ["what it only gave", first, null, { moves: [sold, paid, earned] }, [[usdc], [], [false, true, true], 20]],
    ["what it only got", first, null, { moves: [bought, paid, earned] }, [[], [weth], [false, true, true], 30]],
    [
      "nothing where another gave the same",
      first,
      null,
      { moves: [...all, inFrame(5, move(usdc, alice, carol, 1n))] },
      null,
    ],
    [
      "nothing where another brought the same",
      first,
      null,
      { moves: [...all, inFrame(5, move(weth, carol, alice, 1n))] },
      null,
    ],
    ["nothing where another moved nothing", first, null, { moves: [sold, bought] }, null],
    [
      "the first, where another only gave",
      first,
      null,
      { moves: [sold, bought, paid] },
      [[usdc], [weth], [false, false, true], 20],
    ],
    [
      "the first, where another only got",
      first,
      null,
      { moves: [sold, bought, earned] },
      [[usdc], [weth], [false, false, true], 20],
    ],
  ])("is %s", (_what, one, log, world, expected) => {
    const calls = one !== null && one.frame < 0 ? [one, second] : [first, second];
    expect(scopeOf(one, log, { calls, ...world })).toEqual(expected);
  });

  it("begins with its first log of a movement, no matter what came before", () => {
    const later = { ...sold, log: 25 };
    expect(scopeOf(first, null, { moves: [later, ...all.slice(1)] })?.[3]).toBe(25);
    expect(scopeOf(first, null, { moves: [bought, later, paid, earned] })?.[3]).toBe(25);
    const silent = [{ ...sold, log: -1 }, { ...bought, log: -1 }, paid, earned];
    expect(scopeOf(first, null, { moves: silent })?.[3]).toBe(Number.POSITIVE_INFINITY);
  });

  it("is the same each time it is asked for", () => {
    const scopes = scopesOf();
    expect(scopes.of(first, null)).toBe(scopes.of(null, logIn(2)));
    expect(scopes.of(second, null)).toBe(scopes.of(null, logIn(5)));
    expect(scopes.of(null, logIn(0))).toBe(null);
  });
});
