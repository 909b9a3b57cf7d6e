import type { MatchContext } from "../model/match.ts";
import type { Movement } from "../model/transaction.ts";
import { tierRank } from "../ruleset/actions.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { compareText } from "../ruleset/ruleset.ts";
import type { Candidate } from "./match.ts";

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
 * Chooses among candidates without priorities: tier, the action's place in its tier, explicit overrides, specificity, position.
 * Evidence explains one action only. Rules that yield, and the fallback tier, stand only when nothing else does.
 */
export function settle(candidates: readonly Candidate[], ruleset: Ruleset): Settled {
  const ordered = othersLast([...candidates].sort(precedence(overrideLevels(candidates))));
  const fallbackTier = tierOfFallback(ruleset);
  const state: State = { actions: [], superseded: [], claims: new Map(), movements: new Set() };
  const late: Candidate[] = [];
  for (const candidate of ordered) {
    if (candidate.rule.yields || candidate.rule.tier >= fallbackTier) late.push(candidate);
    else take(state, candidate);
  }
  for (const candidate of late) {
    const winner = state.actions[0];
    if (winner === undefined) take(state, candidate);
    else
      state.superseded.push({
        rule: candidate.rule.id,
        by: winner.rule.id,
        reason: "stands only when nothing else does",
      });
  }
  for (const action of state.actions) for (const movement of action.absorbedMovements) state.movements.add(movement);
  return {
    actions: state.actions,
    superseded: state.superseded,
    claimedMovements: state.movements,
    claimedLogs: claimsOf(state, "log"),
    claimedCalls: claimsOf(state, "call"),
  };
}

/**
 * Who plainly sends or approves something by a call of their own did just that: what others do in the same transaction (fills
 * for somebody, events that nothing ties to the subject but what it sent away) comes after it.
 */
function othersLast(ordered: readonly Candidate[]): readonly Candidate[] {
  const own = ordered.filter(isPlainAct);
  if (own.length === 0) return ordered;
  const keys = new Set(own.flatMap(evidenceKeys));
  const sent = own.some(isTokenSend);
  const foreign = ordered.filter((one) =>
    one.rule.actsFor === null ? isUntied(one, sent) : !evidenceKeys(one).some((key) => keys.has(key)),
  );
  return foreign.length === 0 ? ordered : [...ordered.filter((one) => !foreign.includes(one)), ...foreign];
}

function isPlainAct({ rule, context }: Candidate): boolean {
  const plain = rule.tier === tierRank("approval") || rule.tier === tierRank("transfer");
  return plain && rule.actsFor === null && !rule.yields && context.call?.actor === context.subject;
}

/** A token's own transfer function and nothing else: no contract behind it was asked for anything. */
function isTokenSend({ alone, context, movements }: Candidate): boolean {
  return (
    alone && movements.length > 0 && movements.every((index) => context.tx.movements[index]?.token === context.call?.to)
  );
}

/** An event or movement that names nobody, with nothing of the subject's bound to it; `sent`: its net flow is explained by its own call. */
function isUntied({ rule, context, movements }: Candidate, sent: boolean): boolean {
  if (rule.anchor.kind === "none")
    return sent && rule.legs.length > 0 && !context.legs.some((move) => isOf(context, move));
  if (rule.anchor.kind !== "event" || rule.anchor.beside !== null || rule.who.length > 0) return false;
  const bound = sent ? context.legs : movements.map((index) => context.tx.movements[index]);
  return !bound.some((move) => isOf(context, move));
}

function isOf({ subject }: MatchContext, move: Movement | null | undefined): boolean {
  return move?.from === subject || move?.to === subject;
}

function evidenceKeys({ logs, calls, movements }: Candidate): string[] {
  return [
    ...logs.map((log) => `log ${log}`),
    ...calls.map((call) => `call ${call}`),
    ...movements.map((movement) => `movement ${movement}`),
  ];
}

interface State {
  actions: Candidate[];
  superseded: Settled["superseded"];
  /** Evidence key → the rule that claimed it. */
  claims: Map<string, string>;
  movements: Set<number>;
}

function claimsOf(state: State, kind: "log" | "call"): Set<number> {
  const numbers = [...state.claims.keys()].flatMap((key) => (key.startsWith(kind) ? Number(key.split(" ")[1]) : []));
  return new Set(numbers);
}

function take(state: State, candidate: Candidate): void {
  const keys = evidenceKeys(candidate);
  const clash = keys.find((key) => state.claims.has(key));
  if (clash !== undefined) {
    state.superseded.push({
      rule: candidate.rule.id,
      by: state.claims.get(clash) ?? "",
      reason: `${clash} is claimed`,
    });
    return;
  }
  for (const key of keys) state.claims.set(key, candidate.rule.id);
  for (const log of candidate.absorbedLogs)
    if (!state.claims.has(`log ${log}`)) state.claims.set(`log ${log}`, candidate.rule.id);
  for (const movement of candidate.movements) state.movements.add(movement);
  state.actions.push(candidate);
}

function precedence(level: (rule: string) => number): (a: Candidate, b: Candidate) => number {
  return (a, b) => {
    const one = a.rule;
    const other = b.rule;
    return (
      one.tier - other.tier ||
      level(one.id) - level(other.id) ||
      one.rank - other.rank ||
      other.specificity - one.specificity ||
      a.position - b.position ||
      compareText(one.id, other.id)
    );
  };
}

/** How many of the rules at hand stand above one by `overrides` (longest chain): a number, so that sorting stays consistent. */
function overrideLevels(candidates: readonly Candidate[]): (rule: string) => number {
  const above = new Map<string, string[]>();
  for (const { rule } of candidates)
    for (const other of rule.overrides) above.set(other, [...(above.get(other) ?? []), rule.id]);
  const level = (rule: string, depth: number): number =>
    depth > candidates.length ? 0 : Math.max(0, ...(above.get(rule) ?? []).map((over) => 1 + level(over, depth + 1)));
  return above.size === 0 ? () => 0 : (rule) => level(rule, 0);
}

function tierOfFallback(ruleset: Ruleset): number {
  for (const rule of ruleset.rules) if (ruleset.actions.get(rule.action)?.tier === "fallback") return rule.tier;
  return Number.MAX_SAFE_INTEGER;
}
