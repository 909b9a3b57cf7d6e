import { describe, expect, it } from "vitest";
import { ExplanationCounts } from "../../../src/serve/service/explanation-counts.ts";

describe("the counts of explanations", () => {
  it("are of answers, and of each code that occurred", () => {
    const counts = new ExplanationCounts();
    expect(counts.read()).toEqual({ success: 0, reverted: 0 });
    for (const result of ["success", "internal", "success", "reverted", "internal"] as const) counts.add(result);
    expect(counts.read()).toEqual({ success: 2, reverted: 1, internal: 2 });
  });
});
