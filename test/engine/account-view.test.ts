import { describe, expect, it, vi } from "vitest";
import { accountView } from "../../src/engine/spine.ts";
import type { Address } from "../../src/kernel/address.ts";
import type { ViewLookups } from "../../src/model/case-file.ts";
import { alice, bob, carol, caseOf } from "../support/case-of.ts";

const world = vi.hoisted(() => ({ told: [] as unknown[][] }));
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

const file = caseOf();
/** What the view of an account is made of. */
function toldOf(account: string | null, { mode = "mined", lookups }: { mode?: string; lookups?: ViewLookups } = {}) {
  world.told = [];
  const known = { file, labels: {}, subject: "subject", tx: { mode }, assessment: { grants: ["own"] } };
  const act = { principals: new Set(["subject", "principal"]), calls: "calls" };
  const found = { findings: known, act } as unknown as Parameters<typeof accountView>[0];
  expect(accountView(found, account as Address | null, { explanation: "e" as never, lookups })).toBe("a view");
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
});
