import type { ActorCall } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";

/** `via` of calls that only the call tree shows: nobody's envelope names them. */
export const seenInTrace = "trace";

/**
 * Calls between contracts, as the call tree shows them: a resolver's fill of somebody's order, say. They are nobody's own act;
 * rules that name whom they act for may be about them. Empty without a call tree.
 */
export function foreignCalls(tx: Transaction, known: readonly ActorCall[]): ActorCall[] {
  if (!tx.traced) return [];
  const told = new Set(known.map(({ from, to, input }) => `${from}${to}${input}`));
  return tx.calls
    .filter(
      ({ index, kind, ok, from, to, input }) => index > 0 && kind === "call" && ok && !told.has(`${from}${to}${input}`),
    )
    .map(({ index, from, to, value, input }) => ({
      ...{ id: known.length + index, parent: -1, via: seenInTrace, step: null, from, actor: from, to, value, input },
      ...{ delegate: false, state: "executed", frame: index },
    }));
}
