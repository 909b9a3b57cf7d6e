import { describe, expect, it, vi } from "vitest";
import { planCase } from "../../../src/engine/spine.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { caseOf } from "../../support/case-of.ts";

const world = vi.hoisted(() => ({ named: [] as string[], tokens: [] as string[], asked: [] as unknown[][] }));
vi.mock("../../../src/engine/plan/named-tokens.ts", () => ({
  namedTokens: (told: unknown[]) => {
    world.asked.push(["named", ...told]);
    return world.named;
  },
}));
vi.mock("../../../src/engine/plan/plan.ts", () => ({
  distinctReads: (reads: unknown[]) => reads,
  planReads: (given: { involved: Set<string>; principals: unknown }) => {
    world.asked.push(["tokens", [...given.involved], given.principals]);
    return { tokens: world.tokens, reads: ["reads"] };
  },
}));
vi.mock("../../../src/engine/plan/risk-plan.ts", () => ({
  planRisk: (act: unknown, lookupsMax: number) => ({ listed: ["one", "two", "one"], of: [act, lookupsMax] }),
}));

const act = { principals: new Set(["p"]) };
const labels = { token: (address: string) => (address.startsWith("listed") ? { symbol: "X" } : undefined) } as never;

describe("what is looked up for a case", () => {
  const planned = (tokens: string[], named: string[]) => {
    Object.assign(world, { tokens, named, asked: [] });
    const decoded = { file: caseOf(), act, actions: ["act", "inner act"] };
    return planCase(decoded as never, { ruleset: {} as never, labels }, 8);
  };

  it("is what the plans say, with tokens that sentences name and nobody lists", () => {
    expect(planned(["a", "listed 1"], ["b", "a", "listed 2", "b"])).toEqual({
      tokens: ["a", "listed 1", "b"],
      reads: ["reads"],
      risk: { listed: ["one", "two", "one"], of: [act, 8] },
    });
    expect(world.asked).toEqual([
      ["tokens", ["one", "two"], new Set(["p"])],
      ["named", "act", "inner act"],
    ]);
  });

  it("is no more tokens than the limit, those of the plan first", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `token ${i}`);
    const { tokensMax } = limits;
    expect(planned(many(tokensMax - 1), ["x", "y"]).tokens).toEqual([...many(tokensMax - 1), "x"]);
    expect(planned(many(tokensMax), ["x"]).tokens).toEqual(many(tokensMax));
  });
});
