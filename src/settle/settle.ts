import type { Candidate, Matches, Refit } from "../match/candidate.ts";
import { leavesOf } from "../match/own-calls.ts";
import type { AssetChange } from "../model/match.ts";
import { tierRank } from "../ruleset/actions.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import { comparing, criterionNames, standsAlone } from "../ruleset/precedence.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { absorbedLogs, type Claimed, findClash, withAbsorbed, withoutOthers } from "./claimed.ts";
import { findLosses, findTakenLosses, type Loss } from "./losses.ts";
import { narrow } from "./narrow.ts";
import { othersLast } from "./others-last.ts";
import { overrideOrder } from "./override-order.ts";
import { findPayouts, isShort, type Payout } from "./payouts.ts";
import { isOwed, principalFirst, principalsOf } from "./principals.ts";
import { type KnownFacts, ReachedMoney } from "./reached-money.ts";
import { robbedIn, takenFrom } from "./taken.ts";
import { creditsOf, twinsOf } from "./twins.ts";
import { usedAllowancesLast } from "./used-allowances-last.ts";

/** The actions that stand, the headline first, and who lost to whom. */
export interface Settled {
  actions: Candidate[];
  /** What the principals gave, and which action accounts for it. */
  losses: readonly Loss[];
  /** Who was paid in their place. */
  payouts: readonly Payout[];
  /** Further acts of one kind whose money an action tells with its own. */
  twins: readonly Candidate[];
  /** What an account's money did for somebody else at a known contract, where no action tells it. */
  credits: readonly Pick<Candidate, "rule" | "context">[];
  /** Where money went, as far as it was followed. */
  money: ReachedMoney;
  superseded: { rule: string; by: string; reason: string }[];
  claimedMovements: Claimed;
  /** Logs and calls, those that were only taken along included. */
  claimedLogs: Claimed;
  claimedCalls: Claimed;
}

/**
 * Chooses among candidates in the order of the precedence table (ruleset/precedence.ts). Evidence explains one action only. Rules
 * that yield, and the fallback tier, stand only when nothing else does. What was done at a known contract and has no type of its
 * own also stands with approvals, transfers and the wrapper around it.
 */
export function settle(
  { candidates, deferred, ofOthers = [] }: Matches,
  unwrapped: Unwrapped,
  known: KnownFacts,
): Settled {
  const money = new ReachedMoney(unwrapped, known);
  const ordered = usedAllowancesLast(
    othersLast(candidates.toSorted(comparing(criterionNames, overrideOrder(candidates)))),
  );
  const { tx } = unwrapped;
  const state: State = {
    known: { tx, labels: known.labels, leaves: leavesOf(unwrapped) },
    money,
    actions: [],
    superseded: [],
    passed: [],
    logs: new Map(),
    calls: new Map(),
    movements: new Map(),
    explained: null,
  };
  const late: Candidate[] = [];
  for (const candidate of ordered) {
    if (standsAlone(candidate.rule) || (candidate.rule.tier === tierRank("act") && hasEffect(state)))
      late.push(candidate);
    else takeLeft(state, candidate);
  }
  if (state.actions.length > 0)
    for (const rest of deferred.toSorted(comparing(criterionNames))) {
      const fitting = fitRest(state, rest.refit);
      if (fitting !== undefined && fitting.movements.length > 0) take(state, fitting);
    }
  takeLate(state, late, unwrapped);
  const actions = principalFirst(unwrapped, {
    money,
    actions:
      state.actions.length < 2 ? state.actions : state.actions.map((action) => withoutOthers(action, state.movements)),
  });
  const principals = principalsOf(unwrapped, actions);
  const owners = [...takenFrom(unwrapped, actions, known.labels), ...robbedIn(unwrapped, money, known.labels)];
  const taken = [...new Set(owners)].filter((owner) => !principals.includes(owner));
  const losses = findLosses(principals, { tx, actions, money });
  return {
    actions,
    losses: [...losses, ...findTakenLosses(taken, { tx, money })],
    payouts: findPayouts(actions, state.known),
    twins: twinsOf(actions, state.passed),
    credits: creditsOf(ofOthers, { actions, losses, logs: state.logs, trail: money.trail }),
    money,
    superseded: state.superseded,
    claimedMovements: withAbsorbed(state.actions, state.movements),
    claimedLogs: state.logs,
    claimedCalls: state.calls,
  };
}

/** What stands only when nothing else does. */
function takeLate(state: State, late: readonly Candidate[], unwrapped: Unwrapped): void {
  for (const candidate of wrappersAfter(late)) {
    const winner = state.actions[0];
    const owns = () => candidate.context.subject === unwrapped.subject && isOwed(unwrapped, state);
    if (winner === undefined || frames(candidate, state) || spends(candidate, state) || owns())
      takeFirst(state, candidate);
    else
      state.superseded.push({
        rule: candidate.rule.id,
        by: winner.rule.id,
        reason: "stands only when nothing else does",
      });
  }
}

/** Something of a type of its own happened: beside it, what has none says nothing new. */
function hasEffect({ actions }: State): boolean {
  return actions.some(({ rule }) => rule.tier >= tierRank("protocol") && rule.tier < tierRank("control"));
}

/**
 * A wrapper of system or authority tier may hold acts without a type of their own. It then gives the type, and they follow it. What
 * was tried goes before delegations that stand although it reverted.
 */
function frames({ rule }: Candidate, { actions }: State): boolean {
  if (rule.status === "reverted" && actions.every((action) => action.rule.control)) return true;
  const untyped = ({ tier, control }: CompiledRule) =>
    tier === tierRank("act") || tier === fallbackTier || (control && tier === tierRank("control"));
  return rule.tier <= tierRank("authority") && actions.every((action) => untyped(action.rule));
}

/** Beside allowances alone, what the subject gave is what they were for. */
function spends({ context, movements }: Candidate, { actions }: State): boolean {
  const gives = movements.some((index) => context.tx.movements[index]?.from === context.subject);
  return gives && actions.every(({ rule }) => rule.tier === tierRank("approval"));
}

/** Rank wrapper events below known actions and above bare calls. */
function wrappersAfter(late: readonly Candidate[]): readonly Candidate[] {
  if (late.length < 2) return late;
  const place = (candidate: Candidate): number => {
    const { rule, context } = candidate;
    if (rule.tier === fallbackTier && rule.anchor.kind === "none") return 2;
    return rule.tier <= tierRank("authority") && context.log?.address === context.subject ? 1 : 0;
  };
  return [...late].sort((a, b) => place(a) - place(b));
}

function takeFirst(state: State, candidate: Candidate): void {
  const others = state.actions.length;
  take(state, candidate);
  if (state.actions.length > others) state.actions.unshift(...state.actions.splice(others));
}

interface State {
  known: Parameters<typeof findPayouts>[1];
  money: ReachedMoney;
  actions: Candidate[];
  superseded: Settled["superseded"];
  /** Those whose money others tell. */
  passed: Candidate[];
  /** Which rule claimed it. */
  logs: Map<number, string>;
  calls: Map<number, string>;
  movements: Map<number, string>;
  /** What the actions so far may explain; null when it must be looked at anew. */
  explained: readonly ReadonlySet<number>[] | null;
}

/**
 * Takes a candidate on what the actions before it leave: a swap whose proceeds were supplied is told with its proceeds. Where
 * nothing that it sees is claimed, it stands as it was found.
 */
function takeLeft(state: State, candidate: Candidate): void {
  const rest = candidate.refit === null || !isTouched(state, candidate) ? candidate : fitRest(state, candidate.refit);
  if (rest !== undefined) take(state, rest);
  else {
    state.passed.push(candidate);
    const by = state.actions[0]?.rule.id ?? "";
    state.superseded.push({ rule: candidate.rule.id, by, reason: "what is left of the money does not fit" });
  }
}

/**
 * What standing actions took along on sides that they left open is theirs if the rest fits without it: receipts that came in first
 * of all, then what went out; in the end only what they claim is taken off.
 */
function fitRest(state: State, refit: Refit): Candidate | undefined {
  state.explained ??= explainedBy(state);
  for (const explained of state.explained) {
    const rest = refit(explained);
    if (rest !== undefined) return rest;
  }
  return undefined;
}

/** Movements that the actions may explain, the most first. Sets that would be equal stand once. */
function explainedBy({ actions, movements }: State): ReadonlySet<number>[] {
  const open = (side: "gives" | "gets"): number[] => {
    const found: number[] = [];
    for (const { rule, context } of actions)
      if (rule.flow?.open[side] === true)
        for (const asset of context.flow[side])
          for (const index of asset.movements) if (!movements.has(index)) found.push(index);
    return found;
  };
  const [got, given] = [open("gets"), open("gives")];
  if (got.length + given.length === 0) return [new Set(movements.keys())];
  const further = got.length === 0 || given.length === 0 ? [[...got, ...given]] : [[...got, ...given], got, given];
  return [...further.filter((some) => some.length > 0), []].map((some) => new Set([...movements.keys(), ...some]));
}

/** Whether something that the candidate's account gave or got is claimed. */
function isTouched({ movements: claimed }: State, { context }: Candidate): boolean {
  const { gives, gets, neutral } = context.flow;
  if (claimed.size === 0) return false;
  const isClaimed = (index: number) => claimed.has(index);
  const holds = (asset: AssetChange) => asset.movements.some(isClaimed);
  return neutral.some(isClaimed) || gives.some(holds) || gets.some(holds);
}

function take(state: State, whole: Candidate): void {
  const candidate = narrow(whole, state.money);
  const by = state.actions[0]?.rule.id ?? "";
  if (candidate === undefined || isShort(candidate, state.known)) {
    state.superseded.push({ rule: whole.rule.id, by, reason: "the money went elsewhere" });
    return;
  }
  const { rule, logs, calls, steps, movements } = candidate;
  const clash =
    findClash("log", logs, state.logs) ??
    findClash("call", calls, state.calls) ??
    findClash("call", steps, state.calls) ??
    findClash("movement", movements, state.movements);
  if (clash !== undefined) {
    state.passed.push(candidate);
    state.superseded.push({ rule: rule.id, ...clash });
    return;
  }
  for (const log of logs) state.logs.set(log, rule.id);
  for (const call of calls) state.calls.set(call, rule.id);
  for (const movement of movements) state.movements.set(movement, rule.id);
  for (const log of absorbedLogs(candidate)) if (!state.logs.has(log)) state.logs.set(log, rule.id);
  state.actions.push(candidate);
  state.explained = null;
}

const fallbackTier = tierRank("fallback");
