import { describe, expect, it } from "vitest";
import { asActor, asAddress, type FoundActors, findSubject, givesRights } from "../../../src/engine/unwrap/subject.ts";
import { type Address, zeroAddress } from "../../../src/kernel/address.ts";
import { approvalForAllTopic, approvalTopic } from "../../../src/kernel/token-standards.ts";
import { alice, bob, carol, token, vault } from "../../support/case-of.ts";
import { call, movement, txOf } from "./made-transaction.ts";

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

  it("stays the caller of an unknown contract, if the caller has a stake", () => {
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

  it("is an address, and not the zero address", () => {
    expect([asAddress(bob), asAddress("0x12"), asAddress(5n), asAddress(undefined)]).toEqual([
      bob,
      undefined,
      undefined,
      undefined,
    ]);
    expect([asActor(bob), asActor(zeroAddress)]).toEqual([bob, undefined]);
  });
});
