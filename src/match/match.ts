import { type Address, zeroAddress } from "../kernel/address.ts";
import { selectorOf } from "../kernel/hex.ts";
import type { ActorCall, MatchContext } from "../model/match.ts";
import type { Log, Movement, Transaction } from "../model/transaction.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import type { CompiledRule, Gate } from "../ruleset/compiled.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { stepsOf } from "../unwrap/call-tree.ts";
import type { GateKeeper } from "../unwrap/gates.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { absorbedLogs } from "./absorbed-logs.ts";
import { ArgumentMemory } from "./argument-memory.ts";
import { bindLegs } from "./bind-legs.ts";
import { CallScopes } from "./call-scope.ts";
import { type AnchorData, type Candidate, type Deferred, isFurther, type Matches, type Refit } from "./candidate.ts";
import { flowFits } from "./flow-fit.ts";
import { claimOf, FlowMemory } from "./flow-memory.ts";
import { foreignCalls, seenInTrace } from "./foreign-calls.ts";
import { leavesOf, seesGifts, targetOf } from "./own-calls.ts";
import { indexOf, type RuleIndex } from "./rule-index.ts";

/** Finds every rule that fits a transaction. No rule sees another's match; see settle for the choice among them. */
export function match(unwrapped: Unwrapped, ruleset: Ruleset, gates: GateKeeper): Matches {
  return new Matcher(unwrapped, ruleset, gates).run();
}

class Matcher {
  readonly #tx: Transaction;
  readonly #calls: ActorCall[];
  readonly #subject: Address;
  readonly #ruleset: Ruleset;
  readonly #index: RuleIndex;
  readonly #gates: GateKeeper;
  readonly #target: Address | null;
  readonly #soleCall: ActorCall | undefined;
  readonly #arguments = new ArgumentMemory();
  readonly #flows: FlowMemory;
  readonly #scopes: CallScopes;
  readonly #certain: ReadonlySet<number>;
  readonly #seesGifts: (account: Address) => boolean;
  readonly #found: Candidate[] = [];
  readonly #deferred: Deferred[] = [];
  /** Calls of the subject that stand, with their selectors. */
  readonly #ownCalls: { call: ActorCall; selector: string }[];
  readonly #logsWith: MatchContext["logsWith"];
  readonly #admitters: Map<Address, MatchContext["admits"]> = new Map();

  constructor(unwrapped: Unwrapped, ruleset: Ruleset, gates: GateKeeper) {
    const { tx } = unwrapped;
    this.#tx = tx;
    this.#calls = unwrapped.calls;
    this.#subject = unwrapped.subject;
    this.#ruleset = ruleset;
    this.#index = indexOf(ruleset);
    this.#gates = gates;
    this.#flows = new FlowMemory(tx);
    const leaves = leavesOf(unwrapped);
    this.#target = targetOf(leaves, unwrapped.subject, ruleset.grants) ?? tx.to;
    this.#certain = unwrapped.certain;
    this.#seesGifts = seesGifts(unwrapped, tx);
    this.#scopes = new CallScopes(tx, leaves, this.#flows.of(this.#subject));
    this.#soleCall = leaves.length === 1 ? leaves[0] : undefined;
    this.#ownCalls = unwrapped.calls
      .filter((call) => call.actor === unwrapped.subject && call.state !== "failed")
      .map((call) => ({ call, selector: selectorOf(call.input) ?? "" }));
    this.#logsWith = (topic) => tx.logs.filter((log) => log.topics[0] === topic);
  }

  run(): Matches {
    const { byParty, unanchored } = this.#ruleset;
    for (const log of this.#tx.logs)
      for (const rule of this.#index.ofEvent(log.topics[0] ?? "", log.address)) this.#tryEvent(rule, log);
    for (const call of [...this.#calls, ...foreignCalls(this.#tx, this.#calls)]) this.#tryCall(call);
    for (const move of this.#tx.movements) {
      for (const rule of byParty.get(move.from) ?? []) this.#tryTransfer(rule, move);
      for (const rule of byParty.get(move.to) ?? []) this.#tryTransfer(rule, move);
    }
    for (const rule of unanchored) this.#consider(rule, {});
    return { candidates: this.#found, deferred: this.#deferred };
  }

  #tryEvent(rule: CompiledRule, log: Log): void {
    const { anchor } = rule;
    if (anchor.kind !== "event" || log.topics.length !== anchor.event.topics) return;
    if (!this.#gates.admits(anchor.gate, log.address, this.#subject)) return;
    const args = this.#arguments.ofLog(anchor.event, log);
    if (args === undefined) return;
    if (anchor.companion === null) {
      this.#consider(rule, { log, args });
      return;
    }
    for (const { call, selector } of this.#ownCalls) {
      const item = anchor.companion.call.find((one) => one.hash === selector);
      if (item === undefined || !this.#gates.admits(anchor.companion.gate, call.to, this.#subject)) continue;
      const input = this.#arguments.ofCall(item, call);
      if (input !== undefined && this.#consider(rule, { log, args, call, input })) return;
    }
  }

  #tryCall(call: ActorCall): void {
    const reverted = this.#tx.status === "reverted";
    if (call.to === null || (!reverted && call.state === "failed")) return;
    const named = this.#index.ofCall(selectorOf(call.input) ?? "0x", call.to);
    // A step is told by its name only: any call of the contract is the call that carries it.
    const rules = call.step === null ? [...named, ...(this.#ruleset.byTarget.get(call.to) ?? [])] : named;
    for (const rule of rules) {
      const { anchor } = rule;
      if (anchor.kind !== "call" || (call.step === null ? anchor.call?.step : call.input === "0x")) continue;
      if (!this.#gates.admits(anchor.gate, call.to, this.#subject)) continue;
      // Of what reverted, the envelope itself tells the attempt, whoever it was for.
      const theirs = call.actor !== this.#subject || call.via === seenInTrace;
      if (rule.actsFor === null && theirs && !(reverted && call.id === 0)) continue;
      // Calldata alone does not show that an inner call ran: then money or an event must.
      if (!reverted && this.#isClaim(call) && rule.flow === null && rule.legs.length === 0) continue;
      const args = anchor.call === null ? null : this.#arguments.ofCall(anchor.call, call);
      if (args !== undefined) this.#consider(rule, { call, args });
    }
  }

  #isClaim({ id, state }: ActorCall): boolean {
    return state === "asserted" && !this.#certain.has(id);
  }

  #tryTransfer(rule: CompiledRule, move: Movement): void {
    const { anchor } = rule;
    if (anchor.kind !== "transfer" || move.fee || move.amount === 0n || !this.#isVouched(move)) return;
    if (anchor.standards.length > 0 && !anchor.standards.includes(move.standard)) return;
    if (
      !this.#gates.admits(anchor.from, move.from, this.#subject) ||
      !this.#gates.admits(anchor.to, move.to, this.#subject)
    )
      return;
    if (rule.actsFor === null && move.from !== this.#subject && move.to !== this.#subject) return;
    this.#consider(rule, { move });
  }

  /** Anyone can write a token that says what moved: a listed one is believed, and one that somebody here called themselves. */
  #isVouched({ token }: Movement): boolean {
    return token === null || this.#tx.listed.has(token) || this.#calls.some((call) => call.to === token);
  }

  /** Checks everything that a rule asks beyond its anchor; true when it fits. */
  #consider(rule: CompiledRule, data: AnchorData): boolean {
    if (rule.status !== this.#tx.status) return false;
    const base = this.#context(this.#subject, data);
    const early = rule.legsFirst ? bindLegs(rule.legs, base) : undefined;
    if (rule.legsFirst && early === undefined) return false;
    const subject =
      rule.actsFor === null ? this.#subject : (rule.actsFor(early?.context ?? base) as Address | undefined);
    if (subject === undefined || subject.length !== 42 || subject === zeroAddress) return false;
    const legs = early?.context.legs ?? base.legs;
    const own = early?.context ?? base;
    const context = subject === this.#subject ? own : { ...this.#context(subject, data), legs };
    if (rule.who.length > 0 && !rule.who.some((get) => get(context) === subject)) return false;
    const refit: Refit | null =
      rule.flow === null || rule.legsFirst ? null : (explained) => this.#refit(rule, data, context, explained);
    const made = this.#fitCall(rule, data, context) ?? this.#fit(rule, data, context, early?.movements);
    if (made !== undefined) this.#found.push({ ...made, refit });
    else if (refit !== null && isFurther(rule))
      this.#deferred.push({ rule, position: data.log?.index ?? this.#tx.logs.length, refit });
    return made !== undefined;
  }

  /** An exchange by one call of several is told with what that call moved. */
  #fitCall(rule: CompiledRule, data: AnchorData, whole: MatchContext): Candidate | undefined {
    if (!rule.exchanges || rule.flow === null || rule.legsFirst || whole.subject !== this.#subject) return undefined;
    const scope = this.#scopes.of(data.call, data.log);
    if (scope === null) return undefined;
    const made = this.#fit(rule, data, { ...whole, flow: scope.flow, legs: [] }, undefined, scope.outside);
    return made && { ...made, position: Math.min(made.position, scope.first) };
  }

  #refit(
    rule: CompiledRule,
    data: AnchorData,
    whole: MatchContext,
    explained: ReadonlySet<number>,
  ): Candidate | undefined {
    // What could not be seen belongs to the action that came first: a rest must be seen to be told.
    const flow = { ...balanceChanges(this.#tx, whole.subject, explained), complete: true };
    const context = { ...whole, flow, legs: [] };
    return this.#fit(rule, data, context, undefined, explained);
  }

  /** `explained`: movements that others claim; the flow of the context is then without them. */
  #fit(
    rule: CompiledRule,
    data: AnchorData,
    given: MatchContext,
    early: number[] | undefined,
    explained?: ReadonlySet<number>,
  ): Candidate | undefined {
    if (rule.exchanges && given.flow.wraps && rule.status === "success") return undefined;
    if (rule.flow !== null && !flowFits(rule.flow, given.flow, given)) return undefined;
    const bound = early === undefined ? bindLegs(rule.legs, given, explained) : { context: given, movements: early };
    if (bound === undefined || !rule.where(bound.context)) return undefined;
    const { context } = bound;
    const called = rule.anchor.kind === "call" && data.call?.via !== seenInTrace ? data.call : undefined;
    const flow =
      explained === undefined || rule.flow === null
        ? this.#flows.movements(rule, context.flow)
        : claimOf(rule.flow, context.flow);
    return {
      rule,
      context,
      logs: data.log === undefined ? [] : [data.log.index],
      calls: called === undefined ? [] : [called.id],
      steps: called === undefined ? [] : stepsOf(this.#calls, called),
      movements: flow.claimWith(data.move === undefined ? bound.movements : [data.move.index, ...bound.movements]),
      absorbedLogs: absorbedLogs(rule, context),
      absorbedMovements: flow.takenAlong,
      alone: data.call !== undefined && this.#soleCall === data.call,
      position: data.log?.index ?? data.move?.log ?? this.#tx.logs.length,
      refit: null,
    };
  }

  #context(subject: Address, data: AnchorData): MatchContext {
    const tx = this.#tx;
    return {
      tx,
      subject,
      flow: this.#flows.of(subject),
      log: data.log ?? null,
      call: data.call ?? null,
      move: data.move ?? null,
      args: data.args ?? null,
      input: data.input ?? null,
      legs: [],
      target: this.#target,
      seesGifts: this.#seesGifts(subject),
      logsWith: this.#logsWith,
      admits: this.#admitsFor(subject),
    };
  }

  #admitsFor(subject: Address): MatchContext["admits"] {
    let admits = this.#admitters.get(subject);
    if (admits === undefined) {
      admits = (gate, address) => this.#gates.admits(gate as Gate, address, subject);
      this.#admitters.set(subject, admits);
    }
    return admits;
  }
}
