import { expect, it, vi } from "vitest";
import { auditAnswer } from "../../../src/tools/audit/audit.ts";
import type { Scene } from "../../../src/tools/audit/scene.ts";
import { alice, bob } from "../../support/case-of.ts";

const world = vi.hoisted(() => ({ scenes: [] as unknown[] }));
/** A law that finds two violations and notes its input. */
const law = vi.hoisted(() => (name: string) => (scene: unknown) => {
  world.scenes.push(scene);
  return [`${name} 1`, `${name} 2`];
});
vi.mock("../../../src/tools/audit/laws/losses.ts", () => ({
  auditHeadline: law("headline"),
  auditLosses: law("losses"),
}));
vi.mock("../../../src/tools/audit/laws/names.ts", () => ({ auditNames: law("names") }));
vi.mock("../../../src/tools/audit/laws/power.ts", () => ({
  ...{ auditRights: law("rights"), auditControl: law("control"), auditDelegations: law("delegations") },
}));
vi.mock("../../../src/tools/audit/laws/examination.ts", () => ({ auditExamination: law("examination") }));
vi.mock("../../../src/tools/audit/facts/read-facts.ts", () => ({
  readFacts: (...given: unknown[]) => ["facts", ...given],
}));
vi.mock("../../../src/tools/audit/facts/principals.ts", () => ({
  findPrincipals: (_facts: unknown, knowledge: unknown) =>
    new Map([
      [alice, "sender"],
      [bob, knowledge],
    ]),
}));
vi.mock("../../../src/tools/audit/telling.ts", () => ({ readTelling: (...given: unknown[]) => ["telling", ...given] }));
vi.mock("../../../src/tools/audit/facts/losses.ts", () => ({
  lossesOf: (...given: unknown[]) => [
    ["a loss", ...given],
    ["another", given[0]],
  ],
}));
vi.mock("../../../src/tools/audit/facts/rights.ts", () => ({
  findRights: (...given: unknown[]) => ["rights", ...given],
}));
vi.mock("../../../src/tools/audit/facts/control.ts", () => ({
  findControlChanges: (...given: unknown[]) => ["controls", ...given],
}));

it("each law judges the same scene, and the findings are in the order of the laws", () => {
  const [file, answer, knowledge] = ["file", "answer", "knowledge"] as never[];
  expect(auditAnswer(file as never, answer as never, knowledge as never)).toEqual(
    ["headline", "losses", "names", "rights", "control", "delegations", "examination"].flatMap((name) => [
      ...[`${name} 1`, `${name} 2`],
    ]),
  );
  const facts = ["facts", file, knowledge];
  const principals = new Map([
    [alice, "sender"],
    [bob, "knowledge"],
  ]);
  const scene: Record<keyof Scene, unknown> = {
    ...{ facts, knowledge, principals, telling: ["telling", answer, file, knowledge] },
    losses: [
      ["a loss", alice, facts, knowledge],
      ["another", alice],
      ["a loss", bob, facts, knowledge],
      ["another", bob],
    ],
    rights: ["rights", facts, principals, knowledge],
    controls: ["controls", facts, principals, knowledge],
  };
  expect(world.scenes).toEqual(Array(7).fill(scene));
  expect(new Set(world.scenes).size).toBe(1);
});
