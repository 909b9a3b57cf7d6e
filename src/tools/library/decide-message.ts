/**
 * Explains what somebody is asked to sign, without network and without Node.js.
 *
 * ```ts
 * import { createMessageEngine } from "txgloss/decide-message";
 * import compiled from "txgloss/compiled-rules.json" with { type: "json" };
 *
 * const { explanation } = createMessageEngine({ compiled }).decideMessage({ from, typed_data });
 * ```
 *
 * @module
 */
import { type CompiledRules, readCompiledRules } from "../../engine/compiled-rules.ts";
import { buildMessageEngine, type MessageEngine } from "../../engine/messages/message-engine.ts";
import { messageCompiler } from "../../rules/ruleset/compile/messages/compile-message.ts";

export { type CompiledRules, CompiledRulesError } from "../../engine/compiled-rules.ts";
export type { MessageInput } from "../../engine/messages/message-case.ts";
export type { MessageEngine } from "../../engine/messages/message-engine.ts";
export type { MessageDecision, MessageExplanation } from "../../model/told/message-explanation.ts";
export { TypedDataError } from "../../rules/typed-data/typed-data-error.ts";

/**
 * `compiled`: `txgloss/compiled-rules.json`, or the output of `rule-lint compile` for your own rules. Throws CompiledRulesError when
 * another version compiled them.
 */
export function createMessageEngine(given: { compiled: CompiledRules }): MessageEngine {
  const { ruleset, labels } = readCompiledRules(given?.compiled, messageCompiler);
  return buildMessageEngine(ruleset, labels);
}
