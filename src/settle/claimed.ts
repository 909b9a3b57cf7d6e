import type { Candidate } from "../match/candidate.ts";
import type { AssetChange } from "../model/match.ts";

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

/** The evidence that another action claims already; undefined: none. */
export function findClash(
  kind: string,
  wanted: readonly number[],
  claimed: ReadonlyMap<number, string>,
): { by: string; reason: string } | undefined {
  for (const index of wanted) {
    const by = claimed.get(index);
    if (by !== undefined) return { by, reason: `${kind} ${index} is claimed` };
  }
  return undefined;
}

/** An action without the assets that another one explains: what it only took along it does not tell again. */
export function withoutOthers(action: Candidate, claimed: ReadonlyMap<number, string>): Candidate {
  const { rule, context, movements } = action;
  if (rule.flow === null) return action;
  const own = new Set(movements);
  const keep = (assets: AssetChange[]): AssetChange[] => {
    const kept = assets.filter((asset) => !asset.movements.every((index) => claimed.has(index) && !own.has(index)));
    return kept.length === 0 ? assets : kept;
  };
  const { gives, gets } = context.flow;
  return { ...action, context: { ...context, flow: { ...context.flow, gives: keep(gives), gets: keep(gets) } } };
}

/** Positions of the logs of admitted emitters that say nothing new beside what the rule tells (`absorbs`). */
export function absorbedLogs({ rule, context }: Candidate): number[] {
  const absorbed: number[] = [];
  for (const { event, gate } of rule.absorbs)
    for (const { address, index } of context.logsWith(event.hash))
      if (context.admits(gate, address)) absorbed.push(index);
  return absorbed;
}
