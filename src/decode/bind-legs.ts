import type { Address } from "../kernel/address.ts";
import type { MatchContext } from "../model/match.ts";
import type { Movement } from "../model/transaction.ts";
import type { CompiledLeg, Gate, Getter } from "../ruleset/compiled.ts";

type Admits = (gate: Gate, address: Address) => boolean;

/**
 * Binds a rule's legs to movements, nearest to the anchor first; fills `context.legs` and returns the movements claimed.
 * Undefined when a leg that is not optional finds none. One movement serves one leg: the leg that asks for more goes first,
 * so that the order in which a file lists them decides nothing.
 */
export function bindLegs(legs: readonly CompiledLeg[], context: MatchContext, admits: Admits): number[] | undefined {
  if (legs.length === 0) return [];
  const taken = new Set<number>();
  context.legs = legs.map(() => null);
  for (const place of turnsOf(legs)) {
    const leg = legs[place] as CompiledLeg;
    const fits = context.tx.movements.filter(
      (move) => !taken.has(move.index) && !move.fee && legFits(leg, move, context, admits),
    );
    const chosen = nearest(fits, context.log?.index ?? -1);
    if (chosen === undefined && !leg.optional) return undefined;
    context.legs[place] = chosen ?? null;
    if (chosen !== undefined) taken.add(chosen.index);
    if (leg.many) for (const move of fits) taken.add(move.index);
  }
  return [...taken];
}

const turns = new WeakMap<readonly CompiledLeg[], number[]>();

/** Places of the legs in the order of their turns: needed before optional, one before many, the closer bound first, then by name. */
function turnsOf(legs: readonly CompiledLeg[]): readonly number[] {
  let order = turns.get(legs);
  if (order === undefined) {
    order = [...legs.keys()].sort((a, b) => compareLegs(legs[a] as CompiledLeg, legs[b] as CompiledLeg));
    turns.set(legs, order);
  }
  return order;
}

function compareLegs(a: CompiledLeg, b: CompiledLeg): number {
  return (
    Number(a.optional) - Number(b.optional) ||
    Number(a.many) - Number(b.many) ||
    boundFields(b) - boundFields(a) ||
    (a.name < b.name ? -1 : 1)
  );
}

function boundFields(leg: CompiledLeg): number {
  return [leg.token, leg.from, leg.to, leg.amount, leg.id, leg.standards].filter((field) => field !== null).length;
}

function legFits(leg: CompiledLeg, move: Movement, context: MatchContext, admits: Admits): boolean {
  // What goes to oneself changes nothing, so it shows nothing.
  if (move.from === move.to) return false;
  if (leg.standards !== null && !leg.standards.includes(move.standard)) return false;
  if (leg.token !== null && leg.token(context) !== (move.token ?? "native")) return false;
  if (!partyFits(leg.from, move.from, context, admits) || !partyFits(leg.to, move.to, context, admits)) return false;
  if (leg.id !== null && leg.id(context) !== move.tokenId) return false;
  // A transfer of nothing shows nothing: it must be stated.
  if (leg.amount === null) return move.amount > 0n;
  const amount = leg.amount(context);
  return typeof amount === "bigint" && (amount === move.amount || -amount === move.amount);
}

function partyFits(party: Getter | Gate | null, address: Address, context: MatchContext, admits: Admits): boolean {
  if (party === null) return true;
  return typeof party === "function" ? party(context) === address : admits(party, address);
}

/** The closest log before the anchor, else the first after it; native movements have no log and come last. */
function nearest(moves: readonly Movement[], anchor: number): Movement | undefined {
  let best: Movement | undefined;
  for (const move of moves) if (best === undefined || distance(move, anchor) < distance(best, anchor)) best = move;
  return best;
}

function distance(move: Movement, anchor: number): number {
  if (anchor < 0) return move.index;
  if (move.log < 0) return Number.MAX_SAFE_INTEGER;
  return move.log < anchor ? anchor - move.log : 100_000 + move.log - anchor;
}
