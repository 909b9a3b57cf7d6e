import { type Address, zeroAddress } from "../../kernel/address.ts";
import { selectorOf } from "../../kernel/hex.ts";
import { distinct, type Members } from "../../kernel/lists.ts";
import type { ActorCall, MatchContext } from "../../model/match.ts";
import type { CodeAuthorization, Log, Movement, Transaction } from "../../model/transaction.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../../rules/abi/signature.ts";
import { delegatedKey } from "../../rules/ruleset/compile/anchor.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { GateKeeper } from "../unwrap/gates.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import type { Matches } from "./candidate.ts";
import { foreignCalls, seenInTrace } from "./foreign-calls.ts";
import { MatchBudget } from "./match-budget.ts";
import { indexOf, type RuleGroup, type RuleIndex } from "./rule-index.ts";
import { RuleTrials } from "./rule-trials.ts";

type Arguments = readonly Value[] | undefined;

/** Of one transaction: many rules ask for the same arguments. Events and functions of one layout share a reader. */
export class ArgumentMemory {
  #calls: Map<FunctionItem["read"], Map<number, Arguments>> | undefined;
  /** Logs come one after the other: the last is enough. */
  #read: EventItem["read"] | undefined;
  #log: Log | undefined;
  #args: Arguments;

  ofLog({ read }: EventItem, log: Log): Arguments {
    if (this.#read === read && this.#log === log) return this.#args;
    this.#read = read;
    this.#log = log;
    this.#args = read(log.topics, log.data);
    return this.#args;
  }

  ofCall({ read }: FunctionItem, call: ActorCall): Arguments {
    this.#calls ??= new Map();
    let known = this.#calls.get(read);
    if (known === undefined) {
      known = new Map();
      this.#calls.set(read, known);
    }
    if (!known.has(call.id)) known.set(call.id, read(call.input));
    return known.get(call.id);
  }
}

/** Every rule that fits; settle chooses. */
export function match(unwrapped: Unwrapped, ruleset: Ruleset, gates: GateKeeper): Matches {
  return new Matcher(unwrapped, ruleset, gates).run();
}

type Companion = NonNullable<Extract<CompiledRule["anchor"], { kind: "event" }>["companion"]>;

interface CompanionCall {
  call: ActorCall;
  input: readonly unknown[];
}

const noRules: readonly CompiledRule[] = [];

/** Checks the anchor; {@link RuleTrials} checks the rest. */
class Matcher {
  readonly #unwrapped: Unwrapped;
  readonly #tx: Transaction;
  readonly #calls: readonly ActorCall[];
  readonly #subject: Address;
  readonly #index: RuleIndex;
  readonly #gates: GateKeeper;
  readonly #trials: RuleTrials;
  readonly #arguments = new ArgumentMemory();
  readonly #certain: Members<number>;
  #groups: Map<RuleGroup, readonly CompiledRule[]> | undefined;
  #companions: Map<Companion, readonly CompanionCall[]> | undefined;
  readonly #budget: MatchBudget;
  #called: ReadonlySet<Address | null> | undefined;
  /** Calls that did not fail. */
  readonly #ownCalls: { call: ActorCall; selector: string }[];

  constructor(unwrapped: Unwrapped, ruleset: Ruleset, gates: GateKeeper) {
    this.#unwrapped = unwrapped;
    this.#tx = unwrapped.tx;
    this.#calls = unwrapped.calls;
    this.#subject = unwrapped.subject;
    this.#index = indexOf(ruleset, unwrapped.tx.status);
    this.#gates = gates;
    this.#trials = new RuleTrials(unwrapped, ruleset, gates);
    this.#certain = unwrapped.certain;
    this.#budget = new MatchBudget(unwrapped.tx);
    this.#ownCalls = [];
    for (const call of unwrapped.calls)
      if (call.actor === unwrapped.subject && call.state !== "failed")
        this.#ownCalls.push({ call, selector: selectorOf(call.input) ?? "" });
  }

  run(): Matches {
    for (const log of this.#budget.logsFor(this.#unwrapped, this.#index)) if (this.#hasRoom()) this.#tryLog(log);
    for (const call of this.#calls) this.#tryCall(call);
    for (const call of foreignCalls(this.#tx, this.#calls, this.#index)) if (this.#hasRoom()) this.#tryCall(call);
    for (const move of this.#tx.movements) {
      for (const rule of this.#index.ofParty(move.from)) if (this.#hasRoom()) this.#tryTransfer(rule, move);
      for (const rule of this.#index.ofParty(move.to)) if (this.#hasRoom()) this.#tryTransfer(rule, move);
    }
    for (const authorization of this.#tx.authorizations) this.#tryAuthorization(authorization);
    const plain = this.#trials.context({});
    const unanchored = this.#trials.hasGifts ? this.#index.unanchored : this.#index.ofFlow(this.#tx, plain.flow);
    for (const rule of unanchored) this.#trials.consider(rule, plain);
    return this.#trials.matches(this.#budget.truncated());
  }

  #hasRoom(): boolean {
    return this.#budget.hasRoom(this.#trials.count);
  }

  #tryLog(log: Log): void {
    const group = this.#index.ofEvent(log.topics[0] ?? "", log.topics.length, log.address);
    // Same arguments, same context.
    let context: MatchContext | undefined;
    for (const rule of group.named) context = this.#tryEvent(rule, log, context);
    for (const rule of group.open) if (this.#admits(rule, log.address)) context = this.#tryEvent(rule, log, context);
    for (const rule of this.#accompanied(group))
      if (this.#admits(rule, log.address)) context = this.#tryEvent(rule, log, context);
  }

  #admits({ anchor }: CompiledRule, contract: Address): boolean {
    return (
      (anchor.kind === "event" || anchor.kind === "call") && this.#gates.admits(anchor.gate, contract, this.#subject)
    );
  }

  /** Returns the context for the next rule: equal arguments share one. */
  #tryEvent(rule: CompiledRule, log: Log, before: MatchContext | undefined): MatchContext | undefined {
    const { anchor } = rule;
    if (anchor.kind !== "event") return before;
    const args = this.#arguments.ofLog(anchor.event, log);
    if (args === undefined) return before;
    const context = before?.args === args ? before : this.#trials.context({ log, args });
    if (anchor.companion === null) this.#trials.consider(rule, context);
    else this.#tryCompanions(rule, anchor.companion, context);
    return context;
  }

  /** Whose companion call the subject made. */
  #accompanied(group: RuleGroup): readonly CompiledRule[] {
    const { companions } = group;
    if (companions.size === 0) return noRules;
    const [own] = this.#ownCalls;
    // The usual case.
    if (own === undefined || this.#ownCalls.length === 1) return companions.get(own?.selector ?? "") ?? noRules;
    this.#groups ??= new Map();
    let rules = this.#groups.get(group);
    if (rules === undefined) {
      rules = distinct(this.#ownCalls.flatMap(({ selector }) => companions.get(selector) ?? []));
      this.#groups.set(group, rules);
    }
    return rules;
  }

  #tryCompanions(rule: CompiledRule, companion: Companion, context: MatchContext): void {
    this.#companions ??= new Map();
    let calls = this.#companions.get(companion);
    if (calls === undefined) {
      calls = this.#companionsOf(companion);
      this.#companions.set(companion, calls);
    }
    for (const { call, input } of calls) if (this.#trials.consider(rule, { ...context, call, input })) return;
  }

  /** Calls that the rule asks for beside its event. */
  #companionsOf({ call: items, gate }: Companion): CompanionCall[] {
    const found: CompanionCall[] = [];
    for (const { call, selector } of this.#ownCalls) {
      const item = items.find((one) => one.hash === selector);
      if (item === undefined || !this.#gates.admits(gate, call.to, this.#subject)) continue;
      const input = this.#arguments.ofCall(item, call);
      if (input !== undefined) found.push({ call, input });
    }
    return found;
  }

  #tryCall(call: ActorCall): void {
    const reverted = this.#tx.status === "reverted";
    if (call.to === null || (!reverted && call.state === "failed")) return;
    const { from, to } = call;
    const runsAsOwn = call.delegate && call.step === null && to !== from && this.#unwrapped.principals.has(from);
    // A reverted delegatecall shows that foreign code was to run as the account, not what it would do.
    if (!reverted || !runsAsOwn) this.#tryCallsOf(selectorOf(call.input) ?? "0x", call, reverted);
    if (runsAsOwn) this.#tryCallsOf(delegatedKey, call, reverted);
    // A step is found by its name only; rules about any call are about the call around it.
    if (call.step !== null) return;
    for (const rule of this.#index.ofTarget(call.to))
      if (this.#admits(rule, call.to)) this.#tryCallRule(rule, call, reverted);
  }

  #tryCallsOf(selector: string, call: ActorCall, reverted: boolean): void {
    const to = call.to as Address;
    const { named, open } = this.#index.ofCall(selector, to);
    for (const rule of named) this.#tryCallRule(rule, call, reverted);
    for (const rule of open) if (this.#admits(rule, to)) this.#tryCallRule(rule, call, reverted);
  }

  #tryCallRule(rule: CompiledRule, call: ActorCall, reverted: boolean): void {
    const { anchor } = rule;
    if (anchor.kind !== "call" || (call.step === null ? anchor.call?.step : call.input === "0x")) return;
    // In a reverted transaction the outermost call states the attempt; a change of control counts for every named principal.
    const named = rule.control && rule.who.length > 0;
    const theirs = (call.actor !== this.#subject && !named) || call.via === seenInTrace;
    if (rule.actsFor === null && theirs && !(reverted && call.id === 0)) return;
    // Calldata does not prove that an inner call ran: money or an event must.
    if (!reverted && this.#isClaim(call) && rule.flow === null && rule.legs.length === 0) return;
    const args = anchor.call === null ? null : this.#arguments.ofCall(anchor.call, call);
    if (args !== undefined) this.#trials.consider(rule, this.#trials.context({ call, args }));
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
    this.#trials.consider(rule, this.#trials.context({ move }));
  }

  #tryAuthorization(authorization: CodeAuthorization): void {
    const [clears, signed] = [authorization.delegate === zeroAddress, authorization.authority !== null];
    const context = this.#trials.context({ authorization });
    for (const rule of this.#index.authorized) {
      const { anchor } = rule;
      if (anchor.kind === "authorization" && anchor.clears === clears && anchor.signed === signed)
        this.#trials.consider(rule, context);
    }
  }

  /** Ether, a listed token, or one called here. Anybody can write a token that lies. */
  #isVouched({ token }: Movement): boolean {
    if (token === null || this.#tx.listed.has(token)) return true;
    this.#called ??= new Set(this.#calls.map(({ to }) => to));
    return this.#called.has(token);
  }
}
