import { selectorOf } from "../../kernel/hex.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Call, Transaction } from "../../model/transaction.ts";
import type { RuleIndex } from "./rule-index.ts";

/** `via` of calls that only the call tree shows: no wrapper names them. */
export const seenInTrace = "trace";

/**
 * Calls between contracts, as the call tree shows them, such as a resolver's fill of somebody's order. They are no act of an account that
 * the transaction ran for. So only rules that say for whom they act can be about them, and only calls that such a rule may be about are
 * returned.
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
