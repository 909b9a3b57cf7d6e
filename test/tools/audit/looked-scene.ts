import { expect } from "vitest";
import { type Address, checksum } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { CheckStatus, Checks, Explanation } from "../../../src/model/explanation.ts";
import type { Right } from "../../../src/tools/audit/facts/rights.ts";
import { auditExamination } from "../../../src/tools/audit/laws/examination.ts";
import { usdc } from "../../support/case-of.ts";
import { acme, rightOf, type SceneParts, sceneOf } from "./made-scene.ts";

export interface Looked {
  asked?: Address[];
  hits?: Address[];
  verification?: Record<string, { status: string; code: string | null }>;
  history?: Record<string, unknown>;
  checks?: Partial<Record<keyof Checks, CheckStatus>>;
  flags?: [string, Address][];
}

/** The sentences about a scene with these lookups and checks. Only the checks that are given say `ok`. */
export function sentences(parts: SceneParts, looked: Looked = {}): string[] {
  const { asked = [], hits = [], verification = {}, history = {}, checks = {}, flags = [] } = looked;
  const drainers = { asked, hits: hits.map((address) => ({ address, list: "test" })) };
  const risk = { verification, history, drainers } as unknown as CaseFile["risk"];
  const open = { contract_verification: "partial", first_interaction: "partial", drainer_blacklist: "partial" };
  const answer = {
    checks: { ...open, unchecked_addresses: [], note: null, ...checks },
    risk_flags: flags.map(([flag, address]) => ({ flag, detail: `See ${checksum(address)}.` })),
  } as unknown as Partial<Explanation>;
  return auditExamination(sceneOf({ ...parts, file: { ...parts.file, risk: risk as never }, answer })).map(
    ({ law, sentence }) => {
      expect(law).toBe(8);
      return sentence;
    },
  );
}

/** Who must be examined, by his role. */
export const the = (role: string, address: Address) => `The ${role} ${checksum(address)}`;
export const right = (owner: Address, spender: Address, of: Address = usdc): Right => {
  return rightOf({ owner, spender, token: of, left: 1n });
};
/** A call of a known contract, about which nothing is looked up. */
export const atAcme = { called: acme };
