import packageJson from "../../package.json" with { type: "json" };
import type { Address } from "../kernel/address.ts";
import { digestOf } from "../kernel/hash.ts";
import type { CaseFile, CaseFileV1 } from "../model/case-file.ts";
import type { Labels, NameLabel } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import { granteeOf } from "../rules/ruleset/grant-table.ts";
import type { Ruleset } from "../rules/ruleset/ruleset.ts";
import { type DecidedCase, decide, planLookups } from "./spine.ts";

export const version: string = packageJson.version;

/** One set of rules and labels; no network, no clock. */
export interface Engine {
  /** Hash of rules, labels and engine version: equal hashes give equal explanations. */
  ruleset: string;
  actionTypes: readonly string[];
  labels: Labels;
  /** `category`: id of the file's protocol. */
  contracts: readonly NameLabel[];
  /** A case file of any version. */
  decide(caseFile: CaseFile | CaseFileV1): DecidedCase;
  /** {@link granteeOf} with this engine's rules. */
  granteeOf(to: Address, input: string): Address | null | undefined;
  /** At most `lookupsMax` addresses are examined; default 0. */
  planLookups(draft: CaseFile | CaseFileV1, lookupsMax?: number): LookupPlan;
}

/** Needs no module of Node.js. */
export function buildEngine(ruleset: Ruleset, labels: Labels): Engine {
  let hash: string | undefined;
  const hashed = () => {
    hash ??= digestOf([version, ruleset.fingerprint, labels.fingerprint].join("\n")).slice(0, 32);
    return hash;
  };
  return {
    get ruleset() {
      return hashed();
    },
    actionTypes: [...ruleset.actions.keys()].sort(),
    labels,
    contracts: ruleset.names,
    decide(caseFile) {
      const { evidence, ...decided } = decide(caseFile, ruleset, labels);
      // Public, so it covers labels and engine version too.
      return { ...decided, evidence: () => ({ ...evidence(), ruleset: hashed() }) };
    },
    granteeOf: (to, input) => granteeOf(ruleset.grants, to, input),
    planLookups: (draft, lookupsMax = 0) => planLookups(draft, { ruleset, labels }, lookupsMax),
  };
}
