import { expect, it, vi } from "vitest";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { openRiskWorld } from "../../support/risk-world.ts";

// Every decode begins with normalizing, so this counts them.
vi.mock("../../../src/engine/normalize/normalize.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../../src/engine/normalize/normalize.ts")>();
  return { ...original, normalize: vi.fn(original.normalize) };
});

it("a cold answer decodes twice: the draft for the one plan, and the complete case file", async () => {
  const world = await openRiskWorld();
  vi.mocked(normalize).mockClear();
  const { answer } = await world.explain();
  expect(answer.checks).toMatchObject({ contract_verification: "ok", first_interaction: "ok" });
  expect(normalize).toHaveBeenCalledTimes(2);
  await world.explain();
  expect(normalize).toHaveBeenCalledTimes(2);
});
