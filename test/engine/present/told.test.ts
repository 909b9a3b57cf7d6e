import { describe, expect, it } from "vitest";
import { countLogs, isIdle, isSomeoneElse } from "../../../src/engine/present/told.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../../src/kernel/amount.ts";
import type { CompiledCapture } from "../../../src/rules/ruleset/compiled.ts";
import { alice, bob, vault } from "../../support/case-of.ts";

describe("a number that says nothing", () => {
  const idle = (kind: string, value: unknown, form = "past") =>
    isIdle(
      { kind: "value", capture: "x", facet: null } as never,
      {
        rule: { captures: new Map([["x", { kind, get: () => value }]]) },
        ...{ context: {}, form },
      } as never,
    );
  const forever = 253_402_300_800n;

  it.each<[string, unknown, string, boolean]>([
    ["integer", 0n, "past", true],
    ["integer", 1n, "past", false],
    ["integer", unlimitedThreshold - 1n, "past", false],
    ["integer", unlimitedThreshold, "past", true],
    ["integer", forever, "request", false],
    ["integer", "0", "past", false],
    ["time", 0n, "request", true],
    ["time", 0n, "past", false],
    ["time", forever - 1n, "request", false],
    ["time", forever, "request", true],
    ["time", forever, "past", false],
    ["amount", 0n, "past", false],
    ["amount", 0n, "request", false],
  ])("is %s %s where it is told as %s: %j", (kind, value, form, expected) => {
    expect(idle(kind, value, form)).toBe(expected);
  });

  it("is no text, no verb and nothing that is not captured", () => {
    const told = { rule: { captures: new Map() }, context: {}, form: "past" } as never;
    expect([isIdle("x", told), isIdle({ kind: "value", capture: "x" } as never, told)]).toEqual([false, false]);
    const verb = {
      rule: { captures: new Map([["x", { kind: "integer", get: () => 0n }]]) },
      context: {},
      form: "past",
    };
    expect(isIdle({ kind: "verb", capture: "x" } as never, verb as never)).toBe(false);
  });
});

it("logs are counted that are of the gate, read, and fit", () => {
  const logs = [1, 2, 3, 4, undefined].map((n, i) => ({ address: i === 3 ? "0xno" : "0xyes", topics: [n], data: "" }));
  const context = { logsWith: () => logs, admits: (_gate: unknown, address: string) => address === "0xyes" };
  const event = { hash: "h", read: ([n]: (number | undefined)[]) => (n === undefined ? undefined : [n]) };
  const count = (where: unknown) =>
    countLogs(
      { kind: "count", event, gate: {}, where } as unknown as CompiledCapture & { kind: "count" },
      context as never,
    );
  expect([count(null), count(([n]: number[]) => (n as number) > 1)]).toEqual([3, 2]);
});

describe("words about an account", () => {
  it("call nobody else whom the call is about, or who stands for somebody", () => {
    const context = { subject: alice, call: { to: vault } } as never;
    const small = (last: string) => toAddress(`0x${last.padStart(40, "0")}`);
    expect(
      [alice, vault, bob, small("1"), small("ffff"), small("10000")].map((one) => isSomeoneElse(one, context)),
    ).toEqual([false, false, true, false, false, true]);
    expect(isSomeoneElse(bob, { subject: alice, call: undefined } as never)).toBe(true);
  });
});
