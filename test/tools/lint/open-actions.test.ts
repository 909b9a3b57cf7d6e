import { describe, expect, it } from "vitest";
import { any, at, call, event, type Given, of } from "./gated-rule.ts";

describe("an open action", () => {
  const nothing = { max: 0 };
  const still = { flow: { gives: nothing, gets: nothing }, who: ["args.from"] };
  const given: Given = {
    kind: "standard",
    action: "govern",
    anchor: event(any, { gate: any }),
    entry: { who: "args.from" },
    rule: still,
  };

  it("may be told anywhere by a standard, where the account called the contract and nothing moved", () => {
    expect([of(given), of({ ...given, attempt: { call: "vote" }, anchor: call(any) })]).toEqual([[], []]);
  });

  it.each<[string, Given]>([
    ["a protocol's file", { kind: "protocol" }],
    ["an action that is not open", { action: "stake" }],
    ["no call beside the event", { anchor: event(any) }],
    ["nobody it is about", { entry: {} }],
    ["something given", { rule: { ...still, flow: { gives: { max: 1 }, gets: nothing } } }],
    ["something gotten", { rule: { ...still, flow: { gives: nothing, gets: { max: null } } } }],
    ["money left out", { rule: { ...still, flow: null } }],
  ])("needs a proven place with %s", (_, change) => {
    expect(of({ ...given, ...change }).map(([code, place]) => [code, place])).toEqual([["RL610", at("action")]]);
  });

  it("needs one for attempts, too, in a protocol's file", () => {
    const attempt = { call: "vote" };
    const found = of({ ...given, kind: "protocol", anchor: call(any), attempt });
    expect(found.map(([code]) => code)).toEqual(["RL610"]);
  });
});
