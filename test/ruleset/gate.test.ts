import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/kernel/address.ts";
import { gateAddresses, gateMembers, gateStrength } from "../../src/ruleset/compile/gate.ts";
import type { Gate } from "../../src/ruleset/compiled.ts";
import { compileTexts, marketFile } from "./rule-text.ts";

function gateOf(at: string): Gate {
  const { ruleset, diagnostics } = compileTexts({
    market: marketFile(`rules:\n  - { id: a, action: stake, event: Moved, at: ${at}, does: "do it" }\n`),
  });
  expect(diagnostics).toEqual([]);
  const anchor = ruleset.rules[0]?.anchor;
  if (anchor?.kind !== "event") throw new Error("the rule has an event");
  return anchor.gate;
}

const pool = ["0xa238dd80c259a72e81d7e4664a9801593f98d1c5", "0x6cb442acf35158d5eda88fe602221b67b400be3e"].map(
  toAddress,
);
const factory = toAddress("0x420dd381b31aef6683db6b902084cb0ffece40da");

describe("a gate", () => {
  it.each<[string, number, readonly string[] | null, string[]]>([
    ["pool", 3, pool, []],
    ["[pool, factory]", 3, [...pool, factory], []],
    ["made", 2, null, ["made"]],
    ["[pool, made]", 2, null, ["made"]],
    ["moved", 1, null, []],
    ["[moved, pool]", 1, null, []],
    ["any", 0, null, []],
    ["[pool, any]", 0, null, []],
  ])("at %s", (at, strength, addresses, members) => {
    const gate = gateOf(at);
    expect({
      strength: gateStrength(gate),
      addresses: gateAddresses(gate),
      members: gateMembers(gate).map((member) => member.role),
    }).toEqual({ strength, addresses, members });
  });

  it("of nothing admits nobody and proves nothing", () => {
    expect(gateStrength({ kind: "either", gates: [] })).toBe(0);
    expect(gateAddresses({ kind: "either", gates: [] })).toEqual([]);
  });
});
