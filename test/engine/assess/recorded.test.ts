import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decide, planLookups } from "../../../src/engine/spine.ts";
import { parseDrainers } from "../../../src/gather/network/drainers/drainer-list.ts";
import { checksum } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { labels, recordings, ruleset } from "../../property/world.ts";
import { findShared } from "../../support/shared.ts";

/** Every flag of the recorded transactions, with the reason why it is right. The recordings hold no lookups. */
const expected: Record<string, string> = {
  // approve(2^256-1) of USDC, of WETH, and of two tokens for Permit2: calls of the subject itself.
  "0x1751422377": "unlimited_approval",
  "0x3df79dd230": "unlimited_approval",
  "0x6136fdc9dd": "unlimited_approval",
  "0x6b1079e162": "unlimited_approval",
  // 2^159 of USDC through Permit2: half of the largest number, and far more USDC than exists.
  "0xbffb6bd299": "unlimited_approval",
  // Its receipt says so.
  "0xed2d18166c": "transaction_reverted",
};

/** As much of a case as the first round trip tells. */
function draftOf(file: CaseFile): CaseFile {
  const traced = file.trace.source === "debug_traceTransaction";
  const trace = traced ? file.trace : { source: "none" as const, reason: "not asked yet" };
  return { ...file, tokens: {}, reads: [], trace };
}

describe("the recorded transactions", () => {
  const decided = recordings.map((file) => ({ file, decision: decide(file, ruleset, labels) }));

  it("raise these flags and no others", () => {
    const raised = decided.flatMap(({ file, decision }) =>
      decision.explanation.risk_flags.map(({ flag }) => [file.tx_hash.slice(0, 12), flag] as const),
    );
    expect(Object.fromEntries(raised)).toEqual(expected);
    expect(raised).toHaveLength(Object.keys(expected).length);
  });

  it("say that nothing was looked up", () => {
    for (const { decision } of decided) expect(decision.explanation.checks.contract_verification).toBe("unavailable");
  });

  it("have no address to examine that the lookups beside the second round trip did not know", () => {
    for (const { file, decision } of decided) {
      const plan = planLookups(draftOf(file), { ruleset, labels }, 8).risk;
      const { subject, risk } = decision.evidence();
      expect(plan.histories[0]).toBe(subject);
      const late = risk.examined.filter(({ address }) => !plan.listed.includes(address));
      // Only the second round trip finds out where ether went inside a call.
      const byEther = new Set(
        file.trace.source === "debug_traceTransaction"
          ? []
          : decision.explanation.assets_moved.flatMap(({ standard, to }) => (standard === "native" ? to : [])),
      );
      expect(late.filter(({ address }) => !byEther.has(checksum(address)))).toEqual([]);
    }
  });

  const list = findShared("facts/drainers.txt");
  it.skipIf(list === undefined)("deal with no address on a real drainer list", () => {
    const drainers = new Set<string>(parseDrainers(readFileSync(list as string, "utf8"))?.addresses);
    const met = decided.flatMap(({ decision }) => decision.evidence().risk.examined.map(({ address }) => address));
    expect(drainers.size).toBe(2530);
    expect(met.filter((address) => drainers.has(address))).toEqual([]);
  });
});
