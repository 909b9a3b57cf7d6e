import { describe, expect, it, vi } from "vitest";
import { findOut, plan } from "../../src/engine/decide.ts";
import { limits } from "../../src/kernel/limits.ts";
import { caseOf } from "../support/case-of.ts";

const world = vi.hoisted(() => ({
  decoded: {} as object,
  carried: new Map<unknown, unknown[]>(),
  named: [] as string[],
  tokens: [] as string[],
  asked: [] as unknown[][],
}));
vi.mock("../../src/engine/decode-case.ts", () => ({ decodeCase: () => world.decoded }));
vi.mock("../../src/engine/carried-acts.ts", () => ({ carriedBy: () => world.carried }));
vi.mock("../../src/engine/assess/assess.ts", () => ({ assess: (act: unknown) => ["assessed", act] }));
vi.mock("../../src/engine/settle/completeness.ts", () => ({
  measureCompleteness: (given: unknown) => ["measured", given],
}));
vi.mock("../../src/engine/plan/named-tokens.ts", () => ({
  namedTokens: (told: unknown[]) => {
    world.asked.push(["named", ...told]);
    return world.named;
  },
}));
vi.mock("../../src/engine/plan/plan.ts", () => ({
  distinctReads: (reads: unknown[]) => reads,
  planLookups: (given: { involved: Set<string>; principals: unknown }) => {
    world.asked.push(["tokens", [...given.involved], given.principals]);
    return { tokens: world.tokens, reads: ["reads"] };
  },
}));
vi.mock("../../src/engine/plan/risk-plan.ts", () => ({
  planRisk: (act: unknown, lookupsMax: number) => ({ listed: ["one", "two", "one"], of: [act, lookupsMax] }),
}));

const act = { principals: new Set(["p"]) };
const settled = { actions: ["act"] };
const labels = { token: (address: string) => (address.startsWith("listed") ? { symbol: "X" } : undefined) } as never;
const ruleset = {} as never;

describe("what is looked up for a case", () => {
  const planned = (tokens: string[], named: string[]) => {
    Object.assign(world, { decoded: { settled, act }, tokens, named, asked: [], carried: new Map() });
    return plan(caseOf(), { ruleset, labels, lookupsMax: 8 });
  };

  it("is what the plans say, with tokens that sentences name and nobody lists", () => {
    expect(planned(["a", "listed 1"], ["b", "a", "listed 2", "b"])).toEqual({
      tokens: ["a", "listed 1", "b"],
      reads: ["reads"],
      risk: { listed: ["one", "two", "one"], of: [act, 8] },
    });
    expect(world.asked).toEqual([
      ["tokens", ["one", "two"], new Set(["p"])],
      ["named", "act"],
    ]);
  });

  it("counts what the calls inside of calls name", () => {
    planned([], []);
    world.carried = new Map([
      ["context", [{ actions: ["inner 1", "inner 2"] }, { actions: [] }]],
      ["other", [{ actions: ["inner 3"] }]],
    ]);
    world.asked = [];
    plan(caseOf(), { ruleset, labels, lookupsMax: 0 });
    expect(world.asked.at(-1)).toEqual(["named", "act", "inner 1", "inner 2", "inner 3"]);
  });

  it("is no more tokens than the limit, those of the plan first", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `token ${i}`);
    const { tokensMax } = limits;
    expect(planned(many(tokensMax - 1), ["x", "y"]).tokens).toEqual([...many(tokensMax - 1), "x"]);
    expect(planned(many(tokensMax), ["x"]).tokens).toEqual(many(tokensMax));
  });
});

describe("what was found out", () => {
  const found = (truncated: string[]) => {
    const unwrapped = { tx: "tx", truncated: ["calls"] };
    Object.assign(world, { decoded: { unwrapped, settled, subject: "s", act, truncated }, carried: new Map() });
    const file = caseOf();
    return { unwrapped, file, ...findOut(file, ruleset, labels) };
  };

  it("is all that the stages say", () => {
    const { unwrapped, file, findings, act: told } = found([]);
    expect(told).toBe(act);
    expect(findings).toEqual({
      ...{ tx: "tx", unwrapped, settled, subject: "s", file, ruleset, labels, carried: new Map() },
      completeness: ["measured", { unwrapped, settled, subject: "s" }],
      assessment: ["assessed", act],
    });
    expect(findings.unwrapped).toBe(unwrapped);
  });

  it("says first what unwrapping left out, then what matching did, and changes neither", () => {
    const { unwrapped, findings } = found(["acts", "more acts"]);
    expect(findings.unwrapped).toEqual({ tx: "tx", truncated: ["calls", "acts", "more acts"] });
    expect(unwrapped.truncated).toEqual(["calls"]);
  });
});
