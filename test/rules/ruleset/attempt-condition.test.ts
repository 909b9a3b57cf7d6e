import { describe, expect, it } from "vitest";
import { conditionOf } from "../../../src/rules/ruleset/compile/compile-attempts.ts";

type Entry = Parameters<typeof conditionOf>[0];
type Attempt = Parameters<typeof conditionOf>[1];

const ofArgs = { ">": [{ var: "args.amount" }, "0"] };
const ofCall = { ">": [{ var: "call.value" }, "0"] };
const ofMoney = { ">": [{ var: "legs.paid.amount" }, "0"] };
const asked = (entry: object, attempt: object = { call: "pay" }) => conditionOf(entry as Entry, attempt as Attempt);

describe("what an attempt asks of its call", () => {
  it("is what it says, else what the act by the same call asks of that call", () => {
    expect(asked({ call: "pay", where: ofArgs }, { call: "pay", where: ofCall })).toBe(ofCall);
    expect(asked({ call: "pay", where: ofArgs })).toBe(ofArgs);
    expect(asked({ call: ["pay", "give"], where: ofCall }, { call: ["give"] })).toBe(ofCall);
    expect(asked({ call: "pay", where: { and: [ofArgs, ofCall] } })).toEqual({ and: [ofArgs, ofCall] });
  });

  it("is nothing where the act asks for more than the call can show, or is another call's", () => {
    expect(asked({ call: "pay", where: ofMoney })).toBeUndefined();
    expect(asked({ call: "pay", where: { and: [ofArgs, ofMoney] } })).toBeUndefined();
    expect(asked({ call: "pay", event: "Paid", where: ofArgs })).toBeUndefined();
    expect(asked({ call: "give", where: ofArgs })).toBeUndefined();
    expect(asked({ call: "pay", where: ofArgs }, { call: ["pay", "give"] })).toBeUndefined();
    expect(asked({ call: "pay" })).toBeUndefined();
  });
});
