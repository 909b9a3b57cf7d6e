import type { Address } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";

/**
 * In order. First what nobody can make up (ether, listed tokens), of the sender and the called account before others. Transfers of 0 are
 * dropped first. `truncated`: how many are dropped.
 */
export function keepWhatMatters(
  movements: Movement[],
  tx: Pick<Transaction, "from" | "to" | "listed">,
  truncated: string[],
): Movement[] {
  const excess = movements.length - limits.movementsMax;
  if (excess <= 0) return movements;
  truncated.push(`${excess} movements`);
  const byRank: Movement[][] = [[], [], [], [], []];
  for (const movement of movements) byRank[rankOf(movement, tx)]?.push(movement);
  const kept = byRank.flat().slice(0, limits.movementsMax);
  return kept.sort((a, b) => a.index - b.index).map((movement, index) => ({ ...movement, index }));
}

/** 0 is kept first, 4 dropped first. */
function rankOf(
  { token, from, to, amount }: Movement,
  tx: { from: Address; to: Address | null; listed: ReadonlySet<Address> },
): number {
  if (amount === 0n) return 4;
  const own = from === tx.from || to === tx.from || from === tx.to || to === tx.to;
  if (token === null || tx.listed.has(token)) return own ? 0 : 1;
  return own ? 2 : 3;
}
