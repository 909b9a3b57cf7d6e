import { describe, expect, it } from "vitest";
import { CertainCalls, calldataMovements } from "../../../src/engine/unwrap/calldata-movements.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Transaction } from "../../../src/model/transaction.ts";
import type { CompiledUnwrapper } from "../../../src/rules/ruleset/compiled-unwrapper.ts";
import { alice, bob, carol, vault, zero } from "../../support/case-of.ts";
import { context } from "./read-values.ts";

describe("calls that ran as the calldata writes them", () => {
  const call = (id: number, parts: Partial<ActorCall> = {}): ActorCall => ({
    ...{ id, parent: id - 1, via: null, step: null, from: vault, actor: alice, to: bob, value: 5n, input: "0x" },
    ...{ delegate: false, state: "asserted", frame: -1, ...parts },
  });
  const root = call(0, { from: alice, to: vault, state: "executed" });
  const proof = (join: object[] = [{}]) => ({ event: { hash: "0xee" }, join });
  const wrapper = (parts: object = {}) =>
    ({ proof: proof(), gate: { kind: "set" }, bubbles: null, ...parts }) as unknown as CompiledUnwrapper;
  const isCertain = (inner: Partial<ActorCall>, unwrapper: CompiledUnwrapper, outer: Partial<ActorCall> = {}) => {
    const calls = [{ ...root, ...outer }, call(1, inner)] as [ActorCall, ActorCall];
    const certain = new CertainCalls(calls[0]);
    certain.add({ call: calls[1], outer: calls[0], unwrapper, context });
    return certain.has(calls[1], calls);
  };
  const bubbling = (bubbles: boolean, kind = "set") => wrapper({ proof: null, bubbles: () => bubbles, gate: { kind } });

  it("are shown by an event of the wrapper, or fail with it", () => {
    expect(isCertain({}, wrapper())).toBe(true);
    expect(isCertain({}, wrapper(), { state: "failed" })).toBe(false);
    expect(isCertain({ state: "failed" }, wrapper())).toBe(false);
    expect(isCertain({ from: carol }, wrapper())).toBe(false);
    expect(isCertain({ from: alice }, wrapper(), { delegate: true })).toBe(true);
    expect(isCertain({}, wrapper(), { delegate: true })).toBe(false);
    expect([true, false].map((bubbles) => isCertain({}, bubbling(bubbles)))).toEqual([true, false]);
    expect(isCertain({}, wrapper({ proof: null }))).toBe(false);
  });

  it("are an account's own at a wrapper that anybody can write", () => {
    expect(isCertain({}, bubbling(true, "any"))).toBe(false);
    expect(isCertain({}, bubbling(true, "any"), { actor: vault })).toBe(true);
    expect(isCertain({ from: alice }, bubbling(true, "any"), { actor: vault, delegate: true })).toBe(false);
    expect(isCertain({}, wrapper({ gate: { kind: "any" } }))).toBe(true);
  });

  it("are empty if an event does not say which of two calls it is about", () => {
    const calls = [
      root,
      call(1, { parent: 0, to: vault }),
      call(2, { parent: 0 }),
      call(3, { parent: 1 }),
    ] as ActorCall[];
    const [, first, second, third] = calls as [ActorCall, ActorCall, ActorCall, ActorCall];
    const certain = new CertainCalls(root);
    certain.add({ call: first, outer: root, unwrapper: wrapper(), context });
    certain.add({ call: second, outer: root, unwrapper: wrapper({ proof: proof([]) }), context });
    expect(certain.has(second, calls)).toBe(true);
    certain.add({ call: third, outer: first, unwrapper: wrapper({ proof: proof([]) }), context });
    expect([first, second, third].map((one) => certain.has(one, calls))).toEqual([true, false, false]);
  });

  it("carry ether that neither a call tree nor a list shows", () => {
    const moved = (inner: Partial<ActorCall> = {}, parts: object = {}) => {
      const calls = [root, call(1, inner)] as [ActorCall, ActorCall];
      const certain = new CertainCalls(root);
      certain.add({ call: calls[1], outer: root, unwrapper: wrapper(), context });
      const tx = { nativeComplete: false, status: "success", movements: [{}, {}], ...parts } as unknown as Transaction;
      return calldataMovements(tx, calls, certain);
    };
    const native = { standard: "native", token: null, tokenId: null, amount: 5n, from: vault, to: bob };
    expect(moved()).toEqual([{ index: 2, ...native, log: -1, call: -1, fee: false, basis: "calldata" }]);
    for (const change of [
      { value: 0n },
      { delegate: true },
      { state: "executed" },
      { to: null },
      { to: zero },
      { to: vault },
      { from: carol },
    ] as const)
      expect(moved(change)).toEqual([]);
    expect(moved({}, { nativeComplete: true })).toEqual([]);
    expect(moved({}, { status: "reverted" })).toEqual([]);
  });
});
