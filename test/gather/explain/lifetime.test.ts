import { describe, expect, it } from "vitest";
import { caseLifetime, failureLifetime, lifetimes } from "../../../src/gather/explain/lifetime.ts";
import { chain } from "../../../src/kernel/chain-profile.ts";
import { type ErrorCode, ServiceError } from "../../../src/kernel/error.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { RiskLookups } from "../../../src/model/risk-lookups.ts";
import { alice, answers, code, drainers, history, router } from "../../engine/assess/scene.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const file = (risk?: RiskLookups): CaseFile => ({ ...caseFileOf(hashOf(1)), ...(risk === undefined ? {} : { risk }) });
const longAfter = Date.UTC(2030, 0, 1);
const settled = (risk?: RiskLookups) => caseLifetime(file(risk), longAfter);

describe("how long a case may be used again", () => {
  it("is a day if every lookup was answered, with any answer, and without lookups", () => {
    const verification = { [router]: code({ status: "absent" }), [alice]: code({ status: "inconclusive" }) };
    expect(settled(answers({ verification }))).toBe(lifetimes.settled);
    expect(settled()).toBe(lifetimes.settled);
  });

  it("is half a minute while a source that did not answer could still tell more", () => {
    const list = { name: "list.txt", snapshot_time: null, sha256: null, entries: 0, stale: true };
    const silent: Partial<RiskLookups>[] = [
      { verification: { [router]: code({ status: "unavailable" }) } },
      { history: { [alice]: history({ status: "unavailable" }) } },
      { drainers: drainers([], { lists: [list] }) },
    ];
    for (const parts of silent) expect(settled(answers(parts))).toBe(30_000);
  });

  it("does not wait for a source that wants a key", () => {
    const silent = { status: "unavailable" as const, reason: "key_missing" as const };
    const verification = { [router]: code(silent) };
    expect(settled(answers({ verification, history: { [alice]: history(silent) } }))).toBe(lifetimes.settled);
  });

  it("does not wait for lists that are not configured, or that are stale", () => {
    expect(settled(answers({ drainers: drainers([], { status: "unavailable", lists: [] }) }))).toBe(lifetimes.settled);
  });
});

describe("how long a case and a failure are remembered", () => {
  const settled = Number(file().block.timestamp) * 1000 + chain.finalAfterMs + 1;
  it.each<[string, Partial<CaseFile>, number, number]>([
    ["settled for good", {}, settled, lifetimes.settled],
    ["a moment before", {}, settled - 1, lifetimes.young],
    ["young", {}, 0, lifetimes.young],
    ["without a time", { block: { number: "0x1" } as CaseFile["block"] }, settled, 0],
    [
      "whose trace may still come",
      { trace: { source: "none", reason: "the trace sources did not answer" } },
      settled,
      lifetimes.partial,
    ],
    [
      "that has no trace",
      { trace: { source: "none", reason: "plain transfer: 21000 gas" } },
      settled,
      lifetimes.settled,
    ],
    [
      "whose price did not come",
      { price: { status: "unavailable", source: "s", eth_usd: null } },
      settled,
      lifetimes.partial,
    ],
    [
      "whose price is not known",
      { price: { status: "inconclusive", source: "s", eth_usd: null } },
      settled,
      lifetimes.settled,
    ],
    [
      "whose token did not answer",
      {
        tokens: { a: { status: "unavailable", source: "s", symbol: null, name: null, decimals: null, standard: null } },
      },
      settled,
      lifetimes.partial,
    ],
    [
      "one of whose reads did not come",
      { reads: [{ status: "unavailable", source: "s", to: "0x", data: "0x", result: null } as never] },
      settled,
      lifetimes.partial,
    ],
  ])("a case %s", (_name, parts, now, ms) => {
    expect(caseLifetime({ ...file(), ...parts }, now)).toBe(ms);
  });

  it("a failure: where it tells something about the transaction", () => {
    const of = (code: ErrorCode) => failureLifetime(new ServiceError(code));
    expect([
      of("transaction_not_found"),
      of("transaction_pending"),
      of("upstream_unavailable"),
      of("overloaded"),
    ]).toEqual([...[2_000, 500, 0, 0]]);
    expect(lifetimes).toEqual({ settled: 86_400_000, young: 15_000, partial: 30_000, notFound: 2_000, pending: 500 });
  });
});
