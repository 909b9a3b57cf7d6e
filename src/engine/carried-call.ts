import type { CaseFile } from "../model/case-file.ts";
import type { ActorCall } from "../model/match.ts";
import type { Decoded } from "./assessed-act.ts";
import type { HeldCall } from "./match/messages/held-calls.ts";
import type { CarriedActs } from "./present/message/message-findings.ts";

/** What a carried call does, and everything that was decoded from it. */
export interface DecodedCarried {
  acts: CarriedActs;
  decoded: Decoded;
}

/**
 * Decodes the call that a message or another call holds, as the call of a transaction is decoded, but by its calldata alone. `around`: the
 * case file of what holds the call; its lookups count for the call too. `decode` runs the stages up to `settle`.
 */
export function decodeCarried(call: HeldCall, around: CaseFile, decode: (file: CaseFile) => Decoded): DecodedCarried {
  const decoded = decode(caseOfCall(call, around));
  const { settled, unwrapped } = decoded;
  // Rules without a proven place and without an anchor use general words. They say less than naming the call itself.
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

/**
 * The case file of the call alone. It has no logs, and its status is "reverted" unless the call is empty: what is only asked for moved
 * nothing.
 */
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

/** Whether the call, or a call that holds it, is told. */
function isUnderTold(call: ActorCall, calls: readonly ActorCall[], told: ReadonlySet<number>): boolean {
  for (let one: ActorCall | undefined = call; one !== undefined; one = calls[one.parent])
    if (told.has(one.id)) return true;
  return false;
}
