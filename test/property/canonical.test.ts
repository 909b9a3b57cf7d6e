import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/kernel/canonical.ts";

describe("canonicalJson", () => {
  it("says the same as JSON, with keys in order", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
    expect(canonicalJson({ b: 1, a: { d: [], c: null }, ä: 1, B: true })).toBe(
      '{"B":true,"a":{"c":null,"d":[]},"b":1,"ä":1}',
    );
  });

  it("writes large integers as text, and leaves out what JSON leaves out", () => {
    expect(canonicalJson({ n: 2n ** 200n, u: undefined, f: () => 1 })).toBe(`{"n":"${2n ** 200n}"}`);
    expect(canonicalJson([undefined, 1n, "\ud800\n"])).toBe('[null,"1","\\ud800\\n"]');
  });
});
