import { describe, expect, it } from "vitest";
import { tellMissing } from "../../../src/engine/present/reasons/missing.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, carol, usdc } from "../../support/case-of.ts";
import { namesOf, teller } from "./named-world.ts";

describe("why an answer is partial", () => {
  const move = (amount: bigint, from: Address, to: Address, more: object = {}) => ({
    token: usdc,
    tokenId: null,
    amount,
    from,
    to,
    standard: "erc20",
    ...more,
  });
  const tell = (parts: { tx?: object; unwrapped?: object; movements?: object[]; actions?: object[] } = {}) =>
    tellMissing(
      {
        tx: { truncated: [], movements: [], nativeComplete: true, ...parts.tx },
        unwrapped: { truncated: [], calls: [], principals: new Set([alice]), ...parts.unwrapped },
        settled: { actions: parts.actions ?? [] },
        ...{ completeness: { movements: parts.movements ?? [] }, subject: alice },
      } as never,
      namesOf(),
      teller,
    ).map(({ text }) => text);
  const words = {
    cut: (what: string) => teller.say("missing.cut", { what }).text,
    calls: teller.say("missing.nested_calls", {}).text,
    calldata: teller.say("missing.ether_by_calldata", {}).text,
    ether: teller.say("missing.ether", {}).text,
    own: teller.say("missing.own_call", { account: alice }).text,
  };
  /** The second call is one of alice to herself. */
  const selfCalls = (parts: object = {}) => [
    { id: 0, parent: -1, step: null, from: bob, to: alice, input: "0x1234", state: "executed" },
    { id: 1, parent: 0, step: null, from: alice, to: alice, input: "0x1234", state: "executed", ...parts },
  ];
  const act = (control: boolean, target: Address) => ({ rule: { control }, context: { subject: alice, target } });
  const left = "5 USDC received is not explained.";

  it.each<[string, Parameters<typeof tell>[0], string[]]>([
    ["nothing", {}, []],
    [
      "a type that nobody here knows, before everything else",
      { tx: { unknownType: "0x79", nativeComplete: false }, movements: [move(5_000_000n, bob, alice)] },
      [teller.say("missing.type", { type: "0x79" }).text, left, words.ether],
    ],
    [
      "a type that is no number",
      { tx: { unknownType: "see https://a.example" } },
      [teller.say("missing.type", { type: "without a number" }).text],
    ],
    ["what was cut", { tx: { truncated: ["a"] }, unwrapped: { truncated: ["b"] } }, [words.cut("a, b")]],
    [
      "a call that could not be read",
      { unwrapped: { calls: [{ state: "executed" }, { state: "opaque" }] } },
      [words.calls],
    ],
    ["calls that could", { unwrapped: { calls: [{ state: "executed" }] } }, []],
    [
      "ether by its calldata",
      { tx: { movements: [{ basis: "log" }, { basis: "calldata" }], nativeComplete: false } },
      [words.calldata],
    ],
    ["ether", { tx: { movements: [{ basis: "log" }], nativeComplete: false } }, [words.ether]],
    ["a call of an account to itself", { unwrapped: { calls: selfCalls() } }, [words.own]],
    ["none of an act's that tells it", { unwrapped: { calls: selfCalls() }, actions: [act(false, alice)] }, []],
    ["none beside a change of control", { unwrapped: { calls: selfCalls() }, actions: [act(true, bob)] }, []],
    ["one beside another act", { unwrapped: { calls: selfCalls() }, actions: [act(false, bob)] }, [words.own]],
    ["none that failed", { unwrapped: { calls: selfCalls({ state: "failed" }) } }, []],
    ["none without data", { unwrapped: { calls: selfCalls({ input: "0x" }) } }, []],
    ["none that holds others", { unwrapped: { calls: [...selfCalls(), { id: 2, parent: 1, step: null }] } }, []],
    ["none of others", { unwrapped: { calls: selfCalls({ from: bob, to: bob }) } }, []],
    ["not the transaction's own", { unwrapped: { calls: selfCalls({ parent: -1 }) } }, []],
    ["what came in", { movements: [move(5_000_000n, bob, alice)] }, [left]],
    ["what came in, twice", { movements: [move(2_000_000n, bob, alice), move(3_000_000n, carol, alice)] }, [left]],
    ["not what went out", { movements: [move(5_000_000n, alice, bob)] }, []],
    ["not what others moved", { movements: [move(5_000_000n, carol, bob)] }, []],
    [
      "all of it",
      {
        ...{ tx: { truncated: ["a"], nativeComplete: false }, movements: [move(5_000_000n, bob, alice)] },
        unwrapped: { truncated: [], calls: [{ state: "opaque" }] },
      },
      [left, words.cut("a"), words.calls, words.ether],
    ],
  ])("is %s", (_case, parts, expected) => {
    expect(tell(parts)).toEqual(expected);
  });
});
