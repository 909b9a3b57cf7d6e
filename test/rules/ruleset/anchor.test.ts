import { describe, expect, it } from "vitest";
import { bob } from "../../support/case-of.ts";
import { anchored, compile, factory, one, pool } from "./stake-rule.ts";

describe("the anchor of a rule", () => {
  const strip = ({ rules }: ReturnType<typeof compile>) => rules.map(({ anchor }) => anchor);
  const set = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) });

  it.each<[string, object[]]>([
    [anchored, [{ kind: "event", gate: set(...pool), companion: null }]],
    [
      "anchor: { event: [Moved, Moved] }, at: pool",
      Array(2).fill({ kind: "event", event: { name: "Moved" }, gate: set(...pool), companion: null }),
    ],
    [
      "anchor: { call: delegated }, at: pool",
      [{ kind: "call", call: { kind: "function", name: "delegated", step: false }, gate: set(...pool) }],
    ],
    [
      "anchor: { event: Moved, within: [move, push] }, at: pool",
      [
        {
          kind: "event",
          gate: set(...pool),
          companion: { call: [{ name: "move" }, { name: "push" }], gate: set(...pool) },
        },
      ],
    ],
    [
      "anchor: { event: Moved, within: move, calls_at: factory }, at: pool",
      [{ kind: "event", gate: set(...pool), companion: { call: [{ name: "move" }], gate: set(factory) } }],
    ],
    [
      "anchor: { call: [move, any, plain] }, at: pool",
      [
        { kind: "call", call: { name: "move", step: false }, gate: set(...pool) },
        { kind: "call", call: null, gate: set(...pool) },
        { kind: "call", call: { kind: "function", name: "plain", hash: "0x", step: false }, gate: set(...pool) },
      ],
    ],
    [
      "anchor: { transfer: { to: pool } }",
      [{ kind: "transfer", from: { kind: "any" }, to: set(...pool), standards: [] }],
    ],
    [
      "anchor: { transfer: { from: factory, to: pool, standards: [erc721] } }",
      [{ kind: "transfer", from: set(factory), to: set(...pool), standards: ["erc721"] }],
    ],
    ["anchor: { authorization: set }", [{ kind: "authorization", clears: false, signed: false }]],
    ["anchor: { authorization: cleared }", [{ kind: "authorization", clears: true, signed: false }]],
    [
      "anchor: { authorization: set }, subject: { for: authority }",
      [{ kind: "authorization", clears: false, signed: true }],
    ],
    ["money: { gives: some }", [{ kind: "none" }]],
  ])("of %s", (rule, expected) => {
    const compiled = compile(rule);
    expect(compiled.found).toEqual([]);
    expect(strip(compiled)).toMatchObject(expected);
    expect(compiled.rules).toHaveLength(expected.length);
  });

  it("that is a plain send has no arguments, whatever is sent", () => {
    const { anchor } = one("anchor: { call: plain }, at: pool");
    if (anchor.kind !== "call" || anchor.call === null) throw new Error("a call was expected");
    expect([anchor.call.read("0x12"), anchor.call.inputs, anchor.call.signature]).toEqual([
      ...[[], { kind: "tuple", names: [], items: [], dynamic: false, words: 0 }, ""],
    ]);
  });

  it("decides which paths the rule may read", () => {
    const getter = (rule: string) => compile(rule).found.map((line) => line.slice(line.indexOf(": ") + 2));
    expect(getter("anchor: { event: Moved, within: [move, push] }, at: pool, subject: input.to")).toEqual([
      "`input.to` needs a decoded call beside the event",
    ]);
    expect(getter("anchor: { event: Moved }, at: pool, subject: input.to")).toEqual([
      "`input.to` needs a decoded call beside the event",
    ]);
    expect(getter("anchor: { event: Moved, within: push }, at: pool, subject: input.to")).toEqual([]);
    expect(getter("anchor: { call: push }, at: pool, subject: [to, x.to], money: { x: { to: pool } }")).toEqual([]);
    expect(getter("anchor: { call: any }, at: pool, subject: to")).toEqual(["`to` names nothing here"]);
    const counted = `{ ">": [{ var: count.Moved }, "1"] }`;
    expect(getter(`anchor: { call: push }, at: pool, when: ${counted}`)).toEqual([]);
  });

  it("is the gate of the logs that it counts, and any where it has none", () => {
    const counted = `when: { ">": [{ var: count.Moved }, "0"] }`;
    const asked = (rule: string) => {
      const gates: unknown[] = [];
      const topics = ["", "", ""];
      const context = {
        logsWith: () => [{ topics, address: bob }],
        admits: (gate: unknown) => gates.push(gate) > 0,
      } as never;
      const compiled = one(`${rule}, ${counted}`);
      expect([compiled.premise(context), compiled.where(context)]).toEqual([true, true]);
      return gates;
    };
    expect(asked(anchored)).toEqual([set(...pool)]);
    expect(asked("anchor: { transfer: { to: pool } }")).toEqual([{ kind: "any" }]);
  });
});
