import { type Address, namesAccount, zeroAddress } from "../../kernel/address.ts";
import type { ActorCall, BalanceChanges, MatchContext } from "../../model/match.ts";
import type { Log, Transaction } from "../../model/transaction.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { CompiledRule, Gate } from "../../rules/ruleset/compiled.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { stepsOf } from "../unwrap/call-tree.ts";
import type { GateKeeper } from "../unwrap/gates.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { bindLegs } from "./bind-legs.ts";
import { CallScopes } from "./call-scope.ts";
import { type Candidate, type Deferred, isAboutSubject, isFurther, type Matches, type Refit } from "./candidate.ts";
import { emitterFacts } from "./emitter-facts.ts";
import { couldFit, flowFits } from "./flow-fit.ts";
import { claimOf, exactClaim, FlowMemory } from "./flow-memory.ts";
import { seenInTrace } from "./foreign-calls.ts";
import { leavesOf, seesGifts, targetOf } from "./own-calls.ts";

/** Tokens from a bystander: got nothing, not called, wrote no log, did not send. No part of the act. */
export function giftsTo(account: Address, { tx, calls }: Pick<Unwrapped, "tx" | "calls">): ReadonlySet<number> {
  const incoming = tx.movements.filter((move) => move.to === account && move.token !== null && move.from !== account);
  if (incoming.length === 0) return none;
  const isInvolved = incoming.length > fewMax ? isAmong(tx, calls) : (giver: Address) => takesPart(giver, tx, calls);
  const given = incoming.filter(({ from }) => !isInvolved(from));
  return given.length === 0 ? none : new Set(given.map(({ index }) => index));
}

/** Up to so many, a set of all participants costs more. */
const fewMax = 4;

function takesPart(account: Address, tx: Transaction, calls: readonly ActorCall[]): boolean {
  if (account === zeroAddress || account === tx.from || account === tx.to) return true;
  return (
    tx.logs.some(({ address }) => address === account) ||
    tx.movements.some(({ to }) => to === account) ||
    calls.some(({ to }) => to === account)
  );
}

/** {@link takesPart} for many accounts. */
function isAmong(tx: Transaction, calls: readonly ActorCall[]): (account: Address) => boolean {
  const involved = new Set<Address | null>([zeroAddress, tx.from, tx.to]);
  for (const { to } of tx.movements) involved.add(to);
  for (const { to } of calls) involved.add(to);
  for (const { address } of tx.logs) involved.add(address);
  return (account) => involved.has(account);
}

/** A rule by money flow alone cannot separate gifts, unless it is about an exchange. */
export function knowsGifts({ flow, actsFor, tier, anchor, exchanges }: CompiledRule): boolean {
  return flow !== null && actsFor === null && tier !== fallbackTier && (anchor.kind !== "none" || exchanges);
}

const none: ReadonlySet<number> = new Set();
const fallbackTier = tierRank("fallback");

/** The evidence that a rule's anchor found. */
type Anchored = Partial<Pick<MatchContext, "log" | "call" | "move" | "authorization" | "args" | "input">>;

/** Tries rules on what their anchors found, and keeps those that fit. */
export class RuleTrials {
  readonly #tx: Transaction;
  readonly #calls: readonly ActorCall[];
  readonly #subject: Address;
  readonly #gates: GateKeeper;
  readonly #flows: FlowMemory;
  readonly #scopes: CallScopes;
  readonly #soleCall: ActorCall | null;
  readonly #seesGifts: (account: Address) => boolean;
  readonly #principals: ReadonlySet<Address>;
  /** Gifts of bystanders to the subject, and its flow without them; null: there are none. */
  readonly #gifts: { movements: ReadonlySet<number>; flow: BalanceChanges } | null;
  readonly #found: Candidate[] = [];
  readonly #deferred: Deferred[] = [];
  readonly #ofOthers: Pick<Candidate, "rule" | "context">[] = [];
  /** Values that are the same in every context of the subject. */
  readonly #own: MatchContext;

  constructor(unwrapped: Unwrapped, { grants, accounts, subjects, precompiles }: Ruleset, gates: GateKeeper) {
    const { tx, subject, calls, principals } = unwrapped;
    this.#principals = principals;
    this.#tx = tx;
    this.#calls = calls;
    this.#subject = subject;
    this.#gates = gates;
    this.#flows = new FlowMemory(tx);
    const leaves = leavesOf(unwrapped);
    this.#seesGifts = seesGifts(unwrapped, leaves);
    const flow = this.#flows.of(subject);
    const gifts = giftsTo(subject, unwrapped);
    this.#gifts = gifts.size === 0 ? null : { movements: gifts, flow: balanceChanges(tx, subject, gifts) };
    this.#scopes = new CallScopes(tx, leaves, flow);
    this.#soleCall = leaves.length === 1 ? (leaves[0] as ActorCall) : null;
    let topics: Map<string, Log[]> | undefined;
    let emitters: Map<Address, Log[]> | undefined;
    const target = targetOf(leaves, subject, grants) ?? tx.to;
    const { isBirth, mayCall } = emitterFacts(unwrapped, { accounts, subjects, precompiles }, gates);
    this.#own = {
      tx,
      subject,
      flow,
      log: null,
      call: null,
      move: null,
      authorization: null,
      args: null,
      input: null,
      legs: [],
      target,
      targetFlow: () => (target === null ? null : this.#flows.of(target)),
      seesGifts: this.#seesGifts(subject),
      paysElsewhere: (one) => this.#flows.paysElsewhere(one),
      logsWith: (topic) => {
        topics ??= Map.groupBy(tx.logs, (log) => log.topics[0] ?? "");
        return topics.get(topic) ?? [];
      },
      logsBy: (contract) => {
        emitters ??= Map.groupBy(tx.logs, (log) => log.address);
        return contract === null ? undefined : BigInt(emitters.get(contract)?.length ?? 0);
      },
      admits: this.#admitsFor(subject),
      isBirth,
      mayCall,
    };
  }

  /** The context in which a rule about the subject reads this evidence. */
  context({
    log = null,
    call = null,
    move = null,
    authorization = null,
    args = null,
    input = null,
  }: Anchored): MatchContext {
    return { ...this.#own, log, call, move, authorization, args, input };
  }

  /** All candidates. If a proven act fits with and without gifts, rules that fit only without them are tried later. */
  matches(truncated: string[]): Matches {
    const isKnown = ({ rule, gift }: Candidate) => gift === null && atKnownPlace(rule);
    const all = { candidates: this.#found, deferred: this.#deferred, ofOthers: this.#ofOthers, truncated };
    if (this.#gifts === null || !all.candidates.some(isKnown)) return all;
    const aside = all.candidates.filter(({ gift }) => gift === "left");
    const late = aside.flatMap(({ refit, ...one }) =>
      refit === null || !isFurther(one.rule) ? [] : { ...one, refit },
    );
    const candidates = all.candidates.filter((one) => !aside.includes(one));
    return { ...all, candidates, deferred: [...all.deferred, ...late] };
  }

  /** Whether bystanders gave the subject anything. */
  get hasGifts(): boolean {
    return this.#gifts !== null;
  }

  /** The number of rules that fit so far. Of deferred rules, eight count as one. */
  get count(): number {
    return this.#found.length + this.#deferred.length / 8;
  }

  /** Checks everything that a rule asks beyond its anchor; true when it fits. */
  consider(rule: CompiledRule, base: MatchContext): boolean {
    if (rule.actsFor === null && !rule.legsFirst) {
      const context = rule.control ? this.#ofPrincipal(rule, base) : base;
      if (isAboutSubject(rule, context)) return this.#try(rule, context, undefined);
      if (context.log !== null && (atKnownPlace(rule) || rule.who.length > 0)) this.#ofOthers.push({ rule, context });
      return false;
    }
    const early = rule.legsFirst ? bindLegs(rule.legs, base) : undefined;
    if (rule.legsFirst && early === undefined) return false;
    const bound = early?.context ?? base;
    const subject = rule.actsFor === null ? this.#subject : (rule.actsFor(bound) as Address | undefined);
    if (subject === undefined || subject.length !== 42 || subject === zeroAddress) return false;
    const context = subject === this.#subject ? bound : this.#contextFor(subject, bound);
    return isAboutSubject(rule, context) && this.#try(rule, context, early?.movements);
  }

  /** The context for the principal that a change of control names: the subject first, else another one. */
  #ofPrincipal(rule: CompiledRule, base: MatchContext): MatchContext {
    if (isAboutSubject(rule, base)) return base;
    for (const get of rule.who) {
      const named = get(base);
      for (const one of this.#principals) if (namesAccount(named, one)) return this.#contextFor(one, base);
    }
    return base;
  }

  #contextFor(subject: Address, context: MatchContext): MatchContext {
    const [flow, admits] = [this.#flows.of(subject), this.#admitsFor(subject)];
    return { ...context, subject, flow, seesGifts: this.#seesGifts(subject), admits };
  }

  #admitsFor(subject: Address): MatchContext["admits"] {
    return (gate, address) => this.#gates.admits(gate as Gate, address, subject);
  }

  #try(rule: CompiledRule, context: MatchContext, early: number[] | undefined): boolean {
    if (!rule.premise(context)) return false;
    const refits = rule.flow !== null && !rule.legsFirst;
    const made = this.#fitCall(rule, context) ?? this.#fitAside(rule, context, early);
    if (made === undefined && !(refits && isFurther(rule))) return false;
    const refit = refits ? this.#refitOf(rule, context) : null;
    if (made !== undefined) {
      made.refit = refit;
      this.#found.push(made);
    } else if (refit !== null)
      this.#deferred.push({ rule, position: context.log?.index ?? this.#tx.logs.length, refit });
    return made !== undefined;
  }

  /** Fits a rule to what one of several calls alone moved. Not for transfers, which tell all receivers together. */
  #fitCall(rule: CompiledRule, whole: MatchContext): Candidate | undefined {
    if (rule.flow === null || rule.tier >= tierRank("transfer")) return undefined;
    if (rule.legsFirst || whole.subject !== this.#subject) return undefined;
    const scope = this.#scopes.of(whole.call, whole.log);
    if (scope === null) return undefined;
    const made = this.#fit(rule, withFlow(whole, scope.flow), undefined, scope.outside);
    if (made !== undefined) made.position = Math.min(made.position, scope.first);
    return made;
  }

  /**
   * Fits a rule with and without bystanders' gifts, so that a gift neither changes an act nor hides it. With the gift first for rules of
   * proven places, since their protocols may pay through a bystander; without it first for all others.
   */
  #fitAside(rule: CompiledRule, whole: MatchContext, early: number[] | undefined): Candidate | undefined {
    if (this.#gifts === null || !knowsGifts(rule)) return this.#fit(rule, whole, early);
    const { flow, movements } = this.#gifts;
    const aside = { ...whole, flow };
    const proven = atKnownPlace(rule);
    const first = proven ? this.#fit(rule, whole, early) : this.#fit(rule, aside, early, movements);
    if (first !== undefined) return first;
    const made = proven ? this.#fit(rule, aside, early, movements) : this.#fit(rule, whole, early);
    if (made !== undefined) made.gift = proven ? "left" : "taken";
    return made;
  }

  #refitOf(rule: CompiledRule, whole: MatchContext): Refit {
    return (explained) => {
      const flow = this.#flows.rest(whole.subject, explained);
      if (rule.flow === null || !couldFit(rule.flow, flow)) return undefined;
      return this.#fit(rule, withFlow(whole, flow), undefined, explained);
    };
  }

  /** Fits a rule. `explained`: movements that others claim; the flow of `given` must not contain them. */
  #fit(
    rule: CompiledRule,
    given: MatchContext,
    early: number[] | undefined,
    explained?: Pick<ReadonlySet<number>, "has">,
  ): Candidate | undefined {
    if (rule.exchanges && given.flow.wraps && rule.status === "success") return undefined;
    if (rule.flow !== null && !flowFits(rule.flow, given.flow, given, rule.exchanges)) return undefined;
    const bound = early === undefined ? bindLegs(rule.legs, given, explained) : { context: given, movements: early };
    if (bound === undefined || !rule.where(bound.context)) return undefined;
    const { context } = bound;
    const { log, call, move } = context;
    const called = rule.anchor.kind === "call" && call?.via !== seenInTrace ? call : null;
    const whole =
      explained === undefined || rule.flow === null
        ? this.#flows.movements(rule, context.flow)
        : claimOf(rule.flow, context.flow);
    const claim = exactClaim(whole, rule, context);
    return {
      rule,
      context,
      logs: log === null ? [] : [log.index],
      calls: called === null ? [] : [called.id],
      steps: called === null ? [] : stepsOf(this.#calls, called),
      movements: claim.claimWith(move === null ? bound.movements : [move.index, ...bound.movements]),
      absorbedMovements: claim.takenAlong,
      alone: call !== null && this.#soleCall === call,
      foreign: context.subject !== this.#subject || context.authorization?.authority === null,
      gift: null,
      position: log?.index ?? move?.log ?? this.#tx.logs.length,
      refit: null,
    };
  }
}

function withFlow(context: MatchContext, flow: BalanceChanges): MatchContext {
  return { ...context, flow, legs: [] };
}
