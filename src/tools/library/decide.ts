/**
 * Explains Base transactions without network and without Node.js: in a browser, in a worker, in an own service.
 *
 * ```ts
 * import { caseFromReceipt, createEngine } from "txgloss/decide";
 * import compiled from "txgloss/compiled-rules.json" with { type: "json" };
 *
 * const engine = createEngine({ compiled });
 * const { explanation } = engine.decide(caseFromReceipt({ transaction, receipt }));
 * ```
 *
 * @module
 */
import { type CompiledRules, openCompiledRules } from "../../engine/compiled-rules.ts";
import { type DecideEngine, decideOnly } from "./decide-engine.ts";

export { type CompiledRules, CompiledRulesError } from "../../engine/compiled-rules.ts";
export {
  type CaseInput,
  CaseInputError,
  type CaseInputErrorCode,
  caseFromReceipt,
  type TokenInput,
} from "../../gather/receipt/case-from-receipt.ts";
export type { CaseFile, CaseFileV1 } from "../../model/case-file.ts";
export type { Decision } from "../../model/decision.ts";
export type { Evidence } from "../../model/evidence.ts";
export type { Explanation } from "../../model/explanation.ts";
export type { LookupPlan } from "../../model/lookup-plan.ts";
export { type DecideEngine, UndecidableCaseError } from "./decide-engine.ts";

/**
 * `compiled`: `txgloss/compiled-rules.json`, or the output of `rule-lint compile` for your own rules. Throws CompiledRulesError when
 * another version compiled them.
 */
export function createEngine(given: { compiled: CompiledRules }): DecideEngine {
  return decideOnly(openCompiledRules(given?.compiled));
}
