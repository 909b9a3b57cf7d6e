import { type Address, isBurnAddress, readAddress } from "../../kernel/address.ts";
import { heaviestFirst } from "../../kernel/lists.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Movement } from "../../model/transaction.ts";
import type { CompiledCapture, CompiledRule } from "../../rules/ruleset/compiled.ts";
import type { Candidate } from "../match/candidate.ts";
import { downstreamOf, giverOf } from "../money/payees.ts";
import type { MoneyTrail } from "../money/trail.ts";
import type { Loss } from "./losses.ts";

/** The parts of an act that comparisons read. */
type Alike = Pick<Candidate, "rule" | "context">;

/**
 * Twins: acts of the same type and protocol as a standing action that tells the money of both. It must still be told for whom each of them
 * was. `passed`: candidates whose evidence other actions claim. An act that somebody else paid for is no twin.
 */
export function twinsOf(actions: readonly Candidate[], passed: readonly Candidate[]): Candidate[] {
  if (passed.length === 0) return [];
  const isTold = ({ logs, calls }: Candidate) =>
    actions.some((one) => logs.some((log) => one.logs.includes(log)) || calls.some((call) => one.calls.includes(call)));
  const isTwin = (one: Candidate) => actions.some((action) => isAlike(one, action));
  const twins = passed.filter((one) => one.logs.length + one.calls.length > 0 && isTwin(one) && !isTold(one));
  return twins.filter((one) => paymentFor(one) !== undefined);
}

/** Whether two acts are of one account, of one type, and by one protocol. */
export function isAlike({ rule, context }: Alike, other: Alike): boolean {
  if (context.subject !== other.context.subject || rule.action !== other.rule.action) return false;
  return rule.id === other.rule.id || (rule.protocol !== null && rule.protocol === other.rule.protocol);
}

/** The standing actions, and where money went. */
interface Told {
  actions: readonly Candidate[];
  trail: MoneyTrail;
}

/** An event of a known contract that names somebody else than the account whose money came to the contract. */
type OfOther = Alike;

/**
 * Bookings: events of a known contract that count an account's money for somebody else, where no action tells it. Of such an event only
 * those are captured whom it names.
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

/**
 * Captures of the accounts that an event names. Left out are contracts of the protocol, and the called contract where the event names
 * somebody else too.
 */
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

/** Whether a loss that no action of a protocol tells came to contracts of the rule, or was given in a call of one of them. */
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

/** The sum of an action's movements of one asset. Wrapped ether counts as ether. */
function claimedOf({ movements, context: { tx } }: Candidate, token: Address | null): bigint {
  let sum = 0n;
  for (const move of movements.flatMap((index) => tx.movements[index] ?? []))
    if (move.token === token || (token === null && move.token !== null && tx.weth.has(move.token))) sum += move.amount;
  return sum;
}

/**
 * The account's largest payment to the contract whose event tells the act. Only payments since the contract's last event of that kind
 * count. null: no payment is seen, or (with `sole`) there are several. undefined: somebody else paid.
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
