import type { Engine } from "../../engine/build-engine.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { findCaseDisagreement } from "../../model/case-agreement.ts";
import type { CaseFile, CaseFileV1 } from "../../model/case-file.ts";
import type { Decision } from "../../model/decision.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";

/** Explains case files with one set of rules and labels. Pure: equal cases give equal bytes. */
export interface DecideEngine {
  /** Equal hashes of rules, labels and engine version give equal explanations. */
  readonly ruleset: string;
  /** Every value of `action_type`. */
  readonly actionTypes: readonly string[];
  /** Explains a case file of any version. Throws UndecidableCaseError. */
  decide(caseFile: CaseFile | CaseFileV1): Decision;
  /** Plans the lookups that complete a draft; source code of at most `lookupsMax` addresses (default 0). Throws UndecidableCaseError. */
  planLookups(draft: CaseFile | CaseFileV1, lookupsMax?: number): LookupPlan;
}

/**
 * A case file that cannot be explained. `wrong_chain`: of another chain. `invalid_case`: no case file. `wrong_transaction`: the receipt is
 * of another transaction.
 */
export class UndecidableCaseError extends Error {
  readonly code: "wrong_chain" | "invalid_case" | "wrong_transaction";

  constructor(code: UndecidableCaseError["code"], message: string) {
    super(message);
    this.name = "UndecidableCaseError";
    this.code = code;
  }
}

export function decideOnly({ ruleset, actionTypes, decide, planLookups }: Engine): DecideEngine {
  return {
    ruleset,
    actionTypes,
    decide: (caseFile) => decide(checkCase(caseFile)),
    planLookups: (draft, lookupsMax) => planLookups(checkCase(draft), lookupsMax),
  };
}

const objects = ["transaction", "receipt", "block", "trace", "tokens", "price"] as const;

/** Only the most important fields; the whole format is schemas/case.schema.json. */
function checkCase<T extends CaseFile | CaseFileV1>(file: T): T {
  if (typeof file !== "object" || file === null || (file.version !== 1 && file.version !== 2))
    throw new UndecidableCaseError("invalid_case", "A case file has the version 1 or 2.");
  if (file.chain_id !== chain.id) {
    const message = `The case is of chain ${file.chain_id}; these rules are for ${chain.name}, chain ${chain.id}.`;
    throw new UndecidableCaseError("wrong_chain", message);
  }
  const missing = objects.find((name) => typeof file[name] !== "object" || file[name] === null);
  if (missing !== undefined || !Array.isArray(file.receipt.logs) || !Array.isArray(file.reads)) {
    const name = missing ?? (Array.isArray(file.reads) ? "receipt.logs" : "reads");
    throw new UndecidableCaseError("invalid_case", `The case file has no ${name}.`);
  }
  const disagreement = findCaseDisagreement(file);
  if (disagreement !== undefined) {
    const message = `The parts of the case file are of different transactions: ${disagreement}.`;
    throw new UndecidableCaseError("wrong_transaction", message);
  }
  return file;
}
