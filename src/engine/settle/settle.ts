import { distinct, sorted } from "../../kernel/lists.ts";
import type { AssetChange, MatchContext } from "../../model/match.ts";
import type { Movement } from "../../model/transaction.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import {
  atKnownPlace,
  comparing,
  criterionNames,
  type OverrideOrder,
  standsAlone,
} from "../../rules/ruleset/precedence.ts";
import type { Candidate, Matches } from "../match/candidate.ts";
import { leavesOf } from "../match/own-calls.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { type Claimed, withAbsorbed, withoutOthers } from "./claimed.ts";
import { findLosses, findTakenLosses, type Loss } from "./losses.ts";
import { othersLast } from "./others-last.ts";
import type { Payout } from "./payouts/act-payouts.ts";
import { findPayouts } from "./payouts/payouts.ts";
import { isOwed, principalFirst, principalsOf } from "./principals.ts";
import { type KnownFacts, ReachedMoney } from "./reached-money.ts";
import { type GivenShare, withShares } from "./shares.ts";
import { StandingActions, type Superseded } from "./standing-actions.ts";
import { robbedIn, takenFrom } from "./taken.ts";
import { bookingsOf, twinsOf } from "./twins.ts";

/** The actions that stand, the headline first, and the candidates that do not, with the rule that each lost to. */
export interface Settled {
  actions: Candidate[];
  /** What the principals lost, and which actions account for it. */
  losses: readonly Loss[];
  /** By exchange: to whom parts of what it took went, which its sentence names. */
  shares: ReadonlyMap<MatchContext, readonly GivenShare[]>;
  /** Payouts: who was paid in their place. */
  payouts: readonly Payout[];
  /** Twins: further acts of one kind whose money an action tells together with its own. */
  twins: readonly Candidate[];
  /** Bookings: what an account's money did for somebody else at a known contract, where no action tells it. */
  bookings: readonly Pick<Candidate, "rule" | "context">[];
  /** Events that name somebody else than the subject, with the rules that they would fit. */
  ofOthers: readonly Pick<Candidate, "rule" | "context">[];
  /** Knows where money went, as far as it was followed. */
  money: ReachedMoney;
  superseded: Superseded[];
  claimedMovements: Claimed;
  /** Claimed logs and calls, with those that were only taken along. */
  claimedLogs: Claimed;
  claimedCalls: Claimed;
}

/**
 * Chooses among candidates in the order of the precedence table (ruleset/precedence.ts). Evidence explains one action only. Rules with
 * `yields` and rules of the fallback tier stand only when nothing else does. An act at a known contract without a type of its own also
 * stands beside approvals, transfers and the wrapper around it.
 */
export function settle(matches: Matches, unwrapped: Unwrapped, known: KnownFacts): Settled {
  const { tx } = unwrapped;
  const { ofOthers = [] } = matches;
  const money = new ReachedMoney(unwrapped, known);
  const facts = { tx, labels: known.labels, leaves: leavesOf(unwrapped) };
  const standing = new StandingActions(facts, money);
  choose(matches, standing, unwrapped);
  const { actions: taken, movements, logs, calls, passed, superseded } = standing;
  const actions = principalFirst(unwrapped, {
    money,
    actions: taken.length < 2 ? taken : taken.map((action) => withoutOthers(action, movements)),
  });
  const principals = principalsOf(unwrapped, actions);
  const owners = [...takenFrom(unwrapped, actions, known.labels), ...robbedIn(unwrapped, money, known.labels)];
  const robbed = distinct(owners).filter((owner) => !principals.includes(owner));
  const found = findLosses(principals, { tx, actions, money });
  const isTaken = found.some(({ strangers }) => strangers.length > 0);
  const whole = isTaken ? actions.map((action) => withTaken(action, found)) : actions;
  const { losses, shares, ...joined } = withShares(whole, found, facts.leaves.length < 2);
  return {
    actions: joined.actions,
    losses: [...losses, ...findTakenLosses(robbed, { tx, money })],
    shares,
    payouts: findPayouts(actions, facts, movements),
    twins: twinsOf(actions, passed),
    ofOthers,
    bookings: bookingsOf(
      ofOthers.filter(({ rule }) => atKnownPlace(rule)),
      { actions, losses, logs, trail: money.trail },
    ),
    money,
    superseded,
    claimedMovements: withAbsorbed(taken, movements),
    claimedLogs: logs,
    claimedCalls: calls,
  };
}

/**
 * An action with everything that its account got by it. If somebody took a part at once, the balance changes are already without this part.
 * It is added again here, since the taken part is told separately as a loss.
 */
function withTaken(action: Candidate, losses: readonly Loss[]): Candidate {
  const { flow, subject } = action.context;
  const taken = (asset: AssetChange) => {
    const own = new Set(asset.movements);
    return losses
      .filter((one) => one.account === subject && one.asset.movements.every((index) => own.has(index)))
      .flatMap(({ strangers }) => strangers)
      .reduce((sum, { amount }) => sum + amount, 0n);
  };
  const gets = flow.gets.map((asset) => ({ ...asset, amount: asset.amount + taken(asset) }));
  return { ...action, context: { ...action.context, flow: { ...flow, gets } } };
}

/** Takes the candidates in order: first what claims evidence, then what fits the money that is left, then what stands alone. */
function choose({ candidates, deferred }: Matches, standing: StandingActions, unwrapped: Unwrapped): void {
  const inOrder = sorted(candidates, comparing(criterionNames, overrideOrder(candidates)));
  const late: Candidate[] = [];
  for (const candidate of usedAllowancesLast(othersLast(inOrder))) {
    if (standsAlone(candidate.rule) || (candidate.rule.tier === tierRank("act") && hasEffect(standing)))
      late.push(candidate);
    else standing.takeLeft(candidate);
  }
  if (standing.actions.length > 0)
    for (const rest of sorted(deferred, comparing(criterionNames))) standing.takeRest(rest);
  takeLate(standing, late, unwrapped);
}

/** Takes the candidates that stand only when nothing else does. */
function takeLate(standing: StandingActions, late: readonly Candidate[], unwrapped: Unwrapped): void {
  for (const candidate of wrappersAfter(late)) {
    const owns = () => candidate.context.subject === unwrapped.subject && isOwed(unwrapped, standing);
    if (standing.actions.length === 0 || becomesHeadline(candidate, standing) || spends(candidate, standing) || owns())
      standing.takeFirst(candidate);
    else if (paysBeside(candidate, standing)) standing.takeLeft(candidate);
    else standing.supersede(candidate, "stands only when nothing else does");
  }
}

/** Whether a standing action has a type of its own, such as a swap. Beside it, an act without one ("called X") says nothing new. */
function hasEffect({ actions }: StandingActions): boolean {
  return actions.some(({ rule }) => rule.tier >= tierRank("protocol") && rule.tier < tierRank("control"));
}

/**
 * Whether a wrapper (a user operation, a Safe's execution) becomes the headline, since all other acts have no type of their own. In a
 * reverted transaction, the attempt becomes the headline before delegations, which stay valid although it reverted.
 */
function becomesHeadline({ rule }: Candidate, { actions }: StandingActions): boolean {
  if (rule.status === "reverted" && actions.every((action) => action.rule.control)) return true;
  const untyped = ({ tier, control }: CompiledRule) =>
    tier === tierRank("act") || tier === fallbackTier || (control && tier === tierRank("control"));
  return rule.tier <= tierRank("authority") && actions.every((action) => untyped(action.rule));
}

/**
 * Whether the subject gave something, while all actions so far are allowances. The allowances were needed for it, so it becomes the
 * headline.
 */
function spends({ context, movements }: Candidate, { actions }: StandingActions): boolean {
  const gives = movements.some((index) => context.tx.movements[index]?.from === context.subject);
  return gives && actions.every(({ rule }) => rule.tier === tierRank("approval"));
}

/**
 * Whether a known contract did something with money of the subject that no action accounts for. It is then told as what the contract did,
 * not as money sent there.
 */
function paysBeside(candidate: Candidate, { actions, movements, money }: StandingActions): boolean {
  const { rule, context } = candidate;
  if (!atKnownPlace(rule) || candidate.movements.some((index) => movements.has(index))) return false;
  const { tx, subject } = context;
  return findLosses([subject], { tx, actions, money }).some(
    ({ asset, strangers }) => strangers.length > 0 && money.of(candidate, subject, asset).amount > 0n,
  );
}

/** Orders late candidates: known acts, then events of a wrapper about itself, then bare calls. */
function wrappersAfter(late: readonly Candidate[]): readonly Candidate[] {
  if (late.length < 2) return late;
  const place = (candidate: Candidate): number => {
    const { rule, context } = candidate;
    if (rule.tier === fallbackTier && rule.anchor.kind === "none") return 2;
    return rule.tier <= tierRank("authority") && context.log?.address === context.subject ? 1 : 0;
  };
  return sorted(late, (a, b) => place(a) - place(b));
}

const fallbackTier = tierRank("fallback");

/**
 * Level: the longest chain of rules that override it, so sorting never contradicts `overrides`. With `defers`: the level of the last rule
 * before it.
 */
export function overrideOrder(candidates: readonly Candidate[]): OverrideOrder {
  if (candidates.every(({ rule }) => rule.overrides.length === 0)) return () => 0;
  const rules = new Map(candidates.map(({ rule }) => [rule.id, rule]));
  // The usual case.
  if (!candidates.some(({ rule }) => rule.overrides.some((other) => rules.has(other)))) return () => 0;
  const above = new Map<string, string[]>();
  // Attempts of one rule share its id.
  for (const rule of new Set(candidates.map((one) => one.rule)))
    for (const other of rule.overrides) above.set(other, [...(above.get(other) ?? []), rule.id]);
  const levelOf = (rule: string, depth: number): number =>
    depth > rules.size ? 0 : Math.max(0, ...(above.get(rule) ?? []).map((over) => 1 + levelOf(over, depth + 1)));
  const levels = new Map([...rules.keys()].map((id) => [id, levelOf(id, 0)]));
  for (const rule of [...rules.values()].filter(({ defers }) => defers)) {
    const before = [...rules.values()].filter((other) => goesBefore(other, rule));
    levels.set(rule.id, Math.max(0, ...[rule, ...before].map(({ id }) => levels.get(id) ?? 0)));
  }
  return (one, other) => (levels.get(one.id) ?? 0) - (levels.get(other.id) ?? 0);
}

function goesBefore(other: CompiledRule, deferring: CompiledRule): boolean {
  return !other.defers && other.action === deferring.action && other.tier === deferring.tier;
}

/** After the transfer that used it: the allowed contract was called and moved the owner's token. */
export function usedAllowancesLast(ordered: readonly Candidate[]): readonly Candidate[] {
  const transfers = ordered.filter(({ rule }) => rule.tier === tierRank("transfer"));
  if (transfers.length === 0) return ordered;
  const used = new Set(ordered.filter((one) => isAllowance(one) && transfers.some((other) => uses(other, one))));
  return used.size === 0 ? ordered : [...ordered.filter((one) => !used.has(one)), ...used];
}

function isAllowance({ rule, context }: Candidate): boolean {
  return rule.tier === tierRank("approval") && context.log !== null && context.log.address === context.call?.to;
}

/** EIP-20 `Approval(owner, spender, value)`: the last topic is the spender. */
function uses({ context, movements }: Candidate, allowance: Candidate): boolean {
  const { address: token, topics } = allowance.context.log as NonNullable<typeof context.log>;
  const called = context.call?.to ?? context.target;
  const isSent = (move: Movement | undefined) => move?.token === token && move.from === context.subject;
  return (
    called !== null &&
    called !== token &&
    topics[2]?.endsWith(called.slice(2)) === true &&
    movements.some((index) => isSent(context.tx.movements[index]))
  );
}
