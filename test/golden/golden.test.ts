import { expect, it } from "vitest";
import { changesIn } from "./changes.ts";

it("the golden record holds every example and every recorded transaction: `npm run golden` shows what changed", () => {
  expect(changesIn([])).toBe("");
});
