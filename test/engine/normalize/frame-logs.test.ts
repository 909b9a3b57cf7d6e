import { describe, expect, it } from "vitest";
import { flattenTrace, tieLogs } from "../../../src/engine/normalize/frames.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { RpcFrame } from "../../../src/model/case-file.ts";
import type { Call, Log } from "../../../src/model/transaction.ts";
import { alice, bob, carol, frame, token, traced, vault } from "../../support/case-of.ts";

describe("the frame of each log", () => {
  const call = (index: number, to: Address | null, parts: Partial<Call> = {}) =>
    ({
      ...{ index, parent: 0, depth: 1, kind: "call", from: alice, to, value: 0n, input: "0x", ok: true },
      ...parts,
    }) as Call;
  const placed = (address: string, at: number, ok = true) => ({ address, call: at, ok });
  const tied = (emitters: Address[], calls: Call[], emitted: ReturnType<typeof placed>[] = []) => {
    const logs = emitters.map((address, index) => ({ address, index, call: -1 }) as unknown as Log);
    tieLogs(logs, calls, emitted);
    return logs.map((log) => log.call);
  };
  const own = [call(0, vault), call(1, token)];

  it.each<[string, number[], Address[], Call[], ReturnType<typeof placed>[]]>([
    ["is where the tracer placed it", [5, 7], [vault, token], own, [placed(vault, 5), placed(token, 7)]],
    ["is the placed one that stood", [7], [token], own, [placed(token, 5, false), placed(token, 7)]],
    ["is its emitter's where the tracer placed fewer", [0, 1], [vault, token], own, [placed(vault, 5)]],
    ["is its emitter's where the tracer placed more", [0], [vault], own, [placed(vault, 5), placed(token, 7)]],
    [
      "is its emitter's where the tracer placed another",
      [0, 1],
      [vault, token],
      own,
      [placed(vault, 5), placed(bob, 7)],
    ],
    ["is its emitter's where the first is another", [0, 1], [vault, token], own, [placed(bob, 5), placed(token, 7)]],
    ["is its emitter's without a tracer's word", [1, 0], [token, vault], own, []],
    ["is nobody's of who did not run", [-1], [bob], own, []],
    ["is nobody's of who ran twice", [-1, 0], [token, vault], [...own, call(2, token)], []],
    ["is nobody's of who ran three times", [-1], [token], [...own, call(2, token), call(3, token)], []],
    ["is the one that did not fail", [1], [token], [...own, call(2, token, { ok: false })], []],
    ["is the one that may write", [1], [token], [...own, call(2, token, { kind: "staticcall" })], []],
    ["is not of code that ran for another", [1], [token], [...own, call(2, token, { kind: "delegatecall" })], []],
    ["is not of old code that ran for another", [1], [token], [...own, call(2, token, { kind: "callcode" })], []],
    [
      "is not of who ran another's code",
      [0],
      [vault],
      [...own, call(2, token, { kind: "delegatecall", from: vault })],
      [],
    ],
    ["is not of what could not be made", [1], [token], [...own, call(2, null, { kind: "create" })], []],
    ["is that of one who was made", [2], [bob], [...own, call(2, bob, { kind: "create" })], []],
  ])("%s", (_what, expected, emitters, calls, emitted) => expect(tied(emitters, calls, emitted)).toEqual(expected));
});

describe("a call tree", () => {
  const outer = { from: alice, to: vault, value: 5n, input: "0x12" as const, creates: false, ok: true };
  const root = {
    index: 0,
    parent: -1,
    depth: 0,
    kind: "call",
    ...{ from: alice, to: vault, value: 5n, input: "0x12", ok: true },
  };
  const flat = (top: RpcFrame, parts: Partial<typeof outer> = {}) =>
    flattenTrace(traced(top), { ...outer, ...parts }, []);
  const plain = { calls: [root], traced: false, emitted: [] };

  it("is the transaction's own call where there is none", () => {
    const none = { source: "none" as const, reason: "none" };
    expect(flattenTrace(none, outer, [])).toEqual(plain);
    const made = flattenTrace(none, { ...outer, creates: true, to: null as never, ok: false }, []);
    expect(made.calls).toEqual([{ ...root, kind: "create", to: null, ok: false }]);
  });

  it("reads each frame, and takes what is missing from the one around it", () => {
    const bare = {
      type: "call",
      from: "0x12",
      calls: [frame(bob, carol, { value: "0x7", input: "0xab" })],
    } as RpcFrame;
    const odd = frame(vault, token, {
      type: "odd",
      error: "reverted",
      calls: [frame(token, bob, { value: undefined as never })],
    });
    const inner = { ...root, parent: 0, depth: 1, value: 0n, input: "0x" };
    expect(flat(frame(alice, vault, { calls: [bare, odd] })).calls).toEqual([
      root,
      { ...inner, index: 1, from: alice, to: null },
      { ...inner, index: 2, parent: 1, depth: 2, from: bob, to: carol, value: 7n, input: "0xab" },
      { ...inner, index: 3, from: vault, to: token, ok: false },
      { ...inner, index: 4, parent: 3, depth: 2, from: token, to: bob, ok: false },
    ]);
    expect(flat(frame(alice, vault, { calls: [bare] }), { ok: false }).calls.map(({ ok }) => ok)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("places logs between the calls of their frames", () => {
    const log = (address: string, position?: string) =>
      ({ address, topics: [], data: "0x", ...(position && { position }) }) as never;
    const inner = frame(vault, token, { error: "reverted", logs: [log(token)] });
    const top = frame(alice, vault, {
      logs: [log(vault.toUpperCase().replace("0X", "0x"), "0x1"), log(bob), log(carol, "0x2")],
      calls: [inner],
    });
    expect(flat(top).emitted).toEqual([
      { address: bob, call: 0, ok: true },
      { address: token, call: 1, ok: false },
      { address: vault, call: 0, ok: true },
    ]);
  });
});
