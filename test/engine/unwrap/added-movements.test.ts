import { describe, expect, it } from "vitest";
import { type CertainCalls, calldataMovements } from "../../../src/engine/unwrap/calldata-movements.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, carol, usdc, vault, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const call = (id: number, parts: Partial<ActorCall> = {}): ActorCall => ({
  ...{ id, parent: id - 1, via: null, step: null, from: alice, actor: alice, to: vault, value: 5n, input: "0x" },
  ...{ delegate: false, state: "asserted", frame: -1 },
  ...parts,
});
const added = (calls: ActorCall[], parts: Partial<Transaction> = {}, uncertain: number[] = []) =>
  calldataMovements(moved([move(usdc, alice, bob, 1n)], { nativeComplete: false, ...parts }), calls, {
    has: ({ id }: ActorCall) => !uncertain.includes(id),
  } as unknown as CertainCalls);

describe("ether that is known by calldata alone", () => {
  it("goes on where the movements end, in the order of the calls, without the transaction's own", () => {
    const calls = [call(0), call(1, { to: bob }), call(2, { from: bob, to: carol, value: 7n }), call(3, { value: 1n })];
    const common = { standard: "native", token: null, tokenId: null, log: -1, call: -1, fee: false, basis: "calldata" };
    expect(added(calls)).toEqual([
      { ...common, index: 1, from: alice, to: bob, amount: 5n },
      { ...common, index: 2, from: bob, to: carol, amount: 7n },
      { ...common, index: 3, from: alice, to: vault, amount: 1n },
    ]);
  });

  it.each<[string, ActorCall, Partial<Transaction>, number[]]>([
    ["all ether is seen", call(1), { nativeComplete: true }, []],
    ["the transaction reverted", call(1), { status: "reverted" }, []],
    ["the call is not certain", call(1), {}, [1]],
    ["it carried none", call(1, { value: 0n }), {}, []],
    ["it ran in the caller's name", call(1, { delegate: true }), {}, []],
    ["the call tree shows it", call(1, { state: "executed" }), {}, []],
    ["it failed", call(1, { state: "failed" }), {}, []],
    ["it made a contract", call(1, { to: null }), {}, []],
    ["it went to nobody", call(1, { to: zero }), {}, []],
    ["it went to itself", call(1, { to: alice }), {}, []],
  ])("is none where %s", (_what, one, parts, uncertain) => {
    const rest = added([call(0), one, call(2, { to: bob })], parts, uncertain);
    const others = parts.nativeComplete !== undefined || parts.status !== undefined ? [] : [[1, bob]];
    expect(rest.map(({ index, to }) => [index, to])).toEqual(others);
  });
});
