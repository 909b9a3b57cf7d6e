import { describe, expect, it } from "vitest";
import type { Address } from "../../src/kernel/address.ts";
import { tellMissing } from "../../src/present/reasons/missing.ts";
import { alice, bob, carol, usdc } from "../support/case-of.ts";
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
  const tell = (parts: { tx?: object; unwrapped?: object; movements?: object[] } = {}) =>
    tellMissing(
      {
        tx: { truncated: [], movements: [], nativeComplete: true, ...parts.tx },
        unwrapped: { truncated: [], calls: [], ...parts.unwrapped },
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
  };
  const left = "5 USDC received is not explained.";

  it.each<[string, Parameters<typeof tell>[0], string[]]>([
    ["nothing", {}, []],
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
