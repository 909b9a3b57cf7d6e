import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { gateAddresses, gateMembers, gateStrength } from "../../../src/rules/ruleset/compile/gate.ts";
import type { Gate } from "../../../src/rules/ruleset/compiled.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

/** What is wrong with a rule at that place. */
function told(at: string): string[] {
  const { diagnostics } = compileTexts({
    market: marketFile(`rules:\n  - { id: a, action: stake, anchor: { event: Moved }, at: ${at}, say: "do it" }\n`),
  });
  return diagnostics.map((one) => `${placeOf(one)}: ${one.message}`);
}

/** A member of a file, and its mistakes if it has any. */
function memberOf(entry: string) {
  const text = marketFile("").replace("made: {", `other: ${entry}\n  made: {`);
  const { files, diagnostics } = compileTexts({ market: text });
  return {
    proofs: files[0]?.scope?.members.get("other")?.proofs,
    found: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`),
  };
}

function gateOf(at: string): Gate {
  const { ruleset, diagnostics } = compileTexts({
    market: marketFile(`rules:\n  - { id: a, action: stake, anchor: { event: Moved }, at: ${at}, say: "do it" }\n`),
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

  it("joins what is one kind of place, and keeps the order of the others", () => {
    const set = (...addresses: readonly string[]) => ({ kind: "set", addresses: new Set(addresses) });
    expect(gateOf("[pool, factory]")).toEqual(set(...pool, factory));
    expect(gateOf("[made, moved, factory, pool]")).toMatchObject({
      kind: "either",
      gates: [set(factory, ...pool), { kind: "proof", member: { role: "made" } }, { kind: "moved" }],
    });
    expect([gateOf("moved"), gateOf("[any, pool]")]).toEqual([{ kind: "moved" }, { kind: "any" }]);
  });

  it.each<[string, string]>([
    ["mde", "RL302 18:59-18:62 made: `mde` is no contract role or member of this file"],
    ["mved", "RL302 18:59-18:63 moved: `mved` is no contract role or member of this file"],
    ["[ny]", "RL302 18:60-18:62 any: `ny` is no contract role or member of this file"],
    ["[made, pol]", "RL302 18:66-18:69 pool: `pol` is no contract role or member of this file"],
    [
      "['0x420DD381b31aEf6683db6B902084cB0FFECe40Da']",
      "RL302 18:60-18:104 factory: an address stands here; a role was expected, under which `contracts` lists the address",
    ],
  ])("is refused at %s", (at, expected) => {
    expect(told(at)).toEqual([expected]);
  });
});

describe("a member", () => {
  const hash = `0x${"1".repeat(64)}`;
  it("is proven by a registry, by who made it, or by its address", () => {
    const { proofs, found } = memberOf(
      `{ registry: { contract: factory, read: isPool, expect: self }, created: { contract: pool, event: Moved, argument: to }, create2: { deployer: factory, init_code_hash: "${hash}", reads: [isPool, move], encoding: packed } }`,
    );
    expect(found).toEqual([]);
    expect(proofs).toMatchObject([
      { kind: "registry", registry: factory, read: { name: "isPool" }, expect: "self" },
      { kind: "created", factories: new Set(pool), event: { name: "Moved" }, argument: 1 },
      {
        ...{ kind: "create2", deployer: factory, initCodeHash: hash, packed: true },
        reads: [{ name: "isPool" }, { name: "move" }],
      },
    ]);
    expect(memberOf("{ registry: { contract: pool, read: isPool } }").proofs).toMatchObject([
      { registry: pool[0], expect: "true" },
    ]);
    expect(
      memberOf(`{ create2: { deployer: pool, init_code_hash: "${hash}", reads: [isPool] } }`).proofs,
    ).toMatchObject([{ deployer: pool[0], packed: false }]);
  });

  const unknown = (name: string) => `\`${name}\` is no contract role of this file`;
  const absent = (name: string) => `\`${name}\` is not in this file's abi`;
  it.each<[string, string]>([
    ["{ registry: { contract: nobody, read: isPool } }", unknown("nobody")],
    ["{ registry: { contract: pool, read: nothing } }", absent("nothing")],
    ["{ created: { contract: pool, event: nothing, argument: to } }", absent("nothing")],
    ["{ created: { contract: pool, event: Moved, argument: too } }", "`too` is not among the arguments of `Moved`"],
    [`{ create2: { deployer: nobody, init_code_hash: "${hash}", reads: [isPool] } }`, unknown("nobody")],
    [`{ create2: { deployer: pool, init_code_hash: "${hash}", reads: [isPool, nothing] } }`, absent("nothing")],
  ])("is not proven by a mistake: %s", (entry, message) => {
    const { proofs, found } = memberOf(entry);
    expect(proofs).toEqual([]);
    expect(found.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual([message]);
  });

  it("is not proven by one that nobody known made", () => {
    const { found } = memberOf("{ created: { contract: nobody, event: Moved, argument: to } }");
    expect(found).toEqual([expect.stringMatching(/`nobody` is no contract role of this file$/)]);
  });
});
