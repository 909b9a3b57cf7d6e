import type { AssetChange } from "../../model/match.ts";
import type { Candidate } from "../match/candidate.ts";

/** Positions of evidence. */
export interface Claimed {
  has(index: number): boolean;
  keys(): Iterable<number>;
}

/** With those only taken along. */
export function withAbsorbed(actions: readonly Candidate[], movements: Claimed): Claimed {
  if (actions.every(({ absorbedMovements }) => absorbedMovements.length === 0)) return movements;
  const claimed = new Set(movements.keys());
  for (const action of actions) for (const movement of action.absorbedMovements) claimed.add(movement);
  return claimed;
}

/** The first one claimed before, and by which rule. */
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

/** So that no asset is stated twice. */
export function withoutOthers(action: Candidate, claimed: ReadonlyMap<number, string>): Candidate {
  const { rule, context, movements } = action;
  if (rule.flow === null) return action;
  const own = new Set(movements);
  const isOthers = (index: number) => claimed.has(index) && !own.has(index);
  const keep = (assets: AssetChange[]): AssetChange[] => {
    const kept = assets.filter((asset) => !asset.movements.every(isOthers));
    return kept.length === 0 ? assets : kept;
  };
  const { gives, gets } = context.flow;
  const given = keep(gives).map((asset) => withoutParts(asset, action, { own, isOthers }));
  return { ...action, context: { ...context, flow: { ...context.flow, gives: given, gets: keep(gets) } } };
}

/** Without what its other actions claim. */
function withoutParts(
  asset: AssetChange,
  { context: { tx, subject } }: Candidate,
  { own, isOthers }: { own: ReadonlySet<number>; isOthers: (index: number) => boolean },
): AssetChange {
  if (!asset.movements.some((index) => own.has(index)) || !asset.movements.some(isOthers)) return asset;
  const movements = asset.movements.filter((index) => !isOthers(index));
  const amount = movements.reduce((sum, index) => {
    const move = tx.movements[index];
    return move === undefined ? sum : move.from === subject ? sum + move.amount : sum - move.amount;
  }, 0n);
  return amount > 0n ? { ...asset, amount, movements } : asset;
}

/** By `absorbs`: admitted writers, nothing new. */
export function absorbedLogs({ rule, context }: Candidate): number[] {
  const absorbed: number[] = [];
  for (const { event, gate } of rule.absorbs)
    for (const { address, index } of context.logsWith(event.hash))
      if (context.admits(gate, address)) absorbed.push(index);
  return absorbed;
}
