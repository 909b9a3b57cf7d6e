import { describe, expect, it } from "vitest";
import { judgeDrainers } from "../../../src/engine/assess/assess.ts";
import type { Examined } from "../../../src/engine/assess/examined/examine.ts";
import { judgeFailure } from "../../../src/engine/assess/failure.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { checksum } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Call, Log, Movement, Transaction } from "../../../src/model/transaction.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

/** An event whose log holds its arguments as JSON instead of encoded data. */
const event = (hash: string) => ({ hash, read: (_topics: unknown, data: string) => JSON.parse(data) ?? undefined });
const operation = {
  ...{ event: event("0xop"), contracts: new Set([vault]), account: 0, success: 1 },
  what: { parts: ["the operation of ", { name: "account" }, "!"] },
};
const own = { event: event("0xown"), contracts: null, account: null, success: null, what: { parts: ["the call"] } };
const emitters = { ...own, event: event("0xemit"), success: 0, what: { parts: ["its call"] } };

const log = (topic: string, address = vault, args: unknown = [alice, false]): Partial<Log> => ({
  ...{ address, topics: [topic as never], data: JSON.stringify(args) as never },
});

interface World {
  logs?: Partial<Log>[];
  moves?: Movement[];
  tx?: Partial<Transaction>;
  calls?: Partial<ActorCall>[];
}

function actOf({ logs = [], moves = [], tx = {}, calls = [] }: World): SubjectAct {
  const placed = logs.map((one, index) => ({ ...one, index })) as Log[];
  return {
    ...{ tx: moved(moves, { mode: "mined", logs: placed, ...tx }), subject: alice, calls },
    ruleset: { failures: [operation, own, emitters] },
  } as unknown as SubjectAct;
}

type Phrase = Parameters<typeof state>[0];
const flag = { flag: "transaction_reverted", address: null, role: null };
const told = (id: Phrase, fill: object, evidence: string[]) => [
  { ...flag, statement: state(id, fill as never), basis: "inner_call_failed", evidence },
];
const operations = `the operation of ${checksum(alice)}!`;

describe("a transaction that failed", () => {
  const reverted = (mode: Transaction["mode"]) => judgeFailure(actOf({ tx: { mode, status: "reverted" } }));
  const whole = { ...flag, basis: "receipt", evidence: ["receipt"] };
  it("is told for a mined or a simulated transaction, but not without a simulation", () => {
    expect(reverted("mined")).toEqual([{ ...whole, statement: state("flag.reverted", {}) }]);
    expect(reverted("simulated")).toEqual([{ ...whole, statement: state("preview.flag_reverted", {}) }]);
    expect(reverted("requested")).toEqual([]);
  });
});

describe("a failure inside that a contract tells of", () => {
  const [failed, vain] = ["flag.failed_inside", "flag.failed_without_effect"] as const;
  const pays = move(usdc, alice, bob, 1n);
  it.each<[string, World, object[]]>([
    ["is none without logs", {}, []],
    ["is none of other events", { logs: [log("0xother")] }, []],
    ["had no effect", { logs: [log("0xop")] }, told(vain, { what: operations }, ["log 0"])],
    ["stands beside what moved", { logs: [log("0xop")], moves: [pays] }, told(failed, { what: operations }, ["log 0"])],
    [
      "stands beside what came in",
      { logs: [log("0xop")], moves: [move(usdc, bob, alice, 1n)] },
      told(failed, { what: operations }, ["log 0"]),
    ],
    [
      "had no effect beside what others moved",
      { logs: [log("0xop")], moves: [move(usdc, bob, carol, 1n)] },
      told(vain, { what: operations }, ["log 0"]),
    ],
    [
      "had no effect beside a fee",
      { logs: [log("0xop")], moves: [{ ...pays, fee: true }] },
      told(vain, { what: operations }, ["log 0"]),
    ],
    [
      "had no effect beside nothing",
      { logs: [log("0xop")], moves: [{ ...pays, amount: 0n }] },
      told(vain, { what: operations }, ["log 0"]),
    ],
    [
      "may have moved ether unseen",
      { logs: [log("0xop")], tx: { nativeComplete: false } },
      told(failed, { what: operations }, ["log 0"]),
    ],
    ["is not of another's operation", { logs: [log("0xop", vault, [bob, false])] }, []],
    ["is not of an operation that succeeded", { logs: [log("0xop", vault, [alice, true])] }, []],
    ["is not what a stranger says", { logs: [log("0xop", bob)] }, []],
    ["is not what cannot be read", { logs: [log("0xop", vault, null)] }, []],
    [
      "is the first of them",
      { logs: [log("0xop", vault, [bob, false]), log("0xop"), log("0xop")] },
      told(vain, { what: operations }, ["log 1"]),
    ],
    ["is what the account itself says", { logs: [log("0xown", alice)] }, told(failed, { what: "the call" }, ["log 0"])],
    [
      "is what it says, though it cannot be read",
      { logs: [log("0xown", alice, null)] },
      told(failed, { what: "the call" }, ["log 0"]),
    ],
    ["is not what another says of itself", { logs: [log("0xown", bob)] }, []],
    [
      "is what the account says is false",
      { logs: [log("0xemit", alice, [false])] },
      told(vain, { what: "its call" }, ["log 0"]),
    ],
    ["is not what it says is true", { logs: [log("0xemit", alice, [true])] }, []],
    ["is not what another says is false", { logs: [log("0xemit", bob, [false])] }, []],
    [
      "is what the rules name first",
      { logs: [log("0xown", alice), log("0xop")] },
      told(vain, { what: operations }, ["log 1"]),
    ],
  ])("%s", (_what, world, expected) => expect(judgeFailure(actOf(world))).toEqual(expected));

  it("is told in the words of a simulation", () => {
    const simulated = (moves: Movement[]) =>
      judgeFailure(actOf({ logs: [log("0xop")], moves, tx: { mode: "simulated" } }));
    expect(simulated([])).toEqual(told("preview.flag_failed_without_effect", { what: operations }, ["log 0"]));
    expect(simulated([pays])).toEqual(told("preview.flag_failed_inside", { what: operations }, ["log 0"]));
  });
});

describe("calls that failed inside", () => {
  const frame = { ok: false, from: vault, to: token, input: "0x12" } as unknown as Call;
  const call = {
    id: 4,
    parent: -1,
    via: "batch",
    actor: alice,
    from: vault,
    to: token,
    input: "0x12",
    state: "failed",
  };
  const world = (call1: object = {}, frame1: object = {}, tx: object = {}): World => ({
    calls: [{ ...call, ...call1 }] as Partial<ActorCall>[],
    tx: { traced: true, calls: [{ ...frame, ...frame1 }], ...tx },
  });
  const fill = { count: 1, account: alice, first: token };
  const found = told("flag.calls_failed", fill, ["call 4"]);
  it.each<[string, World, object[]]>([
    ["are told", world(), found],
    [
      "are told of a simulation",
      world({}, {}, { mode: "simulated" }),
      told("preview.flag_calls_failed", fill, ["call 4"]),
    ],
    ["are not known without a call tree", world({}, {}, { traced: false }), []],
    ["are not the transaction's own", world({ via: null }), []],
    ["are not those of others", world({ actor: bob }), []],
    ["are none that ran", world({ state: "executed" }), []],
    ["are none that the tree shows as done", world({}, { ok: true }), []],
    ["are none that the tree does not show from there", world({}, { from: bob }), []],
    ["are none that the tree does not show to there", world({}, { to: bob }), []],
    ["are none that the tree shows with other input", world({}, { input: "0x13" }), []],
    [
      "may be creations",
      world({ to: null }, { to: null }),
      told("flag.calls_failed", { ...fill, first: alice }, ["call 4"]),
    ],
  ])("%s", (_what, given, expected) => expect(judgeFailure(actOf(given))).toEqual(expected));

  it("are counted, without those inside of them", () => {
    const calls = [
      { ...call, id: 0 },
      { ...call, id: 1, parent: 0 },
      { ...call, id: 2, parent: 3 },
      { ...call, id: 3, state: "executed" },
    ];
    const both = judgeFailure(actOf({ ...world(), calls: calls as Partial<ActorCall>[] }));
    expect(both).toEqual(told("flag.calls_failed", { ...fill, count: 2 }, ["call 0", "call 2"]));
  });
});

describe("addresses that a drainer list names", () => {
  const one = (address: Examined["address"]): Examined => ({
    ...{ address, roles: ["spender", "called"], selector: null, account: alice, dealt: true },
  });
  const judged = (hits: object[] | null) => {
    const lists = [
      { name: "dated", snapshot_time: "2026-01-02T03:04:05.000Z" },
      { name: "bare", snapshot_time: null },
    ];
    const risk = hits === null ? undefined : { drainers: { lists, hits } };
    return judgeDrainers([one(bob), one(carol)], { file: { risk } } as unknown as SubjectAct);
  };
  const party = (address: Examined["address"]) => state("role.spender", { address });
  const hit = (address: Examined["address"], list: string, statement: object) => ({
    ...{ flag: "known_drainer", statement, address, role: "spender", basis: list, evidence: ["lookup drainers"] },
  });

  it("are told once for each list, in the order of the examined addresses", () => {
    const hits = [
      ...[
        { address: carol, list: "bare" },
        { address: token, list: "dated" },
      ],
      ...[
        { address: bob, list: "dated" },
        { address: bob, list: "gone" },
      ],
    ];
    expect(judged(hits)).toEqual([
      hit(bob, "dated", state("flag.drainer_dated", { party: party(bob), list: "dated", date: "2026-01-02" })),
      hit(bob, "gone", state("flag.drainer", { party: party(bob), list: "gone" })),
      hit(carol, "bare", state("flag.drainer", { party: party(carol), list: "bare" })),
    ]);
  });

  it("do not exist without hits, or without lookups", () => expect([judged([]), judged(null)]).toEqual([[], []]));
});
