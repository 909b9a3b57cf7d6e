import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Text } from "../../src/kernel/hex.ts";

describe("text out of bytes without Buffer", () => {
  it("is what Buffer makes of any bytes, be they UTF-8 or not", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, (some) => {
        const buffer = Buffer.from(some);
        expect(utf8Text(buffer.toString("hex"))).toBe(buffer.toString("utf8"));
      }),
      { numRuns: 500 },
    );
  });

  it("keeps a byte order mark", () => {
    expect(utf8Text("efbbbf41")).toBe("\ufeffA");
  });
});
