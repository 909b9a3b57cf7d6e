import type { MessageCall } from "../../match/messages/match-message.ts";
import type { Labels } from "../../model/label.ts";
import type { ActorCall } from "../../model/match.ts";
import type { CarriedActs } from "../../present/message/message-findings.ts";
import type { Ruleset } from "../../ruleset/ruleset.ts";
import { type Decoded, decodeCase } from "../decide.ts";
import { type CarriedRight, carriedRights } from "./carried-rights.ts";
import { type MessageInput, messageCase } from "./message-case.ts";

/** What a carried call does, and all that was found out about it. */
export interface DecodedCarried {
  acts: CarriedActs;
  rights: CarriedRight[];
  decoded: Decoded;
}

/** Takes the call of a message apart as the call of a transaction is, by its calldata alone. */
export function decodeCarried(
  call: MessageCall,
  input: MessageInput,
  { ruleset, labels }: { ruleset: Ruleset; labels: Labels },
): DecodedCarried {
  const decoded = decodeCase(messageCase(input, call), ruleset, labels);
  const { settled, unwrapped } = decoded;
  // Words for whatever nobody knows say less than the call itself.
  const actions = settled.actions.filter(({ rule }) => rule.specificity.place > 0 || rule.anchor.kind !== "none");
  const told = new Set(
    actions.flatMap(({ calls, context }) => (context.call === null ? calls : [...calls, context.call.id])),
  );
  const parents = new Set(unwrapped.calls.map(({ parent }) => parent));
  const innermost = unwrapped.calls.filter(({ id, step }) => !parents.has(id) && step === null);
  const acts = {
    actions,
    calls: innermost.filter((one) => !isUnderTold(one, unwrapped.calls, told)),
    told,
    opaque: unwrapped.truncated.length > 0 || unwrapped.calls.some(({ state }) => state === "opaque"),
  };
  return { acts, rights: carriedRights(unwrapped.calls, ruleset), decoded };
}

/** Whether the call, or one around it, is told. */
function isUnderTold(call: ActorCall, calls: readonly ActorCall[], told: ReadonlySet<number>): boolean {
  for (let one: ActorCall | undefined = call; one !== undefined; one = calls[one.parent])
    if (told.has(one.id)) return true;
  return false;
}
