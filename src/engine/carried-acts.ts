import type { CaseFile } from "../model/case-file.ts";
import type { MatchContext } from "../model/match.ts";
import type { CompiledRule } from "../rules/ruleset/compiled.ts";
import type { Decoded } from "./assessed-act.ts";
import { decodeCarried } from "./carried-call.ts";
import { type HeldCall, heldCalls } from "./match/messages/held-calls.ts";
import type { CarriedActs } from "./present/message/message-findings.ts";

interface Action {
  rule: Pick<CompiledRule, "carries">;
  context: MatchContext;
}

/** Of calls inside calls. */
const depthMax = 2;
/** Per transaction. */
const callsMax = 16;

const none: CarriedByAct = new Map();

/** By the context of the outer act. */
export type CarriedByAct = ReadonlyMap<MatchContext, readonly CarriedActs[]>;

/** By `carries` of their rules. Any rule about calls may explain such a call, also of other files. */
export function carriedBy(
  actions: readonly Action[],
  file: CaseFile,
  decode: (file: CaseFile) => Decoded,
): CarriedByAct {
  if (!actions.some(({ rule }) => rule.carries !== null)) return none;
  const found = new Map<MatchContext, CarriedActs[]>();
  let left = callsMax;
  const visit = (some: readonly Action[], depth: number): void => {
    for (const { rule, context } of some) {
      if (rule.carries === null) continue;
      // Empty data without ether is no call.
      const held = heldCalls(rule.carries, context).filter(({ data, value }) => data !== "0x" || value > 0n);
      const calls: readonly HeldCall[] = held.slice(0, left);
      left -= calls.length;
      const inner = calls.map((call) => decodeCarried(call, file, decode).acts);
      found.set(context, inner);
      if (depth < depthMax) for (const { actions: acts } of inner) visit(acts, depth + 1);
    }
  };
  visit(actions, 1);
  return found;
}
