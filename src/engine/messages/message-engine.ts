import type { Labels } from "../../model/label.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import type { MessageDecision } from "../../model/told/message-explanation.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { decideMessage, planMessage } from "./decide-message.ts";
import type { MessageInput } from "./message-case.ts";

/** Explains what somebody is asked to sign. It uses no network and no clock, and needs no module of Node.js. */
export interface MessageEngine {
  /** Explains EIP-712 typed data, an EIP-7702 authorization or a user operation. Throws TypedDataError. */
  decideMessage(input: MessageInput): MessageDecision;
  /** Plans the lookups for a message. The source code of at most `lookupsMax` addresses is asked for; default 0. Throws TypedDataError. */
  planMessage(input: MessageInput, lookupsMax?: number): LookupPlan;
}

/** Makes the engine for messages. It is a module of its own, so that a program that decides only transactions need not load it. */
export function buildMessageEngine(ruleset: Ruleset, labels: Labels): MessageEngine {
  return {
    decideMessage: (input) => decideMessage(input, ruleset, labels),
    planMessage: (input, lookupsMax = 0) => planMessage(input, { ruleset, labels, lookupsMax }),
  };
}
