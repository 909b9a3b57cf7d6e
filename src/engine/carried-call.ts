import type { CaseFile } from "../model/case-file.ts";
import type { ActorCall } from "../model/match.ts";
import type { Decoded } from "./assessed-act.ts";
import type { HeldCall } from "./match/messages/held-calls.ts";
import type { CarriedActs } from "./present/message/message-findings.ts";

export interface DecodedCarried {
  acts: CarriedActs;
  decoded: Decoded;
}

/** By the calldata alone. `around`: the case file of what holds the call; its lookups count. `decode` runs the stages up to `settle`. */
export function decodeCarried(call: HeldCall, around: CaseFile, decode: (file: CaseFile) => Decoded): DecodedCarried {
  const decoded = decode(caseOfCall(call, around));
  const { settled, unwrapped } = decoded;
  // Rules without a proven place and an anchor say less than the name of the call.
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
  return { acts, decoded };
}

/** Without logs. "reverted" unless the call is empty: a request moved nothing. */
function caseOfCall({ from, to, value, data }: HeldCall, around: CaseFile): CaseFile {
  const { simulation: _, ...file } = around;
  const { hash, nonce } = file.transaction;
  return {
    ...file,
    transaction: {
      hash,
      from,
      to,
      value: `0x${value.toString(16)}`,
      input: data,
      ...(nonce !== undefined && { nonce }),
    },
    receipt: { status: value > 0n || data !== "0x" ? "0x0" : "0x1", logs: [] },
    trace: { source: "none", reason: "a call inside of another one" },
  };
}

/** It, or a call around it, is stated. */
function isUnderTold(call: ActorCall, calls: readonly ActorCall[], told: ReadonlySet<number>): boolean {
  for (let one: ActorCall | undefined = call; one !== undefined; one = calls[one.parent])
    if (told.has(one.id)) return true;
  return false;
}
