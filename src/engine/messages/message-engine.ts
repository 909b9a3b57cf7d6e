import type { Labels } from "../../model/label.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import type { MessageDecision } from "../../model/told/message-explanation.ts";
import type { Ruleset } from "../../ruleset/ruleset.ts";
import { decideMessage, planMessage } from "./decide-message.ts";
import type { MessageInput } from "./message-case.ts";

/** Explains what somebody is asked to sign. It has no network and no clock, and needs no module of Node.js. */
export interface MessageEngine {
  /** Explains typed data, an EIP-7702 authorization or a user operation. Throws TypedDataError. */
  decideMessage(input: MessageInput): MessageDecision;
  /** What to look up before that. The source code of at most `lookupsMax` addresses is asked for; default 0. Throws likewise. */
  planMessage(input: MessageInput, lookupsMax?: number): LookupPlan;
}

/** Apart from the engine of transactions, so that whoever needs only that need not load this. */
export function buildMessageEngine(ruleset: Ruleset, labels: Labels): MessageEngine {
  return {
    decideMessage: (input) => decideMessage(input, ruleset, labels),
    planMessage: (input, lookupsMax = 0) => planMessage(input, { ruleset, labels, lookupsMax }),
  };
}
