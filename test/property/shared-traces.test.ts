import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/decide.ts";
import { normalize } from "../../src/normalize/normalize.ts";
import { readSharedTraces } from "../support/shared-cases.ts";
import { expectSound } from "./invariants.ts";
import { labels, ruleset } from "./world.ts";

const cases = readSharedTraces();

/** Whole call trees of other chains: no rule of ours is about them, but every one must be read soundly. */
describe.skipIf(cases === undefined)("every shared call tree", () => {
  it("is there", () => {
    expect(cases?.length).toBeGreaterThan(60);
  });

  it.each((cases ?? []).map((file) => [file.tx_hash, file] as const))("%s is explained soundly", (_hash, file) => {
    expectSound(file);
    // Nothing that a wrapper of ours should have opened stays shut.
    const { calls } = decide(file, ruleset, labels).evidence();
    expect(calls.filter(({ state }) => state === "opaque")).toEqual([]);
    const tx = normalize(file, labels);
    expect(tx.traced && tx.nativeComplete).toBe(true);
    // A tree is one: every frame is called by an earlier one, and its depth is one more.
    for (const call of tx.calls.slice(1)) {
      expect(call.parent).toBeLessThan(call.index);
      expect(call.depth).toBe((tx.calls[call.parent]?.depth ?? Number.NaN) + 1);
      if (call.ok) expect(tx.calls[call.parent]?.ok).toBe(true);
    }
  });
});
