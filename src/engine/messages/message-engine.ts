import type { Labels } from "../../model/label.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import type { MessageDecision } from "../../model/told/message-explanation.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { decideMessage, planMessage } from "./decide-message.ts";
import type { MessageInput } from "./message-case.ts";

/** No network, no clock, no module of Node.js. */
export interface MessageEngine {
  /** EIP-712 typed data, an EIP-7702 authorization or a user operation. Throws TypedDataError. */
  decideMessage(input: MessageInput): MessageDecision;
  /** Source code of at most `lookupsMax` addresses; default 0. Throws TypedDataError. */
  planMessage(input: MessageInput, lookupsMax?: number): LookupPlan;
}

/** Apart, so that programs about transactions alone need not load it. */
export function buildMessageEngine(ruleset: Ruleset, labels: Labels): MessageEngine {
  return {
    decideMessage: (input) => decideMessage(input, ruleset, labels),
    planMessage: (input, lookupsMax = 0) => planMessage(input, { ruleset, labels, lookupsMax }),
  };
}
