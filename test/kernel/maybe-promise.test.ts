import { describe, expect, it } from "vitest";
import { andThen } from "../../src/kernel/maybe-promise.ts";

describe("a value that may be a promise", () => {
  it("is handed on at once where it is there", async () => {
    expect(andThen(2, (n) => n + 1)).toBe(3);
    expect(await andThen(Promise.resolve(2), (n) => n + 1)).toBe(3);
  });
});
