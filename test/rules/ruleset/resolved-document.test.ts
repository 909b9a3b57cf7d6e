import { describe, expect, it } from "vitest";
import { resolve } from "./resolved-text.ts";

describe("a file by itself", () => {
  it("is what it says, written out", () => {
    const { document, found, at } = resolve(`protocol: one
name: One
kind: standard
site: https://one.example
source: a book
contracts:
  pool: { "0x1": Pool, "0x2": { label: Other, source: a letter } }
tables: { t: { "1": "0x2" } }
rules:
  - { id: a, action: stake, does: x, example: { tx: "0x12", action: claim, says: "at {protocol}" } }
  - { id: b, action: stake, does: y, example: { to: pool } }
examples:
  - { name: c, given: { to: pool }, summary: "by {protocol} and {protocol}" }
  - { name: d, tx: "0x13" }
`);
    expect(found).toEqual([]);
    expect(document).toEqual({
      ...{ protocol: "one", name: "One", kind: "standard", site: "https://one.example" },
      rules: [
        { id: "a", action: "stake", does: "x" },
        { id: "b", action: "stake", does: "y" },
      ],
      tables: { t: { "1": "0x2" } },
      contracts: {
        pool: [
          { address: "0x1", source: ["a book"], label: "Pool" },
          { address: "0x2", source: ["a letter"], label: "Other" },
        ],
      },
      examples: [
        { name: "a", tx: "0x12", rule: "a", action: "claim", summary: "at One" },
        { name: "b", given: { to: "pool" }, rule: "b", action: "stake" },
        { name: "c", given: { to: "pool" }, summary: "by One and One" },
        { name: "d", tx: "0x13" },
      ],
    });
    expect([at("contracts", "pool", 0), at("contracts", "pool", 0, "label")]).toEqual(["7:11-7:16", "7:18-7:22"]);
    expect([at("contracts", "pool", 1), at("contracts", "pool", 1, "label")]).toEqual(["7:24-7:29", "7:40-7:45"]);
    expect([at("examples", 0), at("examples", 0, "given"), at("examples", 0, "summary")]).toEqual([
      ...["10:47-10:99", "10:47-10:99", "10:82-10:97"],
    ]);
    expect([at("examples", 1, "given", "to"), at("examples", 2, "name"), at("examples", 3)]).toEqual([
      ...["11:53-11:57", "13:13-13:14", "14:5-14:28"],
    ]);
  });

  it("has nothing that it does not say", () => {
    expect(resolve("protocol: bare\nkind: protocol\n").document).toEqual({
      ...{ protocol: "bare", kind: "protocol", examples: [] },
    });
    const { document } = resolve('protocol: bare\nkind: protocol\nexamples: [{ name: a, summary: "of {protocol}" }]\n');
    expect(document.examples).toEqual([{ name: "a", summary: "of bare" }]);
  });

  it("says where each address is from", () => {
    const { document, diagnostics, found } = resolve(
      'protocol: one\nkind: protocol\ncontracts:\n  a: { "0x1": A, "0x2": { label: B, source: c } }\n  b: { source: [d, e], "0x3": F }\n',
    );
    expect(found).toEqual(["RL202 4:8-4:13: `source` is missing: of the file, the role or this address"]);
    expect(diagnostics[0]?.help).toBe(
      "Say where the protocol publishes the address: `owner/repo@commit:path#key`, `https://… 2026-01-31`, `tx:0x…#role`, `block:N#code=0x…` or `unverified: why`.",
    );
    expect(document.contracts).toEqual({
      a: [
        { address: "0x1", source: [], label: "A" },
        { address: "0x2", source: ["c"], label: "B" },
      ],
      b: [{ address: "0x3", source: ["d", "e"], label: "F" }],
    });
  });
});
