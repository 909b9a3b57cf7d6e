import { type Address, etherAlias, readAddress } from "../../kernel/address.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import { partsOf } from "../../rules/ruleset/capture-parts.ts";
import type { CompiledLeg, CompiledRule, Gate } from "../../rules/ruleset/compiled.ts";
import type { Parcel } from "../money/trail.ts";
import { isIndexed, movementsIn, movementsOf } from "../normalize/movement-index.ts";
import type { Candidate } from "./candidate.ts";

type Admits = MatchContext["admits"];

export interface BoundLegs {
  context: MatchContext;
  movements: number[];
}

/**
 * Nearest to the anchor first; undefined when a needed leg finds none. One movement serves one leg. More specific legs go first, so their
 * order in a file has no effect. Movements `explained` by others serve no leg.
 */
export function bindLegs(
  legs: readonly CompiledLeg[],
  given: MatchContext,
  explained: Members = none,
): BoundLegs | undefined {
  if (legs.length === 0) return { context: given, movements: [] };
  const turns = turnsOf(legs);
  // Most rules fail at their first leg.
  const first = legs[turns[0] as number] as CompiledLeg;
  const firstFits = fitsOf(first, given, none, explained);
  if (firstFits.length === 0 && !first.optional) return undefined;
  const taken = new Set<number>();
  const bound: (Movement | null)[] = legs.map(() => null);
  const legMoves: (readonly Movement[] | undefined)[] = [];
  const context = legs.some(({ many }) => many) ? { ...given, legs: bound, legMoves } : { ...given, legs: bound };
  for (const place of turns) {
    const leg = legs[place] as CompiledLeg;
    const fits = leg === first ? firstFits : fitsOf(leg, context, taken, explained);
    const chosen = nearest(fits, context.log?.index ?? -1);
    if (chosen === undefined && !mayMiss(leg, context)) return undefined;
    bound[place] = chosen ?? null;
    if (chosen !== undefined) taken.add(chosen.index);
    if (leg.many) for (const move of fits) taken.add(move.index);
    if (leg.many) legMoves[place] = fits;
  }
  return { context, movements: [...taken] };
}

/** Positions of movements. */
type Members = Pick<ReadonlySet<number>, "has">;

const none: Members = new Set();
const nothing: readonly Movement[] = [];

/** Movements that fit and are still free. */
function fitsOf(leg: CompiledLeg, context: MatchContext, taken: Members, explained: Members): readonly Movement[] {
  const sought = seek(leg, context);
  if (sought === undefined) return nothing;
  const { tx, admits } = context;
  const fits: Movement[] = [];
  for (const move of among(tx, sought))
    if (!move.fee && isSought(sought, move, admits) && !taken.has(move.index) && !explained.has(move.index))
      fits.push(move);
  return fits;
}

/** The shortest list by token, sender or receiver. */
function among({ movements }: Transaction, { token, from, to }: Sought): readonly Movement[] {
  if (!isIndexed(movements)) return movements;
  let fewest = token === null ? movements : movementsIn(movements, token === "native" ? null : (token as Address));
  for (const party of [from, to]) {
    const some = typeof party === "string" ? movementsOf(movements, party as Address) : fewest;
    if (some.length < fewest.length) fewest = some;
  }
  return fewest;
}

/** A pure cache. */
const turns = new WeakMap<readonly CompiledLeg[], number[]>();

/** Needed before optional, one before `many`, more fields first, then by name. */
export function turnsOf(legs: readonly CompiledLeg[]): readonly number[] {
  let order = turns.get(legs);
  if (order === undefined) {
    order = [...legs.keys()].sort((a, b) => compareLegs(legs[a] as CompiledLeg, legs[b] as CompiledLeg));
    turns.set(legs, order);
  }
  return order;
}

function compareLegs(a: CompiledLeg, b: CompiledLeg): number {
  return (
    Number(a.optional !== false) - Number(b.optional !== false) ||
    Number(a.many) - Number(b.many) ||
    boundFields(b) - boundFields(a) ||
    (a.name < b.name ? -1 : 1)
  );
}

function boundFields(leg: CompiledLeg): number {
  return [leg.token, leg.from, leg.to, leg.amount, leg.id, leg.standards].filter((field) => field !== null).length;
}

/** A leg with its values; null: not asked for. */
interface Sought {
  standards: string[] | null;
  /** `native` or an address. */
  token: Value | null;
  from: Value | Gate | null;
  to: Value | Gate | null;
  amount: bigint | null;
  id: Value | null;
}

/** Once for all movements; undefined when a value is missing. */
function seek(leg: CompiledLeg, context: MatchContext): Sought | undefined {
  const token = leg.token === null ? null : leg.token(context);
  if (token === undefined) return undefined;
  const from = typeof leg.from === "function" ? leg.from(context) : leg.from;
  if (from === undefined) return undefined;
  const to = typeof leg.to === "function" ? leg.to(context) : leg.to;
  if (to === undefined) return undefined;
  const id = leg.id === null ? null : leg.id(context);
  if (id === undefined) return undefined;
  const amount = leg.amount === null ? null : leg.amount(context);
  if (amount !== null && typeof amount !== "bigint") return undefined;
  const size = amount === null || amount >= 0n ? amount : -amount;
  return { standards: leg.standards, token: token === etherAlias ? "native" : token, from, to, amount: size, id };
}

function isSought(sought: Sought, move: Movement, admits: Admits): boolean {
  // A transfer to oneself or of 0 shows nothing, unless the leg asks for 0.
  if (move.from === move.to || (sought.amount === null && move.amount === 0n)) return false;
  if (sought.token !== null && sought.token !== (move.token ?? "native")) return false;
  if (sought.standards !== null && !sought.standards.includes(move.standard)) return false;
  if (sought.amount !== null && sought.amount !== move.amount) return false;
  if (sought.id !== null && sought.id !== move.tokenId) return false;
  return isParty(sought.from, move.from, admits) && isParty(sought.to, move.to, admits);
}

function isParty(party: Value | Gate | null, address: Address, admits: Admits): boolean {
  if (party === null) return true;
  return typeof party === "object" ? admits(party as Gate, address) : party === address;
}

/** The closest log before the anchor, else the first after. Ether has no log and comes last. */
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

/** Always, or where ether could have moved unseen. */
function mayMiss({ optional }: CompiledLeg, { tx }: MatchContext): boolean {
  return optional === "unseen" ? !tx.nativeComplete : optional;
}

/**
 * The act states where this parcel went: a leg with a receiver or id is bound to its first movement, or the sentence names the holder. A
 * leg with an amount alone proves nothing: another movement may have the same.
 */
export function isBound({ rule, context }: Candidate, { first, holder }: Parcel): boolean {
  const place = context.legs.indexOf(first);
  const leg = place < 0 ? undefined : rule.legs[place];
  if (leg === undefined) return false;
  return leg.to !== null || leg.id !== null || names(rule, context, holder);
}

function names({ captures }: CompiledRule, context: MatchContext, address: Address): boolean {
  for (const capture of captures.values())
    for (const part of partsOf(capture, context))
      if (part.capture.kind === "address" && readAddress(part.capture.get(part.context)) === address) return true;
  return false;
}
