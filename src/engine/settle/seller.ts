import type { Address } from "../../kernel/address.ts";
import type { ActorCall, AssetChange } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { allowsSpending, type GrantTable } from "../../rules/ruleset/grant-table.ts";

/** Innermost, of an account. */
interface Called {
  tx: Transaction;
  leaves: readonly ActorCall[];
  grants: GrantTable;
}

/**
 * Got something by its call of this contract. If other contracts were called too, an asset must be this contract's token, come from it, or
 * have moved while it ran (call tree).
 */
export function hasPart(called: Address, gets: readonly AssetChange[], { tx, leaves, grants }: Called): boolean {
  const isOther = ({ to, input, state }: ActorCall) =>
    to !== called && to !== null && state !== "failed" && !allowsSpending(grants, input);
  if (!leaves.some(isOther)) return true;
  return gets.some(({ token, movements }) => {
    if (token === called) return true;
    return movements.some((index) => {
      const move = tx.movements[index];
      return move !== undefined && (move.from === called || isInside(move, called, tx));
    });
  });
}

function isInside({ call }: Movement, called: Address, { calls, traced }: Transaction): boolean {
  for (let frame = traced ? calls[call] : undefined; frame !== undefined; frame = calls[frame.parent])
    if (frame.to === called) return true;
  return false;
}
