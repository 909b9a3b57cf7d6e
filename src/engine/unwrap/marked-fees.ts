import type { ActorCall } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";

interface MarkedFees {
  tx: Transaction;
  calls: readonly ActorCall[];
  /** Movements that look like gas. */
  fees: Set<number>;
}

/** An own call to a collector of gas, such as an EntryPoint deposit, is no fee. */
export function unmarkOwnEther({ tx, calls, fees }: MarkedFees): void {
  if (fees.size === 0) return;
  for (const { from, actor, to, value, delegate, frame } of calls) {
    if (from !== actor || value === 0n || delegate) continue;
    const carries = ({ call, amount }: Movement) => (tx.traced ? call === frame : amount === value);
    const own = tx.movements.find((one) => fees.has(one.index) && one.from === from && one.to === to && carries(one));
    if (own !== undefined) fees.delete(own.index);
  }
}

/** Same array where there are none. */
export function withFees(movements: Movement[], fees: ReadonlySet<number>): Movement[] {
  if (fees.size === 0) return movements;
  return movements.map((move) => (fees.has(move.index) ? { ...move, fee: true } : move));
}
