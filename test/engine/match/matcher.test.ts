import { describe, expect, it } from "vitest";
import { match } from "../../../src/engine/match/match.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const always = { premise: () => true, kind: () => true, where: () => true };
const any = { kind: "any" };
const only = (...addresses: Address[]) => ({ kind: "set", addresses: new Set(addresses) });
const gates = {
  admits: (gate: { addresses?: Set<Address> }, address: Address) => gate.addresses?.has(address) ?? true,
} as never;
const rule = (id: string, anchor: object, parts: object = {}) => ({
  ...{ id, anchor, status: "success", actsFor: null, legsFirst: false, control: false, who: [], legs: [], flow: null },
  ...{ ...always, exchanges: false, specificity: { place: 0 }, tier: 0, ...parts },
});
type Rule = ReturnType<typeof rule>;
/** Rules by what they lie under. */
function rulesetOf(under: Record<string, [string, Rule[]][] | Rule[]>) {
  const maps = ["byTopic", "bySelector", "byTarget", "byParty"].map((name) => [name, new Map(under[name] as never)]);
  const lists = { unanchored: under.unanchored ?? [], authorized: under.authorized ?? [] };
  const known = { grants: { calls: new Map() }, accounts: { makers: [] }, subjects: [] };
  return { ...Object.fromEntries(maps), ...lists, ...known } as never;
}

interface World {
  tx?: Partial<Transaction>;
  moves?: Movement[];
  calls?: Partial<ActorCall>[];
  certain?: number[];
  logs?: object[];
}
/** The candidates for an act of alice: each rule with its logs and calls. By default a call is hers to the vault. */
function found(
  under: Parameters<typeof rulesetOf>[0],
  { tx = {}, moves = [], calls = [{}], certain = [], ...more }: World = {},
) {
  const logs = (more.logs ?? []).map((log, index) => ({ ...{ index, address: vault, data: "0x1", call: -1 }, ...log }));
  const own = { from: alice, actor: alice, to: vault, value: 0n, input: "0xaaaaaaaa", delegate: false };
  const unwrapped = {
    tx: moved(moves, { authorizations: [], logs: logs as never, ...tx }),
    calls: calls.map((call, id) => ({
      ...{ id, parent: -1, via: null, step: null, state: "executed", frame: -1 },
      ...own,
      ...call,
    })),
    ...{ subject: alice, actors: [alice], principals: new Set([alice]), certain: new Set(certain), truncated: [] },
  };
  const { candidates } = match(unwrapped as never, rulesetOf(under), gates);
  return candidates.map(({ rule: one, logs: at, calls: of, movements }) => [one.id, at, of, movements]);
}
const ids = (...given: Parameters<typeof found>) => found(...given).map(([id]) => id);

describe("rules about an event", () => {
  const read = (_topics: unknown, data: string) => (data === "0x" ? undefined : [data]);
  const said = (gate: object = any, companion: object | null = null) => ({
    ...{ kind: "event", event: { hash: "0x1111", topics: 1, read }, gate, companion },
  });
  const log = { topics: ["0x1111"] };
  const readCall = (input: string) => (input.length > 10 ? undefined : [input]);
  const beside = { call: [{ hash: "0xaaaaaaaa", read: readCall }], gate: any };
  const plain = [["0x1111", [rule("it", said())]]] as [string, Rule[]][];
  const with2 = (companion: object = beside, parts: object = {}) =>
    ({ byTopic: [["0x1111", [rule("it", said(any, companion), parts)]]] }) as { byTopic: [string, Rule[]][] };

  it("are tried on each log that can be read, of a contract that they admit", () => {
    expect(found({ byTopic: plain }, { logs: [log, log] })).toEqual([
      ["it", [0], [], []],
      ["it", [1], [], []],
    ]);
    expect(found({ byTopic: plain }, { logs: [{ ...log, data: "0x" }] })).toEqual([]);
    const either = { kind: "either", gates: [only(bob), any], addresses: new Set([bob]) };
    const gated = { byTopic: [["0x1111", [rule("it", said(either))]]] as [string, Rule[]][] };
    expect(found(gated, { logs: [log, { ...log, address: bob }] })).toEqual([["it", [1], [], []]]);
  });

  it.each<[string, string[], World, object?]>([
    ["the subject's", ["it"], {}],
    ["nobody's", [], { calls: [] }],
    ["another's", [], { calls: [{ actor: bob }] }],
    ["one that failed", [], { calls: [{ state: "failed" }] }],
    ["of another function", [], { calls: [{ input: "0xbbbbbbbb" }] }],
    ["one that cannot be read", [], { calls: [{ input: "0xaaaaaaaa00" }] }],
    ["without a function", [], { calls: [{ input: "0x" }] }],
    ["one of two", ["it"], { calls: [{ input: "0xbbbbbbbb" }, {}] }],
    ["none of two", [], { calls: [{ input: "0xbbbbbbbb" }, { input: "0x" }] }],
    ["the first of two that fit", ["it"], { calls: [{}, {}] }],
    ["at a contract that is admitted", ["it"], {}, { ...beside, gate: only(vault) }],
    ["at another contract", [], {}, { ...beside, gate: only(bob) }],
    [
      "of one of several functions",
      ["it"],
      {},
      { ...beside, call: [{ ...beside.call[0], hash: "0xbbbbbbbb" }, ...beside.call] },
    ],
  ])("may ask for a call beside it: %s", (_what, expected, world, companion = beside) => {
    expect(ids(with2(companion), { ...world, logs: [log] })).toEqual(expected);
  });

  it("try each call until one fits", () => {
    const where = ({ call }: { call: ActorCall }) => call.id === 1;
    expect(ids(with2(beside, { where }), { calls: [{}, {}, {}], logs: [log, log] })).toEqual(["it", "it"]);
  });
});

describe("rules about a call", () => {
  const item = (parts: object = {}) => ({
    hash: "0xaaaaaaaa",
    step: false,
    read: (input: string) => (input.length > 12 ? undefined : [input]),
    ...parts,
  });
  const anchor = (call: object | null = item(), gate: object = any) => ({ kind: "call", call, gate });
  const by = (parts: object = {}, of: object = anchor()) => ({
    bySelector: [["0xaaaaaaaa", [rule("it", of, parts)]]] as [string, Rule[]][],
  });
  const at = (parts: object = {}) => ({
    byTarget: [[vault, [rule("any", anchor(null), parts)]]] as [string, Rule[]][],
  });
  const failed = { calls: [{ state: "failed" as const }] };
  const reverted = { ...failed, tx: { status: "reverted" as const } };
  const claimed = { calls: [{ state: "asserted" as const }] };
  const traced = (call: object = {}): World => ({
    tx: {
      traced: true,
      calls: [
        {},
        {
          ...{
            index: 1,
            parent: 0,
            depth: 1,
            kind: "call",
            ok: true,
            from: bob,
            to: vault,
            value: 0n,
            input: "0xaaaaaaaa",
          },
          ...call,
        },
      ] as never,
    },
    calls: [],
  });
  const acts = { actsFor: () => bob };

  it.each<[string, string[], Parameters<typeof rulesetOf>[0], World]>([
    ["by its function", ["it"], by(), {}],
    ["by its contract", ["any"], at(), {}],
    ["by both", ["it", "any"], { ...by(), ...at() }, {}],
    ["not where nothing is called", [], by(), { calls: [{ to: null }] }],
    ["not where it failed", [], { ...by(), ...at() }, failed],
    ["not where it cannot be read", [], by(), { calls: [{ input: "0xaaaaaaaa0000" }] }],
    ["by its contract, where it cannot be read", ["any"], at(), { calls: [{ input: "0xaaaaaaaa0000" }] }],
    ["where all failed, as an attempt", ["it"], by({ status: "reverted" }), reverted],
    ["not a success where all failed", [], by(), reverted],
    ["not an attempt where it succeeded", [], by({ status: "reverted" }), {}],
    ["not at another contract", [], by({}, anchor(item(), { ...any, addresses: new Set([bob]) })), {}],
    ["not of others", [], by(), { calls: [{ actor: bob }] }],
    ["of others, for whom it is", ["it"], by(acts), { calls: [{ actor: bob }] }],
    [
      "an attempt for whomever it was",
      ["it"],
      by({ status: "reverted" }),
      { ...reverted, calls: [{ state: "failed", actor: bob }] },
    ],
    [
      "no attempt of others within",
      [],
      by({ status: "reverted" }),
      { ...reverted, calls: [{ input: "0x" }, { state: "failed", actor: bob }] },
    ],
    ["not by calldata alone", [], by(), claimed],
    ["by calldata that is certain", ["it"], by(), { ...claimed, certain: [0] }],
    ["by calldata beside money", ["it"], by({ flow: { gives: null, gets: null } }), claimed],
    ["an attempt by calldata alone", ["it"], by({ status: "reverted" }), { ...claimed, tx: { status: "reverted" } }],
    ["no step where it is called", [], by({}, anchor(item({ step: true }))), {}],
    ["a step", ["it"], by({}, anchor(item({ step: true }))), { calls: [{ step: "swap" }] }],
    ["a step by its name alone", [], at(), { calls: [{ step: "swap" }] }],
    ["for whom it is, by the call tree", ["it"], by(acts), traced()],
    ["of a contract that is called for somebody, by the call tree", ["any"], at(acts), traced()],
    ["nobody's own, by the call tree", [], by(), traced()],
    [
      "not the subject's by the call tree",
      [],
      { bySelector: [["0xaaaaaaaa", [rule("it", anchor()), rule("for", anchor(), { actsFor: () => undefined })]]] },
      traced({ from: alice }),
    ],
  ])("find it %s", (_what, expected, under, world) => expect(ids(under, world)).toEqual(expected));

  it("claim no call that only the call tree shows", () => {
    expect(found(by(acts), traced())).toEqual([["it", [], [], []]]);
    expect(found(by())).toEqual([["it", [], [0], []]]);
  });
});

describe("rules about a transfer", () => {
  const anchor = (parts: object = {}) => ({ kind: "transfer", from: any, to: any, standards: [], ...parts });
  const by = (of: object = anchor(), parts: object = {}) => ({
    byParty: [[vault, [rule("it", of, parts)]]] as [string, Rule[]][],
  });
  const pays = move(usdc, alice, vault, 5n);
  const listed = { listed: new Set([usdc]) };
  it.each<[string, Parameters<typeof rulesetOf>[0], Movement, World, boolean]>([
    ["to the party", by(), pays, {}, true],
    ["from the party", by(), move(usdc, vault, alice, 5n), {}, true],
    ["of others", by(), move(usdc, bob, vault, 5n), {}, false],
    ["of others, for whom it is", by(anchor(), { actsFor: () => bob }), move(usdc, bob, vault, 5n), {}, true],
    ["of a fee", by(), { ...pays, fee: true }, {}, false],
    ["of nothing", by(), { ...pays, amount: 0n }, {}, false],
    ["of ether", by(), move(null, alice, vault, 5n), {}, true],
    ["of a stranger's token", by(), { ...pays, token }, {}, false],
    ["of one that somebody called", by(), { ...pays, token }, { calls: [{ to: token, actor: bob }] }, true],
    ["of its standard", by(anchor({ standards: ["erc20"] })), pays, {}, true],
    ["of another standard", by(anchor({ standards: ["erc721"] })), pays, {}, false],
    ["from another", by(anchor({ from: only(bob) })), pays, {}, false],
    ["to another", by(anchor({ to: only(bob) })), pays, {}, false],
    ["between both", by(anchor({ from: only(alice), to: only(vault) })), pays, {}, true],
  ])("find one %s: %#", (_what, under, one, world, expected) => {
    expect(found(under, { moves: [one], tx: listed, ...world })).toEqual(expected ? [["it", [], [], [0]]] : []);
  });
});

describe("rules about an authorization", () => {
  const by = (clears: boolean, signed: boolean) =>
    rule(`${clears} ${signed}`, { kind: "authorization", clears, signed });
  const authorized = [by(false, true), by(true, true), by(false, false), by(true, false), rule("other", any)];
  it.each<[string, object]>([
    ["false true", { authority: alice, delegate: bob }],
    ["true true", { authority: alice, delegate: zero }],
    ["false false", { authority: null, delegate: bob }],
    ["true false", { authority: null, delegate: zero }],
  ])("find it by whether it clears and is signed: %s", (expected, one) => {
    expect(ids({ authorized }, { tx: { authorizations: [one] as never } })).toEqual([expected]);
  });
});

describe("rules without an anchor", () => {
  const gives = { min: 1, max: 1, kind: "any", unseen: false, others: true, token: null };
  const unanchored = [rule("gives", { kind: "none" }, { flow: { gives, gets: null } }), rule("any", { kind: "none" })];
  it("are tried on the flow that they may fit", () => {
    expect(ids({ unanchored })).toEqual(["any"]);
    expect(ids({ unanchored }, { moves: [move(usdc, alice, carol, 5n)] })).toEqual(["gives", "any"]);
    expect(ids({ unanchored }, { moves: [move(usdc, carol, alice, 5n)] })).toEqual(["any"]);
  });
});
