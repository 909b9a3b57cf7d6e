import { describe, expect, it } from "vitest";
import { createPreviewMemory } from "../../../src/gather/preview/preview.ts";
import type { PreviewAnswer } from "../../../src/gather/preview/preview-answer.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { hash } from "./unsigned-case.ts";

describe("what is remembered", () => {
  const answer = (parts: object = {}, unavailable: object[] = []) =>
    ({
      body: Buffer.from("{}"),
      caseFile: {
        ...{ block: { hash }, price: { status: "found" }, tokens: {}, reads: [], simulation: { unavailable } },
        ...parts,
      },
    }) as unknown as PreviewAnswer;

  it("is served for two seconds, and on its block for half a minute", () => {
    let now = 1_000;
    const memory = createPreviewMemory({ now: () => now });
    const kept = answer();
    memory.keep("a", kept);
    now += 1_999;
    expect([memory.recent("a"), memory.recent("b"), memory.onBlock("a", hash)]).toEqual([kept, undefined, kept]);
    now += 1;
    expect([memory.recent("a"), memory.onBlock("a", hash), memory.onBlock("a", "0x1" as Hash)]).toEqual([
      ...[undefined, kept, undefined],
    ]);
    now += 28_000;
    expect(memory.onBlock("a", hash)).toBe(kept);
    now += 1;
    expect(memory.onBlock("a", hash)).toBeUndefined();
  });

  it.each<[string, PreviewAnswer, boolean]>([
    ["a whole one", answer(), true],
    ["one without a method", answer({}, [{ reason: "missing" }]), true],
    ["one of which a method failed", answer({}, [{ reason: "missing" }, { reason: "failed" }]), false],
    ["one without a price", answer({ price: { status: "unavailable" } }), false],
    ["one without a token", answer({ tokens: { a: { status: "found" }, b: { status: "unavailable" } } }), false],
    ["one without a read", answer({ reads: [{ status: "found" }, { status: "unavailable" }] }), false],
    ["one that nobody ran", answer({ simulation: undefined }), true],
  ])("is %s: %#", (_case, given, kept) => {
    const memory = createPreviewMemory({ now: () => 1_000 });
    memory.keep("a", given);
    expect(memory.recent("a")).toBe(kept ? given : undefined);
  });
});
