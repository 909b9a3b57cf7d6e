import { describe, expect, it } from "vitest";
import type { Examined } from "../../../src/engine/assess/examined/examine.ts";
import { coverageOf, judgePublishedCode } from "../../../src/engine/assess/published-code.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { type Address, checksum } from "../../../src/kernel/address.ts";
import type { VerificationLookup } from "../../../src/model/risk-lookups.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob, carol } from "../../support/case-of.ts";

const code = (parts: Partial<VerificationLookup> = {}): VerificationLookup => ({
  ...{ status: "found", source: "sourcify", time: "2026-01-02T03:04:05.000Z", code: "contract", logic: [] },
  ...{ via: [], owned: false },
  ...parts,
});
const failed = code({ status: "unavailable" });
const diamond = code({ status: "inconclusive", via: ["eip1967", "diamond"] });
const unclear = code({ status: "inconclusive", via: ["eip1967"] });

const one = (address: Address): Examined => ({
  ...{ address, roles: ["spender"], selector: null, account: alice, dealt: true },
});
const [bobs, carols] = [bob, carol].map(one) as [Examined, Examined];

/** What is known of code, and who wrote logs. */
function actOf(verification: Record<Address, VerificationLookup>, emitters: Address[] = []): SubjectAct {
  const tx = { logs: emitters.map((address) => ({ address })) };
  return { tx, file: { risk: { verification } } } as unknown as SubjectAct;
}

describe("published code", () => {
  it.each<[string, VerificationLookup | undefined, Address[], string]>([
    ["was not asked for", undefined, [], "missing"],
    ["did not answer", failed, [], "failed"],
    ["is a diamond", diamond, [], "uncovered"],
    ["is unclear", unclear, [], "undecidable"],
    ["has source", code(), [bob], "answered"],
    ["has no source", code({ status: "absent" }), [bob], "answered"],
    ["is no contract", code({ status: "absent", code: "none" }), [carol], "answered"],
    ["is gone", code({ status: "absent", code: "none" }), [carol, bob], "undecidable"],
  ])("covers what %s as %#", (_what, lookup, emitters, expected) => {
    const act = actOf(lookup === undefined ? {} : { [bob]: lookup }, emitters);
    expect(coverageOf(bobs, act)).toBe(expected);
  });

  it.each<[string, VerificationLookup, Address[] | null]>([
    ["without source", code({ status: "absent" }), []],
    ["that is its own logic", code({ status: "absent", logic: [bob] }), []],
    ["with logic behind it", code({ status: "absent", logic: [bob, carol] }), [carol]],
    ["that is delegated", code({ status: "absent", code: "delegated", logic: [carol] }), [carol]],
    ["with source", code(), null],
    ["that nobody answered for", failed, null],
    ["that is unclear", unclear, null],
    ["that is none", code({ status: "absent", code: "none" }), null],
    ["that was not read", code({ status: "absent", code: null }), null],
  ])("flags code %s", (_what, lookup, logic) => {
    const party = state("role.spender", { address: bob });
    const plain = logic?.length === 0;
    const statement = plain
      ? state("flag.unverified", { party })
      : state("flag.unverified_behind", { party, logic: logic ?? [] });
    const flagged = {
      ...{ flag: "unverified_contract", statement, address: bob, role: "spender" },
      ...{ basis: plain ? "code" : "implementation", evidence: [`lookup verification ${checksum(bob)}`] },
    };
    const found = judgePublishedCode([carols, bobs], actOf({ [bob]: lookup }));
    expect(found).toEqual(logic === null ? [] : [flagged]);
  });
});
