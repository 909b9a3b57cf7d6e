import { type Address, isBurnAddress, readAddress } from "../../kernel/address.ts";
import { heaviestFirst } from "../../kernel/lists.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Movement } from "../../model/transaction.ts";
import type { CompiledCapture, CompiledRule } from "../../rules/ruleset/compiled.ts";
import type { Candidate } from "../match/candidate.ts";
import { downstreamOf, giverOf } from "../money/payees.ts";
import type { MoneyTrail } from "../money/trail.ts";
import type { Loss } from "./losses.ts";

type Alike = Pick<Candidate, "rule" | "context">;

/**
 * Acts of the same type and protocol as an action that states the money of both: for whom they were must still be stated. `passed`:
 * evidence claimed by others. An act that somebody else paid for is no twin.
 */
export function twinsOf(actions: readonly Candidate[], passed: readonly Candidate[]): Candidate[] {
  if (passed.length === 0) return [];
  const isTold = ({ logs, calls }: Candidate) =>
    actions.some((one) => logs.some((log) => one.logs.includes(log)) || calls.some((call) => one.calls.includes(call)));
  const isTwin = (one: Candidate) => actions.some((action) => isAlike(one, action));
  const twins = passed.filter((one) => one.logs.length + one.calls.length > 0 && isTwin(one) && !isTold(one));
  return twins.filter((one) => paymentFor(one) !== undefined);
}

/** Same account, type and protocol. */
export function isAlike({ rule, context }: Alike, other: Alike): boolean {
  if (context.subject !== other.context.subject || rule.action !== other.rule.action) return false;
  return rule.id === other.rule.id || (rule.protocol !== null && rule.protocol === other.rule.protocol);
}

interface Told {
  actions: readonly Candidate[];
  trail: MoneyTrail;
}

/** A known contract's event names another account than the one that paid. */
type OfOther = Alike;

/**
 * Events of known contracts that count an account's money for somebody else, where no action states it. Only accounts that the event names
 * are captured.
 */
export function bookingsOf(
  ofOthers: readonly OfOther[],
  { logs, losses, ...known }: Told & { losses: readonly Loss[]; logs: ReadonlyMap<number, string> },
): OfOther[] {
  if (ofOthers.length === 0 || losses.length === 0) return [];
  const paid = new Map<CompiledRule, boolean>();
  const isPaid = (one: OfOther) => {
    const found = paid.get(one.rule) ?? losses.some((loss) => comesTo(one, loss, known));
    paid.set(one.rule, found);
    return found;
  };
  const bookings = ofOthers
    .filter((one) => one.context.log !== null && !logs.has(one.context.log.index) && isPaid(one))
    .map(({ rule, context }) => ({ rule: { ...rule, captures: whoOf(rule) }, context }));
  // Several rules may be about one event.
  return [...new Map(bookings.map((one) => [one.context.log, one])).values()];
}

/** Not the protocol's contracts, nor the called one beside somebody else. */
function whoOf({ who, home }: CompiledRule): CompiledRule["captures"] {
  const captures = who.map((get, i): [string, CompiledCapture] => {
    const named = (context: MatchContext) => {
      const address = readAddress(get(context));
      if (address === undefined || context.admits(home, address)) return undefined;
      return address === context.target && who.some((one) => one(context) !== address) ? undefined : address;
    };
    return [String(i), { kind: "other", get: named, far: null }];
  });
  return new Map(captures);
}

/** To contracts of the rule, or in a call of one. */
function comesTo({ rule, context }: OfOther, loss: Loss, { actions, trail }: Told): boolean {
  const { account, asset, strangers, reached, sent } = loss;
  const isHome = (address: Address) => context.admits(rule.home, address);
  if (account !== context.subject) return false;
  if (strangers.some(({ to, holders }) => isHome(to) || holders.some(isHome))) return true;
  const claimed = () =>
    actions.reduce((sum, one) => sum + (one.rule.protocol === rule.protocol ? claimedOf(one, asset.token) : 0n), 0n);
  const isTold = ({ action, amount }: Loss["sent"][number] | Loss["reached"][number]) => {
    if (action.rule.protocol === null) return false;
    if (action.rule.protocol !== rule.protocol || rule.exchanges) return true;
    return !isAlike({ rule, context }, action) && claimed() >= amount;
  };
  if ([...reached, ...sent].every(isTold)) return false;
  if (context.target !== null && isHome(context.target)) return true;
  return trail
    .parcelsOf(account, asset)
    .some(({ holder, first }) => isHome(isBurnAddress(holder) ? (asset.token ?? holder) : holder) || isHome(first.to));
}

/** Wrapped ether is ether. */
function claimedOf({ movements, context: { tx } }: Candidate, token: Address | null): bigint {
  let sum = 0n;
  for (const move of movements.flatMap((index) => tx.movements[index] ?? []))
    if (move.token === token || (token === null && move.token !== null && tx.weth.has(move.token))) sum += move.amount;
  return sum;
}

/**
 * The account's largest payment to the event's contract since its last event of that kind. null: none seen, or (`sole`) several. undefined:
 * somebody else paid.
 */
export function paymentFor({ context }: Pick<Candidate, "context">, sole = false): Movement | null | undefined {
  const { tx, subject, log, legs } = context;
  const own = legs.find((leg) => leg?.from === subject);
  if (own !== undefined && own !== null) return own;
  const topic = log?.topics[0];
  if (log === null || topic === undefined) return null;
  const earlier = context.logsWith(topic).filter((one) => one.address === log.address);
  const since = earlier.findLast(({ index }) => index < log.index)?.index ?? -1;
  const paid = tx.movements.filter((move) => move.to === log.address && move.log > since && move.log < log.index);
  if (paid.length === 0) return null;
  const reached = downstreamOf(tx, [subject]);
  const isOwn = (move: Movement) => move.from === subject || reached.has(giverOf(move));
  const mine = heaviestFirst(paid.filter(isOwn), ({ amount }) => amount);
  return sole && mine.length > 1 ? null : mine[0];
}
