import type { Candidate, Deferred, Refit } from "../match/candidate.ts";
import { absorbedLogs, findClash } from "./claimed.ts";
import { narrow } from "./narrow.ts";
import type { KnownRun } from "./payouts/run.ts";
import { isShort } from "./payouts/short-exchange.ts";
import type { ReachedMoney } from "./reached-money.ts";

/** A rule that does not stand, the rule that it lost to (empty: none), and the reason. */
export interface Superseded {
  rule: string;
  by: string;
  reason: string;
}

/** The actions that stand so far and the evidence that they claim. One piece of evidence explains one action. */
export class StandingActions {
  readonly actions: Candidate[] = [];
  readonly superseded: Superseded[] = [];
  /** Candidates that fit, but whose money other actions tell. */
  readonly passed: Candidate[] = [];
  /** By position: the rule that claimed the log, call or movement. */
  readonly logs = new Map<number, string>();
  readonly calls = new Map<number, string>();
  readonly movements = new Map<number, string>();
  readonly money: ReachedMoney;
  readonly #known: KnownRun;
  /** Sets of movements that the actions so far may explain, the largest first; null: to be computed again. */
  #explained: readonly ReadonlySet<number>[] | null = null;

  constructor(known: KnownRun, money: ReachedMoney) {
    this.#known = known;
    this.money = money;
  }

  /**
   * Takes a candidate with the money that the actions before it left. Example: a swap whose proceeds were supplied at once fits without the
   * supply's movements. If no money of it is claimed, it is taken unchanged.
   */
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

  /** Takes a rule that fits only a part of the balance changes, if that part is still unclaimed. */
  takeRest({ refit }: Deferred): void {
    const rest = this.#fitRest(refit);
    if (rest !== undefined && rest.movements.length > 0) this.take(rest);
  }

  /** Takes a candidate as the headline. */
  takeFirst(candidate: Candidate): void {
    const others = this.actions.length;
    this.take(candidate);
    if (this.actions.length > others) this.actions.unshift(...this.actions.splice(others));
  }

  /** Takes a candidate with the money that reached it, unless its evidence is claimed already or the money went elsewhere. */
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

  /** Notes that a candidate lost to the headline, and why. */
  supersede({ rule }: Candidate, reason: string): void {
    this.superseded.push({ rule: rule.id, by: this.actions[0]?.rule.id ?? "", reason });
  }

  /**
   * Fits a rule to what is left. A standing action with an open side (`gives: any`) may explain movements that it does not claim. So the
   * rest is tried without all of these, then without those that came in, then without those that went out, and in the end without the
   * claimed movements alone.
   */
  #fitRest(refit: Refit): Candidate | undefined {
    this.#explained ??= this.#explainedSets();
    for (const explained of this.#explained) {
      const rest = refit(explained);
      if (rest !== undefined) return rest;
    }
    return undefined;
  }

  /** Sets of movements that the actions may explain, the largest first. Equal sets are listed once. */
  #explainedSets(): ReadonlySet<number>[] {
    const claimed = [...this.movements.keys()];
    const [got, given] = [this.#openSide("gets"), this.#openSide("gives")];
    const both = [...got, ...given];
    if (both.length === 0) return [new Set(claimed)];
    const further = got.length === 0 || given.length === 0 ? [both] : [both, got, given];
    return [...further, []].map((some) => new Set([...claimed, ...some]));
  }

  /** Unclaimed movements on one side of those standing actions that leave that side open. */
  #openSide(side: "gives" | "gets"): number[] {
    const found: number[] = [];
    for (const { rule, context } of this.actions)
      if (rule.flow?.open[side] === true)
        for (const asset of context.flow[side])
          for (const index of asset.movements) if (!this.movements.has(index)) found.push(index);
    return found;
  }

  /** Whether another action claims something that the candidate's account gave or got. */
  #touches({ context }: Candidate): boolean {
    if (this.movements.size === 0) return false;
    const { gives, gets, neutral } = context.flow;
    const isClaimed = (index: number) => this.movements.has(index);
    return [...gives, ...gets, ...neutral].some((asset) => asset.movements.some(isClaimed));
  }
}
