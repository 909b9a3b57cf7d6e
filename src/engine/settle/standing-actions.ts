import type { AssetChange } from "../../model/match.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import type { Candidate, Deferred, Refit } from "../match/candidate.ts";
import { isGivenAway } from "../money/fair-price.ts";
import { isBelieved } from "../money/payees.ts";
import { absorbedLogs, findClash } from "./claimed.ts";
import { narrow } from "./narrow.ts";
import { payoutsOf, unwrappedKey } from "./payouts/act-payouts.ts";
import { type KnownRun, runOf } from "./payouts/run.ts";
import type { ReachedMoney } from "./reached-money.ts";

/** The rule that won (empty: none), and why. */
export interface Superseded {
  rule: string;
  by: string;
  reason: string;
}

/** Actions so far, with claimed evidence: one piece explains one action. */
export class StandingActions {
  readonly actions: Candidate[] = [];
  readonly superseded: Superseded[] = [];
  /** Their money is in other actions. */
  readonly passed: Candidate[] = [];
  /** By position: the claiming rule. */
  readonly logs = new Map<number, string>();
  readonly calls = new Map<number, string>();
  readonly movements = new Map<number, string>();
  readonly money: ReachedMoney;
  readonly #known: KnownRun;
  /** Largest first; null: to be computed. */
  #explained: readonly ReadonlySet<number>[] | null = null;

  constructor(known: KnownRun, money: ReachedMoney) {
    this.#known = known;
    this.money = money;
  }

  /** With what earlier actions left: a swap whose proceeds were supplied fits without the supply. Unchanged if nothing is claimed. */
  takeLeft(candidate: Candidate): void {
    const { refit } = candidate;
    const rest = refit === null || !this.#touches(candidate) ? candidate : this.#fitRest(refit);
    if (rest !== undefined) {
      this.take(rest);
      return;
    }
    this.passed.push(candidate);
    this.supersede(candidate, "what is left of the money does not fit");
  }

  /** Fits a part of the balance changes that is unclaimed. */
  takeRest({ refit }: Deferred): void {
    const rest = this.#fitRest(refit);
    if (rest !== undefined && rest.movements.length > 0) this.take(rest);
  }

  /** As headline. */
  takeFirst(candidate: Candidate): void {
    const others = this.actions.length;
    this.take(candidate);
    if (this.actions.length > others) this.actions.unshift(...this.actions.splice(others));
  }

  /** With the money that reached it; not if claimed or gone elsewhere. */
  take(whole: Candidate): void {
    const candidate = narrow(whole, this.money);
    if (candidate === undefined || isShort(candidate, this.#known)) {
      this.supersede(whole, "the money went elsewhere");
      return;
    }
    const { rule, logs, calls, steps, movements } = candidate;
    const clash =
      findClash("log", logs, this.logs) ??
      findClash("call", calls, this.calls) ??
      findClash("call", steps, this.calls) ??
      findClash("movement", movements, this.movements);
    if (clash !== undefined) {
      this.passed.push(candidate);
      this.superseded.push({ rule: rule.id, ...clash });
      return;
    }
    for (const log of logs) this.logs.set(log, rule.id);
    for (const call of calls) this.calls.set(call, rule.id);
    for (const movement of movements) this.movements.set(movement, rule.id);
    for (const log of absorbedLogs(candidate)) if (!this.logs.has(log)) this.logs.set(log, rule.id);
    this.actions.push(candidate);
    this.#explained = null;
  }

  /** Notes that it lost to the headline. */
  supersede({ rule }: Candidate, reason: string): void {
    this.superseded.push({ rule: rule.id, by: this.actions[0]?.rule.id ?? "", reason });
  }

  /**
   * An open side (`gives: any`) may explain unclaimed movements. Tried without all of these, without incoming, without outgoing, then
   * without claimed ones alone.
   */
  #fitRest(refit: Refit): Candidate | undefined {
    this.#explained ??= this.#explainedSets();
    for (const explained of this.#explained) {
      const rest = refit(explained);
      if (rest !== undefined) return rest;
    }
    return undefined;
  }

  /** Largest first, equal ones once. */
  #explainedSets(): ReadonlySet<number>[] {
    const claimed = [...this.movements.keys()];
    const [got, given] = [this.#openSide("gets"), this.#openSide("gives")];
    const both = [...got, ...given];
    if (both.length === 0) return [new Set(claimed)];
    const further = got.length === 0 || given.length === 0 ? [both] : [both, got, given];
    return [...further, []].map((some) => new Set([...claimed, ...some]));
  }

  /** Unclaimed, of actions that leave this side open. */
  #openSide(side: "gives" | "gets"): number[] {
    const found: number[] = [];
    for (const { rule, context } of this.actions)
      if (rule.flow?.open[side] === true)
        for (const asset of context.flow[side])
          for (const index of asset.movements) if (!this.movements.has(index)) found.push(index);
    return found;
  }

  /** Claimed by another: something the account gave or got. */
  #touches({ context }: Candidate): boolean {
    if (this.movements.size === 0) return false;
    const { gives, gets, neutral } = context.flow;
    const isClaimed = (index: number) => this.movements.has(index);
    return [...gives, ...gets, ...neutral].some((asset) => asset.movements.some(isClaimed));
  }
}

/** At unknown contracts: next to nothing for what was given, or less than others kept. Not stated as an exchange. */
function isShort(candidate: Candidate, known: KnownRun): boolean {
  const { rule, context } = candidate;
  const says = rule.tier > tierRank("authority") && rule.tier < tierRank("fallback") && rule.status === "success";
  if (!says || atKnownPlace(rule)) return false;
  const asksBoth = (rule.flow?.gives?.min ?? 0) > 0 && (rule.flow?.gets?.min ?? 0) > 0;
  if (asksBoth && isGivenAway(context.flow, known.tx, known.labels)) return true;
  return rule.exchanges && isShortChanged(candidate, known);
}

/** For every asset; ether and listed tokens only. */
function isShortChanged(action: Candidate, known: KnownRun): boolean {
  const { gets } = action.context.flow;
  const believed = gets.filter((asset) => asset.kind !== "nft" && isBelieved(asset, known.tx));
  if (believed.length === 0) return false;
  const kept = payoutsOf(action, runOf({ ...known, leaves: [] })).flatMap(({ assets }) => assets);
  const sumOf = (assets: readonly AssetChange[], kind: string) =>
    assets.reduce((sum, { key, amount }) => (unwrappedKey(key, known.tx) === kind ? sum + amount : sum), 0n);
  return believed.map(({ key }) => unwrappedKey(key, known.tx)).every((one) => sumOf(kept, one) > sumOf(believed, one));
}
