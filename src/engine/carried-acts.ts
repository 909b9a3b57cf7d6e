import { type HeldCall, heldCalls } from "../match/messages/held-calls.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { MatchContext } from "../model/match.ts";
import type { CarriedActs } from "../present/message/message-findings.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { decodeCarried } from "./carried-call.ts";

interface Action {
  rule: Pick<CompiledRule, "carries">;
  context: MatchContext;
}

/** How deep calls inside of calls are told. */
const depthMax = 2;
/** Calls of one transaction that are taken apart for it. */
const callsMax = 16;

const none: CarriedByAct = new Map();

/** What the calls do that the calls of acts hold, by the context of the act. */
export type CarriedByAct = ReadonlyMap<MatchContext, readonly CarriedActs[]>;

/** By the rules about calls, whatever the rule is that says where the calls stand. */
export function carriedBy(
  actions: readonly Action[],
  file: CaseFile,
  world: { ruleset: Ruleset; labels: Labels },
): CarriedByAct {
  // Nearly no rule says so.
  if (!actions.some(({ rule }) => rule.carries !== null)) return none;
  const found = new Map<MatchContext, CarriedActs[]>();
  let left = callsMax;
  const visit = (some: readonly Action[], depth: number): void => {
    for (const { rule, context } of some) {
      if (rule.carries === null) continue;
      // Empty bytes are no call.
      const held = heldCalls(rule.carries, context).filter(({ data, value }) => data !== "0x" || value > 0n);
      const calls: readonly HeldCall[] = held.slice(0, left);
      left -= calls.length;
      const inner = calls.map((call) => decodeCarried(call, file, world).acts);
      found.set(context, inner);
      if (depth < depthMax) for (const { actions: acts } of inner) visit(acts, depth + 1);
    }
  };
  visit(actions, 1);
  return found;
}
