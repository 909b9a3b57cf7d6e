import { describe, expect, it } from "vitest";
import { emitterFacts } from "../../../src/engine/match/emitter-facts.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Log, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, vault, zero } from "../../support/case-of.ts";

interface Hinted {
  makers?: string[];
  subjects?: string[];
}

/** An event whose first topic is its name, and whose second is the account that it names. */
const hint = (hash: string) => ({
  event: { hash, read: (topics: string[]) => topics.slice(1) },
  gate: {},
  argument: [0],
});

/** Facts of a transaction. What the token says counts for nothing. */
function facts(parts: object, { makers = [], subjects = [] }: Hinted = {}) {
  const tx = { from: alice, to: vault, logs: [], calls: [], traced: false, ...parts } as unknown as Transaction;
  const calls = [
    { from: carol, to: vault, state: "asserted" },
    { from: carol, to: token, state: "failed" },
    { from: zero, to: zero, state: "asserted" },
  ] as never;
  const gates = { admits: (_gate: unknown, address: Address) => address !== token } as never;
  const known = { accounts: { makers: makers.map(hint) }, subjects: subjects.map(hint), precompiles: [] } as never;
  return emitterFacts({ tx, calls }, known, gates);
}
const log = (index: number, topics: string[] = [], address: Address = vault) =>
  ({ index, address, topics, data: "0x", call: -1 }) as unknown as Log;

describe("a log of a contract that is being made", () => {
  const call = (depth: number, parent: number, parts: object = {}) => ({
    ...{ depth, parent, kind: "call", ok: true, from: alice, to: carol, ...parts },
  });
  const made = { kind: "create2", to: bob };
  const tree = [call(0, -1), call(1, 0), call(2, 1, made), call(3, 2), call(2, 1), call(1, 0), call(2, 5)];
  const births = (calls: object[], address: Address = bob) => {
    const { isBirth } = facts({ calls: calls.map((one, index) => ({ ...one, index })) });
    return calls.flatMap((_, at) => (isBirth({ ...log(0, [], address), call: at } as Log) ? [at] : []));
  };

  it.each<[string, object[], number[]]>([
    ["its maker", tree, [1, 2, 3, 4]],
    ["its maker, the last", tree.slice(0, 5), [1, 2, 3, 4]],
    ["the transaction itself", [call(0, -1, { ...made, kind: "create" }), call(1, 0)], [0, 1]],
    ["no call that failed", tree.map((one) => ({ ...one, ok: false })), []],
    ["no other call", tree.map((one) => ({ ...one, kind: "call" })), []],
    ["nobody", tree.map((one) => ({ ...one, to: null })), []],
  ])("is one inside of the call of %s", (_what, calls, expected) => {
    expect(births(calls)).toEqual(expected);
  });

  it("is one of that contract alone, asked again and again", () => {
    expect(births(tree, carol)).toEqual([]);
    const { isBirth } = facts({ calls: tree.map((one, index) => ({ ...one, index })) });
    const asked = [2, 5, 2, 5].map((at) => isBirth({ ...log(0, [], bob), call: at } as Log));
    expect(asked).toEqual([true, false, true, false]);
    expect(isBirth(log(0, [], bob))).toBe(false);
  });
});

describe("a log of a contract that a known maker tells of", () => {
  const birthsTold = (logs: Log[], hints: Hinted, account: Address = bob) => {
    const { isBirth } = facts({ logs }, hints);
    return [0, 1, 2, 3, 4, 5].filter((index) => isBirth(log(index, [], account)));
  };
  const made = (index: number, by: Address = vault) => log(index, ["made", bob], by);
  const acts = (index: number, by: Address = vault, who: Address = bob) => log(index, ["acts", who], by);
  const both = { makers: ["made"], subjects: ["acts"] };

  it.each<[string, Log[], Hinted, number[]]>([
    ["of before its word", [made(3)], both, [0, 1, 2]],
    ["of before its last word", [made(2), made(4), made(3)], both, [0, 1, 2, 3]],
    ["of before the first word of who has it act", [made(2), acts(3), made(4)], both, [0, 1]],
    ["of before the last word of all others", [made(2), acts(3, carol), made(4)], both, [0, 1, 2, 3]],
    ["unless another one acts", [made(2), acts(3, vault, carol), made(4)], both, [0, 1, 2, 3]],
    ["of before the word of who has it act, whatever others say", [made(4, carol), made(2), acts(3)], both, [0, 1]],
    ["of none where who has it act says no more", [acts(3)], both, []],
    ["of none where nobody is known", [made(3)], {}, []],
    ["of none where a stranger says so", [made(3, token)], both, []],
    ["of none where the event names nobody", [log(3, ["made"])], both, []],
  ])("is one %s", (_what, logs, hints, expected) => {
    expect(birthsTold(logs, hints)).toEqual(expected);
    expect(birthsTold(logs, hints, carol)).toEqual([]);
  });
});

describe("whether an account may have called a contract", () => {
  it.each<[string, object, [Address, Address], boolean, boolean]>([
    ["the sender, the called one", {}, [alice, vault], true, true],
    ["the sender, another one", {}, [alice, bob], false, false],
    ["somebody else", {}, [carol, bob], false, false],
    ["somebody else of whom no call is known", {}, [bob, carol], true, false],
    ["somebody else who calls himself alone", {}, [zero, carol], true, false],
    ["somebody else whose calldata says so", {}, [carol, vault], true, true],
    ["somebody else whose call failed", {}, [carol, token], false, false],
    ["a sender that calls itself", { to: alice }, [alice, bob], true, false],
  ])("is known of senders alone without a call tree: %s", (_what, parts, [account, contract], may, known) => {
    const { mayCall } = facts(parts);
    expect([mayCall(account, contract), mayCall(account, contract, true)]).toEqual([may, known]);
  });

  it("is what the call tree shows", () => {
    const call = (kind: string, from: Address, to: Address, ok = true) => ({ kind, from, to, ok });
    const { mayCall } = facts({
      traced: true,
      calls: [
        ...[call("call", alice, vault), call("call", carol, bob), call("delegatecall", carol, vault)],
        ...[call("call", bob, vault, false), call("staticcall", bob, carol)],
      ],
    });
    const people = [alice, bob, carol, vault];
    const pairs = people.flatMap((one) =>
      people.flatMap((other) => (mayCall(one, other, one === bob) ? [[one, other]] : [])),
    );
    expect(pairs).toEqual([
      [alice, vault],
      [carol, bob],
    ]);
  });
});
