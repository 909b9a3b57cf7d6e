import packageJson from "../../package.json" with { type: "json" };
import type { Address } from "../kernel/address.ts";
import { digestOf } from "../kernel/hash.ts";
import type { CaseFile, CaseFileV1 } from "../model/case-file.ts";
import type { Decision } from "../model/decision.ts";
import type { Labels, NameLabel } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import { granteeOf } from "../ruleset/grant-table.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { decide, plan } from "./decide.ts";

export const version: string = packageJson.version;

/** Decides with one set of rules and labels. It has no network and no clock. */
export interface Engine {
  /** Hash of rules, labels and engine version: equal hashes give equal explanations. */
  ruleset: string;
  /** Every value of action_type. */
  actionTypes: readonly string[];
  labels: Labels;
  /** Contracts of rule files with their names there; `category` is the id of the file's protocol. */
  contracts: readonly NameLabel[];
  /** Explains a case file of any version. */
  decide(caseFile: CaseFile | CaseFileV1): Decision;
  /** As {@link granteeOf}, by the rules. */
  granteeOf(to: Address, input: string): Address | null | undefined;
  /** What to look up for the draft of a case file. At most `lookupsMax` addresses are examined. */
  planLookups(draft: CaseFile | CaseFileV1, lookupsMax?: number): LookupPlan;
}

/** An engine of compiled rules and their labels. It needs no module of Node.js. */
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
      // The hash that callers see is of labels and version too.
      return { ...decided, evidence: () => ({ ...evidence(), ruleset: hashed() }) };
    },
    granteeOf: (to, input) => granteeOf(ruleset.grants, to, input),
    planLookups: (draft, lookupsMax = 0) => plan(draft, { ruleset, labels, lookupsMax }),
  };
}
