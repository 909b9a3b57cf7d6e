import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/assess/finding.ts";
import { limits } from "../../src/kernel/limits.ts";
import { presentRiskEvidence, tellChecks, tellFlags } from "../../src/present/risk.ts";
import { state } from "../../src/ruleset/wording/phrases.ts";
import { alice, bob } from "../support/case-of.ts";
import { teller } from "./named-world.ts";

describe("flags", () => {
  const finding = (flag: Finding["flag"], i = 0): Finding =>
    ({
      flag,
      statement: state("summary.reason_unknown", {}),
      address: null,
      role: null,
      basis: `b${i}`,
      evidence: [],
    }) as never;
  const many = (flag: Finding["flag"], count: number) => Array.from({ length: count }, (_, i) => finding(flag, i));

  it.each([
    ["known_drainer", 10, 10, 0],
    ["known_drainer", 12, 10, 2],
    ["unlimited_approval", 11, 10, 1],
    ["approval_for_all", 11, 10, 1],
    ["unverified_contract", 12, 10, 0],
    [null, 12, 0, 0],
  ] as const)("%s, %i times, is listed %i times and counted %i times", (flag, count, listed, cut) => {
    const told = tellFlags(many(flag, count), teller);
    const detail = teller.tell(state("summary.reason_unknown", {}));
    expect(told).toEqual({ flags: Array.from({ length: listed }, () => ({ flag, detail })), cut });
  });

  it("of one kind leave room for those of another", () => {
    const { flags, cut } = tellFlags([...many("known_drainer", 11), ...many("unverified_contract", 2)], teller);
    expect([flags.length, cut]).toEqual([12, 1]);
  });

  it("rest on findings and lookups that the evidence lists up to its limit", () => {
    const lookup = { status: "found", source: "s", time: "t", more: 1 };
    const risk = { verification: { [bob]: lookup }, history: { [alice]: lookup }, drainers: lookup } as never;
    const examined = Array.from({ length: limits.evidenceMax + 1 }, () => ({
      address: bob,
      roles: new Set(["called"]),
    })) as never;
    const found = { examined, findings: many("known_drainer", limits.evidenceMax + 1) } as never;
    const told = presentRiskEvidence(found, { risk } as never, teller);
    expect([told.examined.length, told.findings.length]).toEqual([limits.evidenceMax, limits.evidenceMax]);
    expect(told.examined[0]).toEqual({ address: bob, roles: ["called"] });
    expect(Object.entries(told.findings[1] ?? {})).toEqual([
      ["flag", "known_drainer"],
      ["detail", teller.tell(state("summary.reason_unknown", {}))],
      ["address", null],
      ["role", null],
      ["basis", "b1"],
      ["evidence", []],
    ]);
    const asked = { status: "found", source: "s", time: "t" };
    expect(told.lookups).toEqual([
      { about: `verification ${bob}`, ...asked },
      { about: `history ${alice}`, ...asked },
      { about: "drainers", ...asked },
    ]);
    expect(presentRiskEvidence({ examined: [], findings: [] } as never, {} as never, teller)).toEqual({
      ...{ examined: [], findings: [], lookups: [] },
    });
  });

  it("stand beside checks, whose notes are joined and cut", () => {
    const results = { contract_verification: "ok", first_interaction: "partial", drainer_blacklist: "unavailable" };
    const note = teller.tell(state("summary.reason_unknown", {}));
    const checks = (count: number, unchecked: number) =>
      tellChecks(
        {
          ...results,
          unchecked: Array.from({ length: unchecked }, () => alice),
          notes: Array.from({ length: count }, () => state("summary.reason_unknown", {})),
        } as never,
        teller,
      );
    expect(checks(0, 0)).toEqual({ ...results, unchecked_addresses: [], note: null });
    expect(checks(2, 0).note).toBe(`${note} ${note}`);
    expect(checks(100, 51).note).toHaveLength(1_000);
    expect(checks(0, 51).unchecked_addresses).toHaveLength(50);
  });
});
