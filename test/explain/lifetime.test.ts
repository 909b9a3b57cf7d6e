import { describe, expect, it } from "vitest";
import { caseLifetime, lifetimes } from "../../src/explain/lifetime.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { RiskLookups } from "../../src/model/risk-lookups.ts";
import { alice, answers, code, drainers, history, router } from "../assess/scene.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";

const file = (risk?: RiskLookups): CaseFile => ({ ...caseFileOf(hashOf(1)), ...(risk === undefined ? {} : { risk }) });
const longAfter = Date.UTC(2030, 0, 1);
const settled = (risk?: RiskLookups) => caseLifetime(file(risk), longAfter);

describe("how long a case may be used again", () => {
  it("is a day when every lookup was answered, whatever the answer, and without lookups", () => {
    const verification = { [router]: code({ status: "absent" }), [alice]: code({ status: "inconclusive" }) };
    expect(settled(answers({ verification }))).toBe(lifetimes.settled);
    expect(settled()).toBe(lifetimes.settled);
  });

  it("is none while a source that did not answer could still tell more", () => {
    const list = { name: "list.txt", snapshot_time: null, sha256: null, entries: 0, stale: true };
    const silent: Partial<RiskLookups>[] = [
      { verification: { [router]: code({ status: "unavailable" }) } },
      { history: { [alice]: history({ status: "unavailable" }) } },
      { drainers: drainers([], { lists: [list] }) },
    ];
    for (const parts of silent) expect(settled(answers(parts))).toBe(0);
  });

  it("does not wait for lists that are not configured, or that are stale", () => {
    expect(settled(answers({ drainers: drainers([], { status: "unavailable", lists: [] }) }))).toBe(lifetimes.settled);
  });
});
