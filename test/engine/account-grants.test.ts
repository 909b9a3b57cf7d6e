import { describe, expect, it, vi } from "vitest";
import { buildViewEngine, decideViewed, view } from "../../src/engine/view.ts";
import type { Address } from "../../src/kernel/address.ts";
import type { ViewLookups } from "../../src/model/case-file.ts";
import { alice, bob, carol, caseOf } from "../support/case-of.ts";

const world = vi.hoisted(() => ({ mode: "mined", told: [] as unknown[][] }));
vi.mock("../../src/engine/decide.ts", () => ({
  findOut: (file: object, ruleset: unknown, labels: unknown) => ({
    findings: { file, ruleset, labels, subject: "subject", tx: { mode: world.mode }, assessment: { grants: ["own"] } },
    act: { principals: new Set(["subject", "principal"]), calls: "calls" },
  }),
}));
vi.mock("../../src/engine/present/present.ts", () => ({
  present: () => ({
    decision: { explanation: "e", evidence: () => ({ ruleset: "inner", calls: [] }) },
    ...{ kept: "kept", words: "words" },
  }),
}));
vi.mock("../../src/engine/present/picture-facts.ts", () => ({
  gatherPictureFacts: ({ subject }: { subject: string }, ...drawn: unknown[]) => [subject, ...drawn],
}));
vi.mock("../../src/engine/present/teller/words.ts", () => ({
  openWords: ({ file }: { file: unknown }) => ["words", file],
}));
vi.mock("../../src/engine/assess/grants/grants.ts", () => ({ findGrants: (act: unknown) => ["found", act] }));
vi.mock("../../src/engine/present/view/view.ts", () => ({
  presentView: (...given: unknown[]) => {
    world.told.push(given);
    return "a view";
  },
}));

const rules = { ruleset: "rules", labels: "labels" } as never;
const file = caseOf();
/** What the view of an account is made of. */
function toldOf(account: string | null, { mode = "mined", lookups }: { mode?: string; lookups?: ViewLookups } = {}) {
  Object.assign(world, { mode, told: [] });
  expect(decideViewed(file, rules).view(account as Address | null, lookups)).toBe("a view");
  const [[findings, shown, { explanation, grants, words }]] = world.told as [[{ file: object }, string, never]];
  return { file: findings.file, shown, explanation, grants, words };
}

describe("the view of an account", () => {
  it.each<[string, string | null, string, string, unknown]>([
    ["the account whose act is told", null, "mined", "subject", ["own"]],
    ["another principal", "principal", "mined", "principal", ["own"]],
    ["somebody else", alice, "mined", alice, ["found", { principals: new Set([alice]), calls: "calls" }]],
    ["somebody else, before anything ran", bob, "requested", bob, ["own"]],
    [
      "somebody else, in a simulation",
      carol,
      "simulated",
      carol,
      ["found", { principals: new Set([carol]), calls: "calls" }],
    ],
  ])("has the rights that it gave: %s", (_who, account, mode, shown, grants) => {
    expect(toldOf(account, { mode })).toEqual({ file, shown, explanation: "e", grants, words: ["words", file] });
    expect(toldOf(account, { mode }).file).toBe(file);
  });

  it("is told with what was looked up for it alone", () => {
    const lookups = { balances: {} } as unknown as ViewLookups;
    const told = { ...file, view: lookups };
    expect(toldOf(null, { lookups })).toMatchObject({ file: told, words: ["words", told] });
    expect(file).not.toHaveProperty("view");
  });

  it("is given alone or beside the decision, which names the rules by the hash of the engine", () => {
    const engine = buildViewEngine("rules" as never, "labels" as never, "hash");
    expect([view(file, null, rules), engine.view(file, bob)]).toEqual(["a view", "a view"]);
    const { view: viewed, ...decided } = engine.decideViewed(file);
    expect(viewed(null)).toBe("a view");
    for (const { evidence, pictureFacts, ...answer } of [decided, engine.decide(file)]) {
      expect([answer, evidence()]).toEqual([{ explanation: "e" }, { ruleset: "hash", calls: [] }]);
      expect(pictureFacts()).toEqual(["subject", "kept", "words"]);
    }
  });
});
