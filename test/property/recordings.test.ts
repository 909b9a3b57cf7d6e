import { describe, expect, it } from "vitest";
import { expectSound } from "./invariants.ts";
import { bytesOf, diagnostics, recordings } from "./world.ts";

describe("every recorded transaction", () => {
  it("is explained with rules that have no error", () => {
    expect(diagnostics.filter(({ level }) => level === "error")).toEqual([]);
    expect(recordings.length).toBeGreaterThan(100);
  });

  it.each(recordings.map((file) => [file.tx_hash, file] as const))("%s is explained soundly", (_hash, file) => {
    const before = structuredClone(file);
    const bytes = expectSound(file);
    // Deciding changes nothing in its input. So the same case gives the same bytes again, and so does a copy that was read again.
    expect(file).toEqual(before);
    expect(bytesOf(file)).toBe(bytes);
    expect(bytesOf(JSON.parse(JSON.stringify(file)))).toBe(bytes);
  });
});
