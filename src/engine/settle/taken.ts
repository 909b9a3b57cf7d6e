import { type Address, isBurnAddress } from "../../kernel/address.ts";
import { distinct, heaviestFirst } from "../../kernel/lists.ts";
import { isLabelled, type Labels } from "../../model/label.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { Candidate } from "../match/candidate.ts";
import { isGivenAway } from "../money/fair-price.ts";
import { isBelieved } from "../money/payees.ts";
import type { Parcel } from "../money/trail.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { leafCalls } from "../unwrap/call-tree.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import type { ReachedMoney } from "./reached-money.ts";

type Known = Pick<Labels, "name" | "token">;

/** A sentence has room for few. */
const ownersMax = 64;

/** Others moved their known tokens by a right; they did nothing, and no action states it. Not known contracts: they hold for others. */
export function takenFrom(
  { tx, calls }: Pick<Unwrapped, "tx" | "calls">,
  actions: readonly Candidate[],
  labels: Known,
): Address[] {
  const isKnown = (token: Address) => tx.listed.has(token) || labels.name(token) !== undefined;
  const taken = maybeTaken(tx, { calls, labels, isKnown });
  if (taken.length === 0) return [];
  const owners = new Set(taken);
  // Anybody can call an owner. Code run for any caller is an act where it got a price or is the called contract. Without a call tree, a
  // called account may have called.
  const writers = writersOf(tx);
  const isPlace = (owner: Address) =>
    isPaid(owner, tx, labels) || (writers.has(owner) && balanceChanges(tx, owner).gets.length > 0);
  for (const { from } of tx.calls)
    if (from === tx.from || from === tx.to || (owners.has(from) && isPlace(from))) owners.delete(from);
  for (const { from, to } of calls)
    for (const one of tx.traced ? [from] : [from, to]) if (one !== null) owners.delete(one);
  for (const { rule, movements, absorbedMovements, context } of actions) {
    owners.delete(context.subject);
    // An exchange explains the loss only with a price for the owner.
    const isExchange = context.flow.gives.length > 0 && (rule.exchanges || rule.tier === tierRank("fallback"));
    for (const index of [...movements, ...absorbedMovements]) {
      const { from } = tx.movements[index] as Movement;
      if (!isExchange || isPaid(from, tx, labels)) owners.delete(from);
    }
  }
  return owners.size <= ownersMax ? [...owners] : largestOf(owners, tx, isKnown);
}

/** Contracts with funds mostly log. */
function writersOf({ logs }: Transaction): ReadonlySet<Address> {
  return new Set(logs.map(({ address }) => address));
}

/** A price: not what anybody could make. */
function isPaid(owner: Address, tx: Transaction, labels: Known): boolean {
  const { gives, gets } = balanceChanges(tx, owner);
  const believed = gets.filter((asset) => isBelieved(asset, tx));
  return believed.length > 0 && !isGivenAway({ gives, gets: believed }, tx, labels);
}

/** In a bundle or batch, to a stranger who gave nothing. A bundle is stated by a number, so a theft could hide in it. */
export function robbedIn(
  { tx, calls, actors }: Pick<Unwrapped, "tx" | "calls" | "actors">,
  { trail, markets }: Pick<ReachedMoney, "trail" | "markets">,
  labels: Known,
): Address[] {
  if (calls.length + actors.length < 3 || tx.status === "reverted") return [];
  const robs =
    (account: Address, asset: AssetChange) =>
    ({ holder }: Parcel) =>
      holder !== account &&
      !isBurnAddress(holder) &&
      !isLabelled(labels, holder) &&
      !markets.gaveTowards(account, holder, asset.key);
  return distinct([...actors, ...calls.map(({ actor }) => actor)]).filter((account) =>
    balanceChanges(tx, account).gives.some((asset) => trail.parcelsOf(account, asset).some(robs(account, asset))),
  );
}

/** Largest of each token, then the second of each. */
function largestOf(
  owners: ReadonlySet<Address>,
  { movements }: Transaction,
  isKnown: (token: Address) => boolean,
): Address[] {
  const given = movements.filter(({ token, from }) => token !== null && isKnown(token) && owners.has(from));
  const lists = Map.groupBy(
    heaviestFirst(given, ({ amount }) => amount),
    ({ token }) => token,
  );
  const found = new Set<Address>();
  for (let place = 0; found.size < ownersMax && place < given.length; place++)
    for (const list of lists.values()) {
      const move = list[place];
      if (move !== undefined && found.size < ownersMax) found.add(move.from);
    }
  return [...found];
}

/**
 * Whose known tokens or ether moved; not the sender, not known contracts. Tokens without a call tree: only where the token or an unknown
 * contract was called. For ether, or without a tree, nobody who wrote a log: contracts that hold funds mostly do.
 */
function maybeTaken(
  tx: Transaction,
  { calls, labels, isKnown }: { calls: Unwrapped["calls"]; labels: Known; isKnown: (token: Address) => boolean },
): Address[] {
  const { from: sender, movements, traced } = tx;
  const found = movements.filter(
    ({ token, from, fee }) =>
      (token === null ? traced : isKnown(token)) &&
      !fee &&
      from !== sender &&
      !isBurnAddress(from) &&
      labels.name(from) === undefined,
  );
  if (found.length === 0) return [];
  const called = new Set(leafCalls(calls).map(({ to, state }) => (state === "failed" ? null : to)));
  const isStrange = (to: Address | null) => to !== null && !isLabelled(labels, to);
  const isOpen = traced || [...called].some(isStrange);
  const writers = writersOf(tx);
  // Known contracts do as ordered: only a stranger who gave nothing is examined.
  const actors = new Set(calls.map(({ actor }) => actor));
  const isRobbed = ({ from, to }: Movement) =>
    !actors.has(to) && !isLabelled(labels, to) && !isBurnAddress(to) && balanceChanges(tx, from).gets.length === 0;
  return found.flatMap((move) => {
    const { token, from } = move;
    if (writers.has(from) && (!traced || token === null)) return [];
    return token === null || isOpen || called.has(token) || isRobbed(move) ? [from] : [];
  });
}
