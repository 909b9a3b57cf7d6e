import type { Address } from "../../kernel/address.ts";
import { addTo } from "../../kernel/lists.ts";
import type { BalanceChanges } from "../../model/match.ts";
import type { Log, Transaction } from "../../model/transaction.ts";
import { gateAddresses } from "../../rules/ruleset/compile/gate.ts";
import type { CompiledRule, FlowSide, Gate } from "../../rules/ruleset/compiled.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { isFurther } from "./candidate.ts";

/** Of one topic or selector; there may be thousands, e.g. of `Transfer`. */
interface Place {
  /** By contract, open ones included. */
  named: Map<Address, RuleGroup>;
  /** May admit any contract: every emitter, or proven members. */
  open: RuleGroup;
}

/** Rules with a companion call are apart, by its selector: without the call none fits. */
export interface RuleGroup {
  /** Admitted by name. */
  named: readonly CompiledRule[];
  /** May be admitted. */
  open: readonly CompiledRule[];
  companions: ReadonlyMap<string, readonly CompiledRule[]>;
}

export class RuleIndex {
  /** By topic0, then number of topics. */
  readonly #events: Map<string, readonly (Place | undefined)[]> = new Map();
  readonly #calls: ReadonlyMap<string, Place>;
  readonly #targets: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly #parties: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Of call rules with `acts_for`. */
  readonly #relayed: ReadonlySet<string>;
  readonly unanchored: readonly CompiledRule[];
  /** By transaction type and empty sides of the flow. */
  readonly #byFlow: Map<string, (readonly CompiledRule[])[]> = new Map();
  /** Also for reverted transactions: authorizations stay valid there. */
  readonly authorized: readonly CompiledRule[];

  constructor(ruleset: Ruleset, status: CompiledRule["status"]) {
    const chosen = (rules: readonly CompiledRule[]) => rules.filter((rule) => rule.status === status);
    for (const [topic, rules] of ruleset.byTopic) {
      const byCount = Map.groupBy(chosen(rules), ({ anchor }) => (anchor.kind === "event" ? anchor.event.topics : 0));
      const places: Place[] = [];
      for (const [count, some] of byCount) places[count] = placeOf(some);
      this.#events.set(topic, places);
    }
    this.#calls = new Map([...ruleset.bySelector].map(([selector, rules]) => [selector, placeOf(chosen(rules))]));
    this.#targets = new Map([...ruleset.byTarget].map(([target, rules]) => [target, chosen(rules)]));
    this.#parties = new Map([...ruleset.byParty].map(([party, rules]) => [party, chosen(rules)]));
    const relays = ([, rules]: [string, CompiledRule[]]) => chosen(rules).some(({ actsFor }) => actsFor !== null);
    this.#relayed = new Set([...ruleset.bySelector, ...ruleset.byTarget].filter(relays).map(([key]) => key));
    this.unanchored = chosen(ruleset.unanchored);
    this.authorized = ruleset.authorized;
  }

  /** Whose gate admits the emitter or may. */
  ofEvent(topic: string, topics: number, emitter: Address): RuleGroup {
    return findIn(this.#events.get(topic)?.[topics], emitter);
  }

  knows({ topics, address }: Log): boolean {
    return this.ofEvent(topics[0] ?? "", topics.length, address) !== noGroup;
  }

  names({ topics, address }: Log): boolean {
    return this.#events.get(topics[0] ?? "")?.[topics.length]?.named.has(address) === true;
  }

  /** Whose gate admits the target or may. */
  ofCall(selector: string, target: Address): RuleGroup {
    return findIn(this.#calls.get(selector), target);
  }

  ofTarget(target: Address): readonly CompiledRule[] {
    return this.#targets.get(target) ?? none;
  }

  ofParty(party: Address): readonly CompiledRule[] {
    return this.#parties.get(party) ?? none;
  }

  /** Or what other actions leave of it. */
  ofFlow(tx: Transaction, { gives, gets }: BalanceChanges): readonly CompiledRule[] {
    let lists = this.#byFlow.get(tx.type);
    if (lists === undefined) {
      lists = [];
      this.#byFlow.set(tx.type, lists);
    }
    const [some, others] = [gives.length > 0, gets.length > 0];
    const place = (tx.creates ? 4 : 0) + (some ? 2 : 0) + (others ? 1 : 0);
    lists[place] ??= this.unanchored.filter((rule) => rule.kind({ tx }) && mayFit(rule, some, others));
    return lists[place];
  }

  /** By `acts_for`, a call of no account of the transaction. */
  mayRelay(selector: string, target: Address): boolean {
    return this.#relayed.has(selector) || this.#relayed.has(target);
  }
}

type Indexes = Partial<Record<CompiledRule["status"], RuleIndex>>;

/** A pure cache. */
const indexes = new WeakMap<Ruleset, Indexes>();

export function indexOf(ruleset: Ruleset, status: CompiledRule["status"]): RuleIndex {
  let made = indexes.get(ruleset);
  if (made === undefined) {
    made = {};
    indexes.set(ruleset, made);
  }
  made[status] ??= new RuleIndex(ruleset, status);
  return made[status];
}

function findIn(place: Place | undefined, address: Address): RuleGroup {
  return place === undefined ? noGroup : (place.named.get(address) ?? place.open);
}

/** True also for rules about another account's flow or a rest. */
function mayFit(rule: CompiledRule, gives: boolean, gets: boolean): boolean {
  const { flow, control, actsFor } = rule;
  if (flow === null || control || actsFor !== null || isFurther(rule)) return true;
  return sideMayFit(flow.gives, gives) && sideMayFit(flow.gets, gets);
}

function sideMayFit(side: FlowSide | null, some: boolean): boolean {
  if (side === null) return true;
  return some ? side.max > 0 || side.kind !== "any" : side.min === 0 || side.unseen;
}

const none: readonly CompiledRule[] = [];
const noGroup: RuleGroup = { named: none, open: none, companions: new Map() };

function placeOf(rules: readonly CompiledRule[]): Place {
  const named = new Map<Address, CompiledRule[]>();
  const open: CompiledRule[] = [];
  for (const rule of rules) {
    const addresses = addressesOf(rule);
    if (addresses === null) open.push(rule);
    for (const address of new Set(addresses)) addTo(named, address, rule);
  }
  return {
    named: new Map([...named].map(([address, own]) => [address, groupOf(own, open)])),
    open: groupOf(none, open),
  };
}

function groupOf(named: readonly CompiledRule[], open: readonly CompiledRule[]): RuleGroup {
  if (named.length + open.length === 0) return noGroup;
  const companions = new Map<string, CompiledRule[]>();
  for (const rule of [...named, ...open])
    for (const selector of companionSelectors(rule))
      companions.set(selector, [...(companions.get(selector) ?? []), rule]);
  const isAlone = (rule: CompiledRule) => companionSelectors(rule).size === 0;
  return { named: named.filter(isAlone), open: open.filter(isAlone), companions };
}

/** Of the companion call. */
function companionSelectors({ anchor }: CompiledRule): ReadonlySet<string> {
  return new Set(anchor.kind === "event" ? anchor.companion?.call.map(({ hash }) => hash) : []);
}

function addressesOf({ anchor }: CompiledRule): Address[] | null {
  const gate: Gate | null = anchor.kind === "event" || anchor.kind === "call" ? anchor.gate : null;
  return gate === null ? null : gateAddresses(gate);
}
