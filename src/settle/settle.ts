import type { Candidate, Matches, Refit } from "../match/candidate.ts";
import type { NetAsset, NetFlow } from "../model/match.ts";
import { actTier, tierRank } from "../ruleset/actions.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import { compareText } from "../ruleset/ruleset.ts";
import { othersLast } from "./others-last.ts";
import { usedAllowancesLast } from "./used-allowances-last.ts";

/** The actions that stand, the headline first, and who lost to whom. */
export interface Settled {
  actions: Candidate[];
  superseded: { rule: string; by: string; reason: string }[];
  claimedMovements: ReadonlySet<number>;
  /** Logs and calls, those that were only taken along included. */
  claimedLogs: ReadonlySet<number>;
  claimedCalls: ReadonlySet<number>;
}

/**
 * Chooses among candidates without priorities: tier, the action's place in its tier, explicit overrides, what defers, specificity,
 * position.
 * Evidence explains one action only. Rules that yield, and the fallback tier, stand only when nothing else does; what was done at
 * a known contract without a type of its own stands also beside approvals, transfers and the envelope around it.
 */
export function settle({ candidates, deferred }: Matches): Settled {
  const ordered = usedAllowancesLast(othersLast([...candidates].sort(precedence(overrideLevels(candidates)))));
  const state: State = { actions: [], superseded: [], logs: new Map(), calls: new Map(), movements: new Map() };
  const late: Candidate[] = [];
  for (const candidate of ordered) {
    const { yields, tier } = candidate.rule;
    if (yields || tier >= fallbackTier || (tier === actTier && hasEffect(state))) late.push(candidate);
    else takeLeft(state, candidate);
  }
  if (state.actions.length > 0)
    for (const rest of [...deferred].sort(precedence(() => 0))) {
      const fitting = fitRest(state, rest.refit);
      if (fitting !== undefined && fitting.movements.length > 0) take(state, fitting);
    }
  for (const candidate of envelopesAfter(late)) {
    const winner = state.actions[0];
    if (winner === undefined || frames(candidate, state) || spends(candidate, state)) takeFirst(state, candidate);
    else
      state.superseded.push({
        rule: candidate.rule.id,
        by: winner.rule.id,
        reason: "stands only when nothing else does",
      });
  }
  for (const action of state.actions) action.context.flow = withoutOthers(action, state);
  const claimedMovements = new Set(state.movements.keys());
  for (const action of state.actions) for (const movement of action.absorbedMovements) claimedMovements.add(movement);
  return {
    actions: state.actions,
    superseded: state.superseded,
    claimedMovements,
    claimedLogs: new Set(state.logs.keys()),
    claimedCalls: new Set(state.calls.keys()),
  };
}

/** Something of a type of its own happened: beside it, what has none says nothing new. */
function hasEffect({ actions }: State): boolean {
  return actions.some(({ rule }) => rule.tier >= tierRank("protocol") && rule.tier < actTier);
}

/** An envelope of system or authority tier holds acts that have no type of their own: it gives the type, and they are told after it. */
function frames({ rule }: Candidate, { actions }: State): boolean {
  const untyped = ({ tier }: CompiledRule) => tier === actTier || tier === fallbackTier;
  return rule.tier <= tierRank("authority") && actions.every((action) => untyped(action.rule));
}

/** Beside allowances alone, what the subject gave is what they were for. */
function spends({ context, movements }: Candidate, { actions }: State): boolean {
  const gives = movements.some((index) => context.tx.movements[index]?.from === context.subject);
  return gives && actions.every(({ rule }) => rule.tier === tierRank("approval"));
}

/** That an account says it executed something comes after what is known of it, and before what only says that code was called. */
function envelopesAfter(late: readonly Candidate[]): Candidate[] {
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
  actions: Candidate[];
  superseded: Settled["superseded"];
  /** Which rule claimed it. */
  logs: Map<number, string>;
  calls: Map<number, string>;
  movements: Map<number, string>;
}

/**
 * Takes a candidate on what the actions before it leave: a swap whose proceeds were supplied is told with its proceeds. Where
 * nothing that it sees is claimed, it stands as it was found.
 */
function takeLeft(state: State, candidate: Candidate): void {
  const { gives, gets, neutral } = candidate.context.flow;
  const seen = [...neutral, ...[...gives, ...gets].flatMap((asset) => asset.movements)];
  const touched = seen.some((index) => state.movements.has(index));
  const rest = candidate.refit === null || !touched ? candidate : fitRest(state, candidate.refit);
  if (rest !== undefined) take(state, rest);
  else {
    const by = state.actions[0]?.rule.id ?? "";
    state.superseded.push({ rule: candidate.rule.id, by, reason: "what is left of the money does not fit" });
  }
}

/**
 * What standing actions took along on sides that they left open is theirs if the rest fits without it: receipts that came in first
 * of all, then what went out; in the end only what they claim is taken off.
 */
function fitRest(state: State, refit: Refit): Candidate | undefined {
  const claimed = [...state.movements.keys()];
  const [got, given] = [state.actions.flatMap(openSide("gets")), state.actions.flatMap(openSide("gives"))];
  for (const others of [[...got, ...given], got, given, []]) {
    const rest = refit(new Set([...claimed, ...others]));
    if (rest !== undefined) return rest;
  }
  return undefined;
}

function openSide(side: "gives" | "gets"): (action: Candidate) => number[] {
  return ({ rule, context }) =>
    rule.flow?.open[side] === true ? context.flow[side].flatMap((asset) => asset.movements) : [];
}

function take(state: State, candidate: Candidate): void {
  const { rule, logs, calls, steps, movements, absorbedLogs } = candidate;
  const clash =
    findClash("log", logs, state.logs) ??
    findClash("call", [...calls, ...steps], state.calls) ??
    findClash("movement", movements, state.movements);
  if (clash !== undefined) {
    state.superseded.push({ rule: rule.id, ...clash });
    return;
  }
  for (const log of logs) state.logs.set(log, rule.id);
  for (const call of calls) state.calls.set(call, rule.id);
  for (const movement of movements) state.movements.set(movement, rule.id);
  for (const log of absorbedLogs) if (!state.logs.has(log)) state.logs.set(log, rule.id);
  state.actions.push(candidate);
}

function findClash(kind: string, wanted: readonly number[], claimed: ReadonlyMap<number, string>) {
  const index = wanted.find((item) => claimed.has(item));
  return index === undefined ? undefined : { by: claimed.get(index) as string, reason: `${kind} ${index} is claimed` };
}

type Placed = Pick<Candidate, "rule" | "position">;

function precedence(level: (rule: string) => number): (a: Placed, b: Placed) => number {
  return (a, b) => {
    const one = a.rule;
    const other = b.rule;
    return (
      one.tier - other.tier ||
      level(one.id) - level(other.id) ||
      one.rank - other.rank ||
      Number(one.defers) - Number(other.defers) ||
      other.specificity - one.specificity ||
      a.position - b.position ||
      compareText(one.id, other.id) ||
      (one.attempt ?? 0) - (other.attempt ?? 0)
    );
  };
}

/** An action's flow without the assets that another one explains: what it only took along it does not tell again. */
function withoutOthers({ rule, context, movements }: Candidate, { movements: claimed }: State): NetFlow {
  const own = new Set(movements);
  const keep = (assets: NetAsset[]): NetAsset[] => {
    const kept = assets.filter((asset) => !asset.movements.every((index) => claimed.has(index) && !own.has(index)));
    return kept.length === 0 ? assets : kept;
  };
  const { flow } = context;
  return rule.flow === null ? flow : { ...flow, gives: keep(flow.gives), gets: keep(flow.gets) };
}

/**
 * How many of the rules at hand stand above one by `overrides` (longest chain): a number, so that sorting stays consistent. A rule
 * that defers is as deep as the deepest of those that go before it.
 */
function overrideLevels(candidates: readonly Candidate[]): (rule: string) => number {
  const rules = new Map(candidates.map(({ rule }) => [rule.id, rule]));
  const above = new Map<string, string[]>();
  // Several attempts of one rule share its id.
  for (const rule of new Set(candidates.map((one) => one.rule)))
    for (const other of rule.overrides) above.set(other, [...(above.get(other) ?? []), rule.id]);
  if (above.size === 0) return () => 0;
  const level = (rule: string, depth: number): number =>
    depth > rules.size ? 0 : Math.max(0, ...(above.get(rule) ?? []).map((over) => 1 + level(over, depth + 1)));
  const levels = new Map([...rules.keys()].map((id) => [id, level(id, 0)]));
  for (const rule of [...rules.values()].filter(({ defers }) => defers)) {
    const before = [...rules.values()].filter((other) => goesBefore(other, rule));
    levels.set(rule.id, Math.max(0, ...[rule, ...before].map(({ id }) => levels.get(id) ?? 0)));
  }
  return (rule) => levels.get(rule) ?? 0;
}

function goesBefore(other: CompiledRule, deferring: CompiledRule): boolean {
  return !other.defers && other.action === deferring.action && other.tier === deferring.tier;
}

const fallbackTier = tierRank("fallback");
