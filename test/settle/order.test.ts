import { describe, expect, it } from "vitest";
import { approvalTopic } from "../../src/kernel/token-standards.ts";
import type { Candidate } from "../../src/match/candidate.ts";
import type { Movement, Transaction } from "../../src/model/transaction.ts";
import { absorbedLogs } from "../../src/settle/absorbed-logs.ts";
import { withAbsorbed } from "../../src/settle/claimed.ts";
import { othersLast } from "../../src/settle/others-last.ts";
import { overrideOrder } from "../../src/settle/override-order.ts";
import { isOwed, principalFirst, principalsOf } from "../../src/settle/principals.ts";
import { ReachedMoney } from "../../src/settle/reached-money.ts";
import { usedAllowancesLast } from "../../src/settle/used-allowances-last.ts";
import type { Unwrapped } from "../../src/unwrap/unwrap.ts";
import { callOf, candidateOf, type FitParts, logAt } from "../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault } from "../support/case-of.ts";
import { move, moved } from "../support/movements.ts";

const wordOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const tx = moved([
  move(usdc, alice, bob, 5n),
  move(token, bob, carol, 1n),
  move(token, bob, alice, 2n),
  move(token, alice, bob, 2n),
]);
const candidate = (id: string, parts: FitParts = {}, of: Transaction = tx) => candidateOf(id, of, parts);
const ids = (list: readonly Candidate[]) => list.map(({ rule }) => rule.id);
const at = (...indexes: number[]): Movement[] => indexes.map((index) => tx.movements[index] as Movement);

describe("what others did", () => {
  const called = { anchor: { kind: "call" } as never };
  const send = candidate("send", {
    tier: "transfer",
    rule: called,
    context: { call: callOf({ to: usdc }) },
    fit: { alone: true, movements: [0], calls: [0] },
  });
  const approve = candidate("approve", {
    tier: "approval",
    rule: called,
    context: { call: callOf({ to: usdc }), log: logAt(usdc) },
    fit: { alone: true, logs: [3] },
  });
  const own = candidate("own", { rule: { who: [() => alice] as never } });
  const behind = (one: Candidate, act = send) => ids(othersLast([one, own, act]));
  const last = (id: string, act = "send") => ["own", act, id];
  const first = (id: string, act = "send") => [id, "own", act];

  it.each<[string, FitParts, boolean]>([
    ["an event that names nobody", {}, true],
    ["an event that names somebody", { rule: { who: [() => alice] as never } }, false],
    ["an event beside a call", { rule: { anchor: { kind: "event", companion: {} } as never } }, false],
    ["a call", { rule: { anchor: { kind: "call" } as never } }, false],
    ["an event with a leg of the subject's", { context: { legs: at(1, 0) } }, false],
    ["an event with what came to the subject", { context: { legs: at(2) } }, false],
    ["an event with legs of others only", { context: { legs: [null, ...at(1)] } }, true],
    ["an event that claims what is the subject's", { fit: { movements: [0] } }, true],
    [
      "money flow with legs of others only",
      { rule: { anchor: { kind: "none" } as never, legs: [{}] as never }, context: { legs: at(1) } },
      true,
    ],
    [
      "money flow with one leg of the subject's",
      { rule: { anchor: { kind: "none" } as never, legs: [{}, {}] as never }, context: { legs: at(1, 0) } },
      false,
    ],
    ["an authorization", { rule: { anchor: { kind: "authorization", companion: null } as never } }, false],
    ["money flow without legs", { rule: { anchor: { kind: "none" } as never } }, false],
    ["a change of control of somebody else's", { rule: { control: true }, fit: { foreign: true } }, true],
    ["a change of control of its own", { rule: { control: true } }, false],
    ["an act for somebody else", { rule: { actsFor: (() => bob) as never } }, true],
    [
      "an act for somebody else by the same log",
      { rule: { actsFor: (() => bob) as never }, fit: { logs: [3, 4] } },
      true,
    ],
    [
      "an act for somebody else by the same call",
      { rule: { actsFor: (() => bob) as never }, fit: { calls: [1, 0] } },
      false,
    ],
    [
      "an act for somebody else by the same money",
      { rule: { actsFor: (() => bob) as never }, fit: { movements: [1, 0] } },
      false,
    ],
  ])("comes after a plain transfer where it is %s", (_, parts, expected) => {
    expect(behind(candidate("one", parts))).toEqual(expected ? last("one") : first("one"));
  });

  it.each<[string, FitParts, boolean]>([
    ["an event that claims nothing of the subject's", { fit: { movements: [1] } }, true],
    ["an event that claims something of the subject's", { fit: { movements: [1, 0] } }, false],
    [
      "money flow",
      { rule: { anchor: { kind: "none" } as never, legs: [{}] as never }, context: { legs: at(1) } },
      false,
    ],
    [
      "an act for somebody else by the same log",
      { rule: { actsFor: (() => bob) as never }, fit: { logs: [4, 3] } },
      false,
    ],
  ])("comes after a plain approval where it is %s", (_, parts, expected) => {
    expect(behind(candidate("one", parts), approve)).toEqual(
      expected ? last("one", "approve") : first("one", "approve"),
    );
  });

  it.each<[string, Candidate]>([
    ["is not all that was done", { ...send, alone: false }],
    ["moved nothing", { ...send, movements: [] }],
    ["moved another token, too", { ...send, movements: [0, 3] }],
    [
      "has a type of its own",
      candidate("send", { context: { call: callOf({ to: usdc }) }, fit: { alone: true, movements: [0] } }),
    ],
    [
      "is somebody else's",
      candidate("send", {
        tier: "transfer",
        rule: { actsFor: (() => bob) as never },
        context: { call: callOf({ to: usdc }) },
        fit: { alone: true, movements: [0], calls: [9] },
      }),
    ],
    [
      "yields",
      candidate("send", {
        tier: "transfer",
        rule: { yields: true },
        context: { call: callOf({ to: usdc }) },
        fit: { alone: true, movements: [0] },
      }),
    ],
    [
      "is an allowance of another contract",
      candidate("send", {
        tier: "approval",
        rule: called,
        context: { call: callOf({ to: token }), log: logAt(usdc) },
        fit: { alone: true },
      }),
    ],
  ])("stays in its place beside a transfer that %s", (_, act) => {
    expect(ids(othersLast([candidate("one"), act]))).toEqual(["one", "send"]);
  });

  it("comes after a plain transfer beside a plain approval, unless it shares evidence with one of them", () => {
    const order = (one: Candidate) => ids(othersLast([one, own, send, approve]));
    const flow = { rule: { anchor: { kind: "none" } as never, legs: [{}] as never }, context: { legs: at(1) } };
    expect(order(candidate("one", flow))).toEqual(["own", "send", "approve", "one"]);
    const shared = { rule: { actsFor: (() => bob) as never }, fit: { calls: [0] } };
    expect(order(candidate("one", shared))).toEqual(["one", "own", "send", "approve"]);
  });

  it("to control other accounts, or what stands although the transaction reverted, is the last", () => {
    const foreign = candidate("foreign", { rule: { control: true }, fit: { foreign: true } });
    const control = candidate("control", { rule: { control: true } });
    expect(ids(othersLast([foreign, control, own]))).toEqual(["control", "own", "foreign"]);
    expect(ids(othersLast([candidate("foreign", { fit: { foreign: true } }), own]))).toEqual(["foreign", "own"]);
    const failed = candidate("control", { rule: { control: true } }, { ...tx, status: "reverted" });
    expect(ids(othersLast([failed, own]))).toEqual(["own", "control"]);
    const list = [control, own];
    expect(othersLast(list)).toBe(list);
  });
});

describe("the order of rules that override", () => {
  const rule = (id: string, more: FitParts["rule"] = {}) => candidate(id, { rule: more });
  const levels = (...list: Candidate[]) => {
    const order = overrideOrder(list);
    return Object.fromEntries(list.map((one) => [one.rule.id, order(one.rule, (list[0] as Candidate).rule)]));
  };

  it("is by the longest chain above a rule", () => {
    const [a, b, c] = [
      rule("a", { overrides: ["b", "d"] }),
      rule("b", { overrides: ["c"] }),
      rule("c", { overrides: ["d"] }),
    ];
    expect(levels(a, b, c, rule("d"), rule("e"))).toEqual({ a: 0, b: 1, c: 2, d: 3, e: 0 });
    expect(levels(a, a, b)).toEqual({ a: 0, b: 1 });
  });

  it("is none where nothing overrides", () => {
    expect(levels(rule("a", { defers: true }), rule("b"))).toEqual({ a: 0, b: 0 });
  });

  it("has an end where rules override each other", () => {
    expect(Object.keys(levels(rule("a", { overrides: ["b"] }), rule("b", { overrides: ["a"] })))).toEqual(["a", "b"]);
  });

  it("puts what defers as deep as the deepest of its action and tier that does not", () => {
    const parts = [rule("a", { overrides: ["b"] }), rule("b"), rule("c", { defers: true })];
    expect(levels(...parts)).toEqual({ a: 0, b: 1, c: 1 });
    expect(levels(parts[0] as Candidate, rule("b", { defers: true }), rule("c", { defers: true }))).toEqual({
      a: 0,
      b: 1,
      c: 0,
    });
    expect(levels(parts[0] as Candidate, rule("b", { action: "other" }), rule("c", { defers: true })).c).toBe(0);
    const other = candidate("b", { tier: "transfer" });
    expect(levels(parts[0] as Candidate, other, rule("c", { defers: true })).c).toBe(0);
    expect(levels(rule("a", { overrides: ["c"] }), rule("c", { defers: true })).c).toBe(1);
  });
});

describe("an allowance", () => {
  const allowance = (spender = vault, more: FitParts["context"] = {}) =>
    candidate("allow", {
      tier: "approval",
      context: {
        log: logAt(usdc, [approvalTopic, wordOf(alice), wordOf(spender)]),
        call: callOf({ to: usdc }),
        ...more,
      },
    });
  const transfer = (more: FitParts["context"] = {}, fits: FitParts["fit"] = {}) =>
    candidate("send", {
      tier: "transfer",
      context: { call: callOf({ to: vault }), ...more },
      fit: { movements: [1, 0], ...fits },
    });
  const order = (...list: Candidate[]) => ids(usedAllowancesLast(list));

  it("that the transfer used comes after it", () => {
    expect(order(allowance(), transfer(), candidate("x"))).toEqual(["send", "x", "allow"]);
    expect(order(allowance(), transfer({ call: null, target: vault }))).toEqual(["send", "allow"]);
  });

  it.each<[string, Candidate, Candidate]>([
    ["for somebody else", allowance(carol), transfer()],
    [
      "whose log is not its token's",
      allowance(vault, { log: logAt(token, [approvalTopic, wordOf(alice), wordOf(vault)]) }),
      transfer(),
    ],
    ["without a log", allowance(vault, { log: null }), transfer()],
    ["of a token that was not sent", allowance(), transfer({}, { movements: [1, 3] })],
    ["of a token that came", allowance(), transfer({ subject: bob }, { movements: [0] })],
    ["and a call of the token itself", allowance(usdc), transfer({ call: callOf({ to: usdc }) })],
    ["and a transfer to nobody", allowance(), transfer({ call: null })],
    ["and nothing sent", allowance(), transfer({}, { movements: [] })],
  ])("%s stays where it is", (_, first, second) => expect(order(first, second)).toEqual(["allow", "send"]));

  it("stays where nothing was transferred, and so does what is no allowance", () => {
    const list = [allowance(), candidate("x")];
    expect(usedAllowancesLast(list)).toBe(list);
    const other = [candidate("x", { context: allowance().context }), transfer()];
    expect(usedAllowancesLast(other)).toBe(other);
  });
});

describe("principals", () => {
  const unwrapped = (parts: Partial<Unwrapped> = {}): Unwrapped => ({
    ...{
      tx,
      calls: [callOf()],
      subject: alice,
      actors: [alice],
      principals: new Set([alice]),
      certain: new Set(),
      truncated: [],
    },
    ...parts,
  });
  const theirs = candidate("theirs", { tier: "transfer", context: { subject: bob } });

  it.each<[string, Partial<Unwrapped>, Candidate[], string[]]>([
    ["the subject alone", {}, [candidate("own")], [alice]],
    ["the subject where nothing is told", {}, [], [alice]],
    ["whose acts are told, too, once", {}, [theirs, candidate("own"), theirs], [alice, bob]],
    ["whose authority was used, after the subject", { principals: new Set([carol, alice]) }, [], [alice, carol]],
    ["somebody else and the subject", { principals: new Set([carol]) }, [], [alice, carol]],
    ["not those of a bundle", { principals: new Set([alice, bob, carol]), actors: [bob, carol] }, [], [alice]],
    ["the single actor", { principals: new Set([bob]), actors: [bob] }, [], [alice, bob]],
    [
      "those of a bundle whose acts are told",
      { principals: new Set([bob, carol]), actors: [bob, carol] },
      [theirs],
      [alice, bob],
    ],
  ])("are %s", (_, parts, actions, expected) => expect(principalsOf(unwrapped(parts), actions)).toEqual(expected));

  const known = { grants: { calls: new Map(), events: new Map() }, labels: { name: () => undefined } } as never;
  const standing = (of: Unwrapped, actions: readonly Candidate[]) => ({ actions, money: new ReachedMoney(of, known) });
  const foreign = candidate("foreign", { tier: "transfer", fit: { foreign: true } });
  const system = candidate("system", { tier: "system" });
  const own = candidate("own", { tier: "transfer", fit: { movements: [] } });
  const allowed = { ...moved([]), logs: [logAt(usdc, [approvalTopic, wordOf(alice), wordOf(bob)], { data: "0x01" })] };

  it.each<[string, Partial<Unwrapped>, Candidate[], boolean]>([
    ["it gave something that nobody explains", {}, [], true],
    ["others' acts stand alone", {}, [theirs, foreign, system], true],
    ["an act of its own stands", {}, [theirs, own], false],
    ["it gave nothing", { tx: moved([]) }, [theirs], false],
    ["it allowed something", { tx: allowed }, [theirs], true],
    ["it allowed something in vain", { tx: { ...allowed, status: "reverted" } }, [theirs], false],
    ["the sender gave something for it", { subject: carol, tx: { ...tx, from: alice } }, [], true],
    ["somebody else gave something", { subject: vault, tx: { ...tx, from: vault } }, [], false],
  ])("are owed a word where %s: case %#", (_, parts, actions, expected) => {
    const of = unwrapped(parts);
    expect(isOwed(of, standing(of, actions))).toBe(expected);
  });

  it("go first where they gave something that is not told", () => {
    const of = unwrapped();
    const order = (which: Unwrapped, ...actions: Candidate[]) => ids(principalFirst(which, standing(which, actions)));
    expect(order(of, theirs, own, foreign, system)).toEqual(["own", "theirs", "foreign", "system"]);
    expect(order(unwrapped({ tx: moved([]) }), theirs, own)).toEqual(["theirs", "own"]);
    expect(order(of, theirs, foreign)).toEqual(["theirs", "foreign"]);
    expect(order(of, own)).toEqual(["own"]);
  });
});

describe("what is taken along", () => {
  it("is the logs of admitted emitters, of the events that the rule absorbs", () => {
    const logs = [
      logAt(vault, ["0xa"], { index: 0 }),
      logAt(bob, ["0xa"], { index: 1 }),
      logAt(vault, ["0xb"], { index: 2 }),
      logAt(bob, ["0xb"], { index: 3 }),
    ];
    const one = candidate("one", {
      rule: {
        absorbs: [
          { event: { hash: "0xa" }, gate: [vault] },
          { event: { hash: "0xb" }, gate: [bob] },
        ] as never,
      },
      context: { logsWith: (topic) => logs.filter(({ topics }) => topics[0] === topic) },
    });
    expect(absorbedLogs(one)).toEqual([0, 3]);
    expect(absorbedLogs(candidate("none"))).toEqual([]);
  });

  it("is the movements beside what is claimed", () => {
    const claimed = new Map([[4, "x"]]);
    expect(withAbsorbed([candidate("a")], claimed)).toBe(claimed);
    const both = withAbsorbed([candidate("a"), candidate("b", { fit: { absorbedMovements: [1, 2] } })], claimed);
    expect([...both.keys()]).toEqual([4, 1, 2]);
  });
});
