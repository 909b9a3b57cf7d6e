import { selectorOf } from "../../kernel/hex.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Call, Transaction } from "../../model/transaction.ts";
import type { RuleIndex } from "./rule-index.ts";

/** `via` of calls that no wrapper names. */
export const seenInTrace = "trace";

/**
 * Calls between contracts, such as a resolver's fill of an order. They are no act of a principal: only those that a rule with `acts_for`
 * may be about.
 */
export function foreignCalls(tx: Transaction, known: readonly ActorCall[], index: RuleIndex): ActorCall[] {
  if (!tx.traced) return [];
  const found: ActorCall[] = [];
  const told = new Set(known.map(keyOf));
  for (const call of tx.calls) {
    const { kind, ok, from, to, value, input } = call;
    if (call.index === 0 || kind !== "call" || !ok || to === null) continue;
    if (!index.mayRelay(selectorOf(input) ?? "0x", to) || told.has(keyOf(call))) continue;
    found.push({
      ...{
        id: known.length + call.index,
        parent: -1,
        via: seenInTrace,
        step: null,
        from,
        actor: from,
        to,
        value,
        input,
      },
      ...{ delegate: false, state: "executed", frame: call.index },
    });
  }
  return found;
}

function keyOf({ from, to, input }: Pick<Call, "from" | "to" | "input">): string {
  return `${from}${to}${input}`;
}
