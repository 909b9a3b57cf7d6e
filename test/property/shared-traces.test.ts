import { describe, expect, it } from "vitest";
import { normalize } from "../../src/engine/normalize/normalize.ts";
import { decide } from "../../src/engine/spine.ts";
import { readSharedTraces } from "../support/shared-cases.ts";
import { expectSound } from "./invariants.ts";
import { labels, ruleset } from "./world.ts";

const cases = readSharedTraces();

/** Complete call trees of other chains. None of our rules is about them, but every one must be read without errors. */
describe.skipIf(cases === undefined)("every shared call tree", () => {
  it("is there", () => {
    expect(cases?.length).toBeGreaterThan(60);
  });

  it.each((cases ?? []).map((file) => [file.tx_hash, file] as const))("%s is explained soundly", (_hash, file) => {
    expectSound(file);
    // Everything that one of our known wrappers should open was opened.
    const { calls } = decide(file, ruleset, labels).evidence();
    expect(calls.filter(({ state }) => state === "opaque")).toEqual([]);
    const tx = normalize(file, labels);
    expect(tx.traced && tx.nativeComplete).toBe(true);
    // It is one tree: every frame is called by an earlier one, and its depth is one more.
    for (const call of tx.calls.slice(1)) {
      expect(call.parent).toBeLessThan(call.index);
      expect(call.depth).toBe((tx.calls[call.parent]?.depth ?? Number.NaN) + 1);
      if (call.ok) expect(tx.calls[call.parent]?.ok).toBe(true);
    }
  });
});
