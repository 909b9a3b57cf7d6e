import { describe, expect, it } from "vitest";
import { assert, ServiceError } from "../../src/kernel/error.ts";

describe("a failure", () => {
  it("has the status and the meaning of its code", () => {
    const cause = new Error("deeper");
    const plain = new ServiceError("not_found");
    expect({ ...plain, message: plain.message }).toEqual({
      name: "ServiceError",
      code: "not_found",
      status: 404,
      retryable: false,
      retryAfterSeconds: undefined,
      message: "There is no such path.",
    });
    const own = new ServiceError("overloaded", "busy", { retryAfterSeconds: 3, cause });
    expect([own.message, own.status, own.retryable, own.retryAfterSeconds, own.cause]).toEqual([
      "busy",
      503,
      true,
      3,
      cause,
    ]);
  });

  it("of our own code says what does not hold", () => {
    expect(() => assert(0, "one is one")).toThrow("assertion failed: one is one");
    expect(() => assert(1, "one is one")).not.toThrow();
  });
});
