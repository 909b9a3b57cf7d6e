import { type Address, zeroAddress } from "../kernel/address.ts";
import { selectorOf } from "../kernel/hex.ts";
import type { ActorCall, MatchContext, NetFlow } from "../model/match.ts";
import type { Log, Movement, Transaction } from "../model/transaction.ts";
import type { CompiledRule, Gate } from "../ruleset/compiled.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { bindLegs } from "./bind-legs.ts";
import { netFlow } from "./flow.ts";
import { flowFits, flowMovements } from "./flow-fit.ts";
import type { GateKeeper } from "./gates.ts";
import type { Unwrapped } from "./unwrap.ts";

/** A rule that fits, with the evidence that it would claim. */
export interface Candidate {
  rule: CompiledRule;
  context: MatchContext;
  /** Evidence that may explain one action only. */
  logs: number[];
  calls: number[];
  movements: number[];
  /** Evidence that is taken along when nobody else claims it. */
  absorbedLogs: number[];
  absorbedMovements: number[];
  /** Its call is all that the subject did. */
  alone: boolean;
  /** Place in the transaction: the anchor's log, else the end. */
  position: number;
}

/** Finds every rule that fits a transaction. No rule sees another's match; see settle for the choice among them. */
export function matchRules(tx: Transaction, unwrapped: Unwrapped, ruleset: Ruleset, gates: GateKeeper): Candidate[] {
  return new Matcher(tx, unwrapped, ruleset, gates).run();
}

interface AnchorData {
  log?: Log;
  call?: ActorCall;
  move?: Movement;
  args?: readonly unknown[] | null;
  input?: readonly unknown[] | null;
}

class Matcher {
  readonly #tx: Transaction;
  readonly #calls: ActorCall[];
  readonly #subject: Address;
  readonly #ruleset: Ruleset;
  readonly #gates: GateKeeper;
  readonly #flows: Map<Address, NetFlow> = new Map();
  readonly #target: Address | null;
  readonly #soleCall: ActorCall | undefined;
  readonly #found: Candidate[] = [];

  constructor(tx: Transaction, unwrapped: Unwrapped, ruleset: Ruleset, gates: GateKeeper) {
    this.#tx = tx;
    this.#calls = unwrapped.calls;
    this.#subject = unwrapped.subject;
    this.#ruleset = ruleset;
    this.#gates = gates;
    const leaves = leavesOf(unwrapped);
    this.#target = leaves.find((call) => call.to !== this.#subject)?.to ?? tx.to;
    this.#soleCall = leaves.length === 1 ? leaves[0] : undefined;
  }

  run(): Candidate[] {
    const { byTopic, byParty, unanchored } = this.#ruleset;
    for (const log of this.#tx.logs) {
      const rules = byTopic.get(log.topics[0] ?? "");
      if (rules !== undefined) for (const rule of rules) this.#tryEvent(rule, log);
    }
    for (const call of this.#calls) this.#tryCall(call);
    for (const move of this.#tx.movements) {
      for (const rule of byParty.get(move.from) ?? []) this.#tryTransfer(rule, move);
      for (const rule of byParty.get(move.to) ?? []) this.#tryTransfer(rule, move);
    }
    for (const rule of unanchored) this.#consider(rule, {});
    return this.#found;
  }

  #tryEvent(rule: CompiledRule, log: Log): void {
    const { anchor } = rule;
    if (anchor.kind !== "event" || log.topics.length !== anchor.event.topics) return;
    if (!this.#gates.admits(anchor.gate, log.address, this.#subject)) return;
    const args = anchor.event.read(log.topics, log.data);
    if (args === undefined) return;
    if (anchor.beside === null) {
      this.#consider(rule, { log, args });
      return;
    }
    for (const call of this.#calls) {
      if (
        call.actor !== this.#subject ||
        call.state === "failed" ||
        !this.#gates.admits(anchor.beside.gate, call.to, this.#subject)
      )
        continue;
      const item = anchor.beside.call.find((one) => one.hash === selectorOf(call.input));
      const input = item?.read(call.input);
      if (input !== undefined && this.#consider(rule, { log, args, call, input })) return;
    }
  }

  #tryCall(call: ActorCall): void {
    const reverted = this.#tx.status === "reverted";
    if (call.to === null || (!reverted && call.state === "failed")) return;
    const rules = [
      ...(this.#ruleset.bySelector.get(selectorOf(call.input) ?? "0x") ?? []),
      ...(this.#ruleset.byTarget.get(call.to) ?? []),
    ];
    for (const rule of rules) {
      const { anchor } = rule;
      if (anchor.kind !== "call" || !this.#gates.admits(anchor.gate, call.to, this.#subject)) continue;
      // Of what reverted, the envelope itself tells the attempt, whoever it was for.
      if (rule.actsFor === null && call.actor !== this.#subject && !(reverted && call.id === 0)) continue;
      // Calldata alone does not show that an inner call ran: then money or an event must.
      if (!reverted && call.state === "asserted" && rule.flow === null && rule.legs.length === 0) continue;
      const args = anchor.call === null ? null : anchor.call.read(call.input);
      if (args !== undefined) this.#consider(rule, { call, args });
    }
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
    const early = rule.legsFirst ? this.#bind(rule, base) : undefined;
    if (rule.legsFirst && early === undefined) return false;
    const subject = rule.actsFor === null ? this.#subject : (rule.actsFor(base) as Address | undefined);
    if (subject === undefined || subject.length !== 42 || subject === zeroAddress) return false;
    const context = subject === this.#subject ? base : { ...this.#context(subject, data), legs: base.legs };
    if (rule.who.length > 0 && !rule.who.some((get) => get(context) === subject)) return false;
    if (rule.flow !== null && !flowFits(rule.flow, context.flow, context)) return false;
    const bound = early ?? this.#bind(rule, context);
    if (bound === undefined || !rule.where(context)) return false;
    const flow = rule.flow === null ? { hard: [], soft: [] } : flowMovements(rule.flow, context.flow);
    const move = data.move === undefined ? [] : [data.move.index];
    this.#found.push({
      rule,
      context,
      logs: data.log === undefined ? [] : [data.log.index],
      calls: rule.anchor.kind === "call" && data.call !== undefined ? [data.call.id] : [],
      movements: unique([...move, ...bound, ...flow.hard]),
      absorbedLogs: this.#absorbed(rule, subject),
      absorbedMovements: flow.soft,
      alone: data.call !== undefined && this.#soleCall === data.call,
      position: data.log?.index ?? data.move?.log ?? this.#tx.logs.length,
    });
    return true;
  }

  #bind(rule: CompiledRule, context: MatchContext): number[] | undefined {
    return bindLegs(rule.legs, context, (gate, address) => this.#gates.admits(gate, address, context.subject));
  }

  #absorbed(rule: CompiledRule, subject: Address): number[] {
    if (rule.absorbs.length === 0) return [];
    return this.#tx.logs
      .filter((log) =>
        rule.absorbs.some(
          ({ event, gate }) => event.hash === log.topics[0] && this.#gates.admits(gate, log.address, subject),
        ),
      )
      .map((log) => log.index);
  }

  #context(subject: Address, data: AnchorData): MatchContext {
    const tx = this.#tx;
    return {
      tx,
      subject,
      flow: this.#flowOf(subject),
      log: data.log ?? null,
      call: data.call ?? null,
      move: data.move ?? null,
      args: data.args ?? null,
      input: data.input ?? null,
      legs: [],
      target: this.#target,
      logsWith: (topic) => tx.logs.filter((log) => log.topics[0] === topic),
      admits: (gate, address) => this.#gates.admits(gate as Gate, address, subject),
    };
  }

  #flowOf(account: Address): NetFlow {
    let flow = this.#flows.get(account);
    if (flow === undefined) {
      flow = netFlow(this.#tx, account);
      this.#flows.set(account, flow);
    }
    return flow;
  }
}

/** Calls of the subject that hold no further calls; the first one that leaves the account itself is what it called in the end. */
function leavesOf({ calls, subject }: Unwrapped): ActorCall[] {
  const parents = new Set(calls.map((call) => call.parent));
  return calls.filter((call) => call.actor === subject && !parents.has(call.id));
}

/** Each once, in the order of the transaction. */
function unique(numbers: number[]): number[] {
  return numbers.length < 2 ? numbers : [...new Set(numbers)].sort((a, b) => a - b);
}
