import { describe, expect, it } from "vitest";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../src/model/case-file.ts";
import { proxyKinds } from "../../src/model/risk-lookups.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";

const { version: _, trace: __, ...rest } = caseFileOf(hashOf(1));
const transfer = { type: "call", from: "0x01", to: null, value: "0x5", success: true };
const root = { type: "CALL", from: "0x01" };

describe("a case file", () => {
  it("of the newest version is left as it is", () => {
    const file: CaseFile = { ...rest, version: 2, trace: { source: "none", reason: "nobody had it" } };
    expect(upgradeCase(file)).toBe(file);
    // It does not matter what it names: in the first version the form was different.
    const odd = { ...file, trace: { source: "blockscout", internal: [transfer] } } as unknown as CaseFile;
    expect(upgradeCase(odd)).toBe(odd);
  });

  it.each<[string, CaseFileV1["trace"], CaseFile["trace"]]>([
    ["a call tree", { source: "debug_traceTransaction", root }, { source: "debug_traceTransaction", root }],
    ["no trace", { source: "none", reason: "nobody had it" }, { source: "none", reason: "nobody had it" }],
    [
      "transfers of an explorer",
      { source: "blockscout", internal: [transfer] },
      { source: "internal_transfers", provider: "blockscout", internal_transfers: [transfer] },
    ],
    [
      "an explorer that knew of none",
      { source: "blockscout", internal: [] },
      { source: "internal_transfers", provider: "blockscout", internal_transfers: [] },
    ],
  ])("of the first version with %s becomes one of the newest", (_name, trace, expected) => {
    const file: CaseFileV1 = { ...rest, version: 1, trace };
    const before = structuredClone(file);
    expect(upgradeCase(file)).toEqual({ ...rest, version: 2, trace: expected });
    expect(file).toEqual(before);
  });
});

describe("kinds of proxies", () => {
  it("stand in the order in which they are looked for", () => {
    expect(proxyKinds).toEqual([
      ...["eip7702", "eip1167", "eip1967", "beacon", "eip1822", "zeppelin", "safe", "diamond"],
    ]);
  });
});
