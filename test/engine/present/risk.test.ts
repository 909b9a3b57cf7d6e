import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/engine/assess/finding.ts";
import { presentRiskEvidence, tellChecks, tellFlags } from "../../../src/engine/present/risk.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob } from "../../support/case-of.ts";
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

  const detail = teller.tell(state("summary.reason_unknown", {}));
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  /** How many flags of this kind find room beside the other lists. */
  const roomFor = (flag: string, lists: unknown) =>
    Math.floor((256 * 1024 - 24 * 1024 - bytesOf(lists)) / (bytesOf({ flag, detail }) + 1));

  it.each(["known_drainer", "unlimited_approval", "approval_for_all", "unverified_contract"] as const)(
    "%s is listed as often as the body has room, and what is cut is counted",
    (flag) => {
      for (const lists of [[], ["é".repeat(50_000)]]) {
        const max = roomFor(flag, lists);
        for (const [count, cut] of [
          [0, 0],
          [50, 0],
          [max, 0],
          [max + 2, 2],
        ] as const)
          expect(tellFlags(many(flag, count), teller, lists)).toEqual({
            flags: Array.from({ length: count - cut }, () => ({ flag, detail })),
            cut,
          });
      }
    },
  );

  it.each([1, 30])(
    "are told in the order of the findings, without what is not enough for a flag: %i times",
    (times) => {
      const kinds = Array.from(
        { length: times },
        () => ["known_drainer", "unverified_contract", null, "known_drainer"] as const,
      ).flat();
      const { flags, cut } = tellFlags(
        kinds.map((flag, i) => finding(flag, i)),
        teller,
        [],
      );
      expect([flags.map(({ flag }) => flag), cut]).toEqual([kinds.filter((flag) => flag !== null), 0]);
    },
  );

  it("of one kind leave room for those of another", () => {
    const { flags, cut } = tellFlags([...many("impersonated_token", 9_000), ...many("known_drainer", 3)], teller, []);
    expect(flags.slice(-4).map(({ flag }) => flag)).toEqual(["impersonated_token", ...Array(3).fill("known_drainer")]);
    expect(flags.length + cut).toBe(9_003);
    expect(cut).toBeGreaterThan(0);
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
