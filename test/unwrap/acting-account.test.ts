import { describe, expect, it } from "vitest";
import { type Address, zeroAddress } from "../../src/kernel/address.ts";
import { approvalForAllTopic, approvalTopic } from "../../src/kernel/token-standards.ts";
import type { ActorCall } from "../../src/model/match.ts";
import type { Transaction } from "../../src/model/transaction.ts";
import { leafCalls, stepsOf } from "../../src/unwrap/call-tree.ts";
import { FrameIndex } from "../../src/unwrap/frame-index.ts";
import { unmarkOwnEther, withFees } from "../../src/unwrap/marked-fees.ts";
import { provenPrincipals } from "../../src/unwrap/principals.ts";
import { asActor, asAddress, type FoundActors, findSubject, givesRights } from "../../src/unwrap/subject.ts";
import { alice, bob, carol, token, usdc, vault } from "../support/case-of.ts";

const movement = (from: Address, to: Address, amount = 5n, parts: object = {}) => ({
  ...{ standard: "native", token: null, tokenId: null, amount, from, to, log: -1, call: -1, fee: false },
  ...{ basis: "transaction", ...parts },
});
const txOf = (parts: { movements?: object[]; [key: string]: unknown } = {}) =>
  ({
    ...{ from: alice, to: vault, logs: [], calls: [], traced: false, weth: new Set() },
    ...parts,
    movements: (parts.movements ?? []).map((one, index) => ({ ...one, index })),
  }) as unknown as Transaction;
const call = (id: number, parts: Partial<ActorCall> = {}): ActorCall => ({
  ...{ id, parent: id - 1, via: null, step: null, from: alice, actor: alice, to: vault, value: 0n, input: "0x" },
  ...{ delegate: false, state: "asserted", frame: -1 },
  ...parts,
});
const log = (...topics: string[]) => ({ address: token, topics, data: `0x${"1".padStart(64, "0")}` });
const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;

describe("the account whose act it is", () => {
  const of = (parts: Partial<FoundActors>, actorOf: [number, Address[]][] = []) =>
    findSubject({
      ...{ tx: txOf(), calls: [call(0)], ungated: new Set<number>(), named: [] },
      actorOf: new Map(actorOf),
      ...parts,
    });

  it("is the one that each wrapper names, one after the other", () => {
    const calls = [call(0), call(1, { actor: bob }), call(2, { actor: carol })];
    expect(of({ calls }, [[0, [bob]]])).toEqual({ subject: bob, actors: [bob] });
    expect(
      of({ calls }, [
        [0, [bob]],
        [1, [carol]],
      ]),
    ).toEqual({ subject: carol, actors: [carol] });
    expect(of({ calls }, [[2, [carol]]])).toEqual({ subject: alice, actors: [alice] });
    expect(of({ calls }, [[1, [carol]]])).toEqual({ subject: alice, actors: [alice] });
  });

  it("is the caller of a wrapper of several, or of several operations of one", () => {
    const calls = [call(0), call(1, { actor: bob }), call(2, { actor: bob })];
    expect(of({ calls }, [[0, [bob, carol]]])).toEqual({ subject: alice, actors: [bob, carol] });
    expect(of({ calls }, [[0, [bob, bob]]])).toEqual({ subject: alice, actors: [bob, bob] });
    expect(
      of({ calls }, [
        [0, [bob]],
        [1, [carol, vault]],
      ]),
    ).toEqual({ subject: bob, actors: [carol, vault] });
    // Inside of a wrapper the same account may act twice.
    expect(
      of({ calls }, [
        [0, [bob]],
        [1, [carol, vault]],
      ]),
    ).toEqual({ subject: bob, actors: [carol, vault] });
    expect(
      of({ calls }, [
        [0, [bob]],
        [1, [carol, carol]],
      ]),
    ).toEqual({ subject: carol, actors: [carol] });
  });

  it("stays the caller of a contract that nobody knows, where the caller has a stake", () => {
    const calls = [call(0), call(1, { actor: bob })];
    const gave = txOf({ movements: [movement(alice, bob)] });
    const ungated = new Set([0]);
    expect(of({ calls, tx: gave, ungated }, [[0, [bob]]])).toEqual({ subject: alice, actors: [alice] });
    expect(of({ calls, tx: gave }, [[0, [bob]]])).toEqual({ subject: bob, actors: [bob] });
    expect(of({ calls, ungated }, [[0, [bob]]])).toEqual({ subject: bob, actors: [bob] });
    const allowed = txOf({ logs: [log(approvalTopic, word(alice), word(bob))] });
    expect(of({ calls, tx: allowed, ungated }, [[0, [bob]]])).toEqual({ subject: alice, actors: [alice] });
  });

  it("is the only one that events name, unless the sender has a stake", () => {
    expect(of({ named: [bob] })).toEqual({ subject: bob, actors: [bob] });
    expect(of({ named: [bob, carol] })).toEqual({ subject: alice, actors: [bob, carol] });
    expect(of({ named: [] })).toEqual({ subject: alice, actors: [alice] });
    const gave = txOf({ movements: [movement(alice, bob)] });
    expect(of({ named: [bob], tx: gave })).toEqual({ subject: alice, actors: [alice] });
    const got = txOf({ movements: [movement(bob, alice)] });
    expect(of({ named: [bob], tx: got })).toEqual({ subject: bob, actors: [bob] });
    expect(of({ named: [bob] }, [[5, [carol]]])).toEqual({ subject: bob, actors: [bob] });
  });

  it.each<[string, ReturnType<typeof log>, boolean]>([
    ["an amount", log(approvalTopic, word(alice), word(bob)), true],
    ["a collection", log(approvalForAllTopic, word(alice), word(bob)), true],
    ["one NFT", log(approvalTopic, word(alice), word(bob), word(carol)), true],
    ["one NFT without data", { ...log(approvalTopic, word(alice), word(bob), word(carol)), data: "0x" }, true],
    ["nothing", { ...log(approvalTopic, word(alice), word(bob)), data: `0x${"0".repeat(64)}` }, false],
    ["nothing at all", { ...log(approvalForAllTopic, word(alice), word(bob)), data: "0x" }, false],
    ["another's", log(approvalTopic, word(bob), word(alice)), false],
    ["another event", log(`0x${"5".repeat(64)}`, word(alice), word(bob)), false],
    ["nobody's", log(approvalTopic, `0x${"f".repeat(64)}`, word(bob)), false],
  ])("gives a right over %s: %#", (_, one, gives) => {
    expect(givesRights(txOf({ logs: [one] }), alice)).toBe(gives);
    expect(givesRights(txOf({ logs: [log("0x12"), one] }), alice)).toBe(gives);
  });

  it("is an address, and not nobody", () => {
    expect([asAddress(bob), asAddress("0x12"), asAddress(5n), asAddress(undefined)]).toEqual([
      bob,
      undefined,
      undefined,
      undefined,
    ]);
    expect([asActor(bob), asActor(zeroAddress)]).toEqual([bob, undefined]);
  });
});

describe("ether that looks like gas", () => {
  const marked = (calls: ActorCall[], parts: object = {}, fees = [0, 1]) => {
    const tx = txOf({
      movements: [movement(bob, carol, 5n, { call: 3 }), movement(bob, carol, 7n, { call: 4 })],
      ...parts,
    });
    const set = new Set(fees);
    unmarkOwnEther({ tx, calls, fees: set });
    return [...set];
  };
  const own = call(1, { from: bob, actor: bob, to: carol, value: 7n, frame: 3 });

  it("is none where the account sent it by a call of its own", () => {
    expect(marked([own])).toEqual([0]);
    expect(marked([own], { traced: true })).toEqual([1]);
    expect(marked([{ ...own, frame: 4 }], { traced: true })).toEqual([0]);
    expect(marked([own, { ...own, value: 5n }])).toEqual([]);
    for (const change of [
      { actor: alice },
      { value: 0n },
      { delegate: true },
      { to: vault },
      { value: 6n },
      { from: carol, actor: carol },
    ])
      expect(marked([{ ...own, ...change }])).toEqual([0, 1]);
    expect(marked([own], {}, [0])).toEqual([0]);
    expect(marked([own], {}, [])).toEqual([]);
    expect(marked([{ ...own, value: 0n, frame: 3 }], { traced: true })).toEqual([0, 1]);
  });

  it("is marked in the movements, which stay as they are where there is none", () => {
    const { movements } = txOf({ movements: [movement(bob, carol), movement(bob, vault)] });
    expect(withFees(movements, new Set())).toBe(movements);
    expect(withFees(movements, new Set([1])).map(({ fee }) => fee)).toEqual([false, true]);
  });
});

describe("the calls of a transaction", () => {
  it("end in those that hold no further ones; steps are part of their call", () => {
    const step = (id: number, parent: number) => call(id, { parent, step: "swap" });
    const ids = (calls: ActorCall[]) => leafCalls(calls).map(({ id }) => id);
    expect(ids([call(0)])).toEqual([0]);
    expect(ids([step(0, -1)])).toEqual([]);
    expect(ids([call(0), call(1)])).toEqual([1]);
    expect(ids([call(0), call(1, { parent: 0 }), call(2, { parent: 0 })])).toEqual([1, 2]);
    expect(ids([call(0), step(1, 0), step(2, 0)])).toEqual([0]);
    expect(ids([call(0), step(1, 0), call(2, { parent: 1 })])).toEqual([2]);
    expect(
      ids([call(0), call(1, { parent: 0 }), call(2, { parent: 1 }), call(3, { parent: 1 }), call(4, { parent: 0 })]),
    ).toEqual([2, 3, 4]);
  });

  it("carry steps, and those of programs inside of them", () => {
    const step = (id: number, parent: number) => call(id, { parent, step: "swap" });
    const calls = [call(0), step(1, 0), step(2, 1), call(3, { parent: 1 }), step(4, 3), step(5, 0)];
    expect(stepsOf(calls, calls[0] as ActorCall)).toEqual([1, 2, 5]);
    expect(stepsOf(calls, calls[3] as ActorCall)).toEqual([4]);
    expect(stepsOf(calls, calls[1] as ActorCall)).toEqual([]);
    expect(stepsOf([call(0), call(1)], call(0))).toEqual([]);
  });
});

describe("frames of a call tree", () => {
  const frames = (...parts: object[]) =>
    new FrameIndex(
      txOf({
        traced: true,
        calls: [{}, ...parts].map((one, index) => ({ index, from: alice, to: vault, input: "0x", ...one })),
      }),
    );
  const take = (index: FrameIndex, parts: Partial<ActorCall> = {}, batch: Address = carol) =>
    index.take(call(1, parts), batch)?.index;

  it("are taken once each, in order, and never the transaction's own", () => {
    const both = frames({}, {});
    expect([take(both), take(both), take(both)]).toEqual([1, 2, undefined]);
    expect(take(frames())).toBeUndefined();
    expect(
      take(new FrameIndex(txOf({ calls: [{}, { index: 1, from: alice, to: vault, input: "0x" }] }))),
    ).toBeUndefined();
  });

  it("are of the caller, of the batch contract, of the contract itself, or with the signer behind the calldata", () => {
    expect(take(frames({ input: "0x12" }))).toBeUndefined();
    expect(take(frames({ to: bob }))).toBeUndefined();
    expect(take(frames({ from: carol }))).toBe(1);
    expect(take(frames({ from: carol }), {}, bob)).toBeUndefined();
    expect(take(frames({ from: vault }))).toBe(1);
    expect(take(frames({ input: `0x12${bob.slice(2)}` }), { input: "0x12", actor: bob })).toBe(1);
    const each = frames({ input: `0x${alice.slice(2)}` }, { from: vault }, { from: carol }, {});
    expect([take(each), take(each), take(each), take(each), take(each)]).toEqual([4, 3, 2, 1, undefined]);
  });
});

describe("whose authority was used", () => {
  const accounts = { code: new Set([usdc]) };
  const of = (parts: object, named: Address[] = []) =>
    [
      ...provenPrincipals({
        tx: txOf({ authorizations: [], ...parts }),
        subject: bob,
        ruleset: { signers: [], accounts } as never,
        gates: {} as never,
        named,
      }),
    ].slice(2);
  const proxy = { kind: "call", ok: true, from: alice, to: vault, input: "0x12", parent: -1 };
  const inner = { ...proxy, kind: "delegatecall", from: vault, to: usdc, parent: 0 };

  it("is the sender's, the subject's, and that of signers and named accounts", () => {
    expect([
      ...provenPrincipals({
        tx: txOf({ authorizations: [] }),
        subject: bob,
        ruleset: { signers: [], accounts } as never,
        gates: {} as never,
        named: [],
      }),
    ]).toEqual([alice, bob]);
    expect(of({ authorizations: [{ authority: undefined }, { authority: carol }] }, [vault])).toEqual([carol, vault]);
  });

  it("is that of accounts whose proxy hands a call on to known code", () => {
    expect(of({ traced: true, calls: [proxy, inner] })).toEqual([vault]);
    expect(of({ calls: [proxy, inner] })).toEqual([]);
    for (const change of [
      { kind: "call" },
      { ok: false },
      { to: token },
      { to: null },
      { from: carol },
      { input: "0x13" },
    ])
      expect(of({ traced: true, calls: [proxy, { ...inner, ...change }] })).toEqual([]);
  });
});
