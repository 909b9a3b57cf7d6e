import { keccak256, stringToHex } from "viem/utils";
import { describe, expect, it, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { buildEngine, version } from "../../src/engine/build-engine.ts";

const world = vi.hoisted(() => ({ planned: [] as unknown[][], decided: [] as unknown[][] }));
vi.mock("../../src/engine/spine.ts", () => ({
  decide: (...given: unknown[]) => {
    world.decided.push(given);
    return { explanation: "e", evidence: () => ({ ruleset: "own", calls: [] }) };
  },
  planLookups: (...given: unknown[]) => {
    world.planned.push(given);
    return "a plan";
  },
}));

describe("an engine", () => {
  const ruleset = {
    fingerprint: "f",
    names: ["n"],
    grants: {},
    actions: new Map([
      ["swap", {}],
      ["claim", {}],
      ["stake", {}],
    ]),
  } as never;
  const labels = { fingerprint: "l" } as never;
  const engine = buildEngine(ruleset, labels);
  const hash = keccak256(stringToHex(`${version}\nf\nl`)).slice(2, 34);

  it("has a hash of version, rules and labels, and its actions in order", () => {
    expect(version).toBe(packageJson.version);
    expect(engine).toMatchObject({
      ...{ ruleset: hash, actionTypes: ["claim", "stake", "swap"] },
      ...{ labels, contracts: ["n"] },
    });
    expect(buildEngine(ruleset, { fingerprint: "m" } as never).ruleset).not.toBe(hash);
  });

  it("decides by its rules, and names them in the evidence by its own hash", () => {
    const { evidence, ...decided } = engine.decide("case" as never);
    expect(decided).toEqual({ explanation: "e" });
    expect(evidence()).toEqual({ ruleset: hash, calls: [] });
    expect(world.decided).toEqual([["case", ruleset, labels]]);
  });

  it("plans the lookups of no address unless it is told to", () => {
    expect([engine.planLookups("a" as never), engine.planLookups("b" as never, 3)]).toEqual(["a plan", "a plan"]);
    expect(world.planned).toEqual([
      ["a", { ruleset, labels }, 0],
      ["b", { ruleset, labels }, 3],
    ]);
  });
});
