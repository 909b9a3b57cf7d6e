import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Call } from "../../../src/model/transaction.ts";
import { alice, bob, carol, vault, zero } from "../../support/case-of.ts";
import { inner, outerInput, unwrapped, type World, wrapper } from "./wrapper-world.ts";

const told = ({ parent, via, from, actor, to, state }: ActorCall) => [parent, via, from, actor, to, state];
const callsOf = (...given: Parameters<typeof unwrapped>) => unwrapped(...given).calls.map(told);
const root = (state: string) => [-1, null, alice, alice, vault, state];
const held = (state: string, to = carol, actor = alice) => [0, "wrap", vault, actor, to, state];
const opaque = [root("opaque")];
const failed = { status: "reverted" as const };

describe("a call that holds others", () => {
  it.each<[string, unknown[][], object[], World]>([
    ["of no wrapper is alone", [root("executed")], [], {}],
    ["is taken apart", [root("executed"), held("asserted")], [wrapper([inner()])], {}],
    [
      "may hold several",
      [root("executed"), held("asserted"), held("asserted", bob)],
      [wrapper([inner(), inner(bob)])],
      {},
    ],
    ["may hold nothing", [root("executed")], [wrapper([])], {}],
    [
      "is not taken apart at a stranger",
      [[-1, null, alice, alice, bob, "executed"]],
      [wrapper([inner()])],
      { tx: { to: bob } },
    ],
    [
      "is not taken apart where it makes a contract",
      [[-1, null, alice, alice, null, "executed"]],
      [wrapper([inner()])],
      { tx: { to: null } },
    ],
    ["holds no call of nobody", [root("executed")], [wrapper([inner("0x12"), inner(carol, { data: 5n })])], {}],
    ["holds calls that failed with it", [root("failed"), held("failed")], [wrapper([inner()])], { tx: failed }],
    [
      "holds calls that are asked for",
      [root("asserted"), held("asserted")],
      [wrapper([inner()])],
      { tx: { ...failed, mode: "requested" } },
    ],
    [
      "is opaque where it cannot be read",
      opaque,
      [wrapper([inner()], { call: { ...wrapper([]).call, read: () => undefined } })],
      {},
    ],
    ["is opaque where more follows it", opaque, [wrapper([inner()])], { tx: { input: `${outerInput}00` } }],
    ["is opaque where its list cannot be read", opaque, [wrapper(5n)], {}],
    ["stays failed where it cannot be read", [root("failed")], [wrapper(5n)], { tx: failed }],
    [
      "is plain where any contract may be such a wrapper",
      [root("executed")],
      [wrapper(5n, { gate: { kind: "any" } })],
      {},
    ],
    [
      "is opaque where such a wrapper names an actor",
      opaque,
      [wrapper(5n, { gate: { kind: "any" }, actor: () => bob })],
      {},
    ],
    [
      "is read by the first condition that holds",
      [root("executed"), held("asserted", bob)],
      [wrapper([inner()], { when: () => false }), wrapper([inner(bob)])],
      {},
    ],
    ["is plain where no condition holds", [root("executed")], [wrapper([inner()], { when: () => false })], {}],
    [
      "is read by the first that reads it",
      [root("executed"), held("asserted", bob)],
      [wrapper(5n), wrapper([inner(bob)]), wrapper([inner()])],
      {},
    ],
    [
      "is no step of a program",
      [root("executed")],
      [wrapper([inner()], { call: { ...wrapper([]).call, step: true } })],
      {},
    ],
    [
      "names whose act it holds",
      [root("executed"), held("asserted", carol, bob)],
      [wrapper([inner()], { actor: () => bob })],
      {},
    ],
    ["names nobody by nothing", [root("executed"), held("asserted")], [wrapper([inner()], { actor: () => zero })], {}],
  ])("%s", (_what, expected, wrappers, world) => expect(callsOf(wrappers, world)).toEqual(expected));

  it("hands on value, data, and that code runs as its own", () => {
    const items = [
      inner(),
      inner(carol, { value: undefined, delegate: true }),
      inner(carol, { delegate: 1n }),
      inner(carol, { delegate: 2n }),
    ];
    const { calls } = unwrapped([wrapper(items)]);
    expect(
      calls.slice(1).map(({ id, value, input, delegate, step, frame }) => [id, value, input, delegate, step, frame]),
    ).toEqual([
      ...[
        [1, 3n, "0xbbbbbbbb", false, null, -1],
        [2, 0n, "0xbbbbbbbb", true, null, -1],
      ],
      ...[
        [3, 3n, "0xbbbbbbbb", true, null, -1],
        [4, 3n, "0xbbbbbbbb", false, null, -1],
      ],
    ]);
    const plain = wrapper([inner()]);
    const bare = unwrapped([{ ...plain, inner: { ...plain.inner, from: () => undefined, delegate: null } }]).calls[1];
    expect([bare?.from, bare?.delegate]).toEqual([alice, false]);
  });

  it("is confirmed by the call tree", () => {
    const frame = (parts: object = {}) =>
      ({
        index: 1,
        parent: 0,
        depth: 1,
        kind: "call",
        from: vault,
        to: carol,
        value: 3n,
        input: "0xbbbbbbbb",
        ok: true,
        ...parts,
      }) as Call;
    const top = {
      ...frame(),
      index: 0,
      parent: -1,
      depth: 0,
      from: alice,
      to: vault,
      value: 0n,
      input: outerInput,
    } as Call;
    const by = (...calls: Call[]) =>
      unwrapped([wrapper([inner()])], { tx: { traced: true, calls: [top, ...calls] } }).calls[1];
    expect([by(frame()), by(frame({ ok: false })), by()].map((one) => [one?.state, one?.frame])).toEqual([
      ...[
        ["executed", 1],
        ["failed", 1],
        ["failed", -1],
      ],
    ]);
  });

  it("may hold itself, as deep and as often as the limits say", () => {
    const again = { ...inner(vault), data: outerInput };
    const deep = unwrapped([wrapper([again])]);
    expect([deep.calls.length, deep.truncated]).toEqual([limits.callDepthMax + 1, ["calls nested too deep"]]);
    const most = limits.unwrappedCallsMax - 1;
    const wide = (count: number) => unwrapped([wrapper(Array.from({ length: count }, () => inner()))]);
    expect([wide(most).calls.length, wide(most).truncated]).toEqual([most + 1, []]);
    expect([wide(most + 1).calls.length, wide(most + 1).truncated]).toEqual([most + 1, ["too many nested calls"]]);
  });
});
