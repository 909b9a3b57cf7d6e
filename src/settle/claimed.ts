import type { Candidate } from "../match/candidate.ts";

/** Positions that actions explain. */
export interface Claimed {
  has(index: number): boolean;
  keys(): Iterable<number>;
}

/** The claimed movements, and those that the actions take along. */
export function withAbsorbed(actions: readonly Candidate[], movements: Claimed): Claimed {
  if (actions.every(({ absorbedMovements }) => absorbedMovements.length === 0)) return movements;
  const claimed = new Set(movements.keys());
  for (const action of actions) for (const movement of action.absorbedMovements) claimed.add(movement);
  return claimed;
}
