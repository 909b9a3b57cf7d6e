import { describe, expect, it } from "vitest";
import { andThen, guard } from "../../src/kernel/maybe-promise.ts";

describe("a value that may be a promise", () => {
  it("is handed on at once where it is there", async () => {
    expect(andThen(2, (n) => n + 1)).toBe(3);
    expect(await andThen(Promise.resolve(2), (n) => n + 1)).toBe(3);
  });

  it("is replaced where the work throws or rejects", async () => {
    const fail = (): number => {
      throw new Error("bad");
    };
    expect(
      guard(
        () => 1,
        () => 2,
      ),
    ).toBe(1);
    expect(guard(fail, (thrown) => (thrown as Error).message.length)).toBe(3);
    expect(
      await guard(
        () => Promise.resolve(1),
        () => 2,
      ),
    ).toBe(1);
    expect(
      await guard(
        () => Promise.reject(new Error("worse")),
        (thrown) => (thrown as Error).message.length,
      ),
    ).toBe(5);
  });
});
