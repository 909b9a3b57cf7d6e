import type { Address } from "../../kernel/address.ts";
import { addTo } from "../../kernel/lists.ts";
import type { BalanceChanges } from "../../model/match.ts";
import type { Log, Transaction } from "../../model/transaction.ts";
import { gateAddresses } from "../../rules/ruleset/compile/gate.ts";
import type { CompiledRule, FlowSide, Gate } from "../../rules/ruleset/compiled.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { isFurther } from "./candidate.ts";

/** The rules of one topic or selector. There may be thousands, each for its own contracts, for example of `Transfer` or `Deposit`. */
interface Place {
  /** By contract: the rules that name it, together with the open ones. */
  named: Map<Address, RuleGroup>;
  /** Rules that may admit any contract: those for every emitter and those for proven members. */
  open: RuleGroup;
}

/**
 * Rules for one contract. Rules that need a companion call are listed apart by its selector, because without this call none of them fits.
 */
export interface RuleGroup {
  /** Rules that name the contract, so their gate admits it. */
  named: readonly CompiledRule[];
  /** Rules whose gate may admit it. */
  open: readonly CompiledRule[];
  companions: ReadonlyMap<string, readonly CompiledRule[]>;
}

/** Finds the rules that may be about a log, call or movement, without looking at the others. */
export class RuleIndex {
  /** By topic0, then by the number of topics. */
  readonly #events: Map<string, readonly (Place | undefined)[]> = new Map();
  readonly #calls: ReadonlyMap<string, Place>;
  readonly #targets: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly #parties: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Selectors and targets of call rules with `acts_for`. */
  readonly #relayed: ReadonlySet<string>;
  /** Rules without an anchor. */
  readonly unanchored: readonly CompiledRule[];
  /** Rules without an anchor, by the type of the transaction and by which sides of a flow are empty. */
  readonly #byFlow: Map<string, (readonly CompiledRule[])[]> = new Map();
  /** Rules about authorizations. They apply to reverted transactions too, since authorizations stay valid there. */
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

  /** Rules about an event with this number of topics whose gate admits the emitter or may admit it. */
  ofEvent(topic: string, topics: number, emitter: Address): RuleGroup {
    return findIn(this.#events.get(topic)?.[topics], emitter);
  }

  /** Whether any rule may be about a log. */
  knows({ topics, address }: Log): boolean {
    return this.ofEvent(topics[0] ?? "", topics.length, address) !== noGroup;
  }

  /** Whether a rule names the contract that wrote a log. */
  names({ topics, address }: Log): boolean {
    return this.#events.get(topics[0] ?? "")?.[topics.length]?.named.has(address) === true;
  }

  /** Rules about a function whose gate admits the target or may admit it. */
  ofCall(selector: string, target: Address): RuleGroup {
    return findIn(this.#calls.get(selector), target);
  }

  /** Rules for any call of a contract. */
  ofTarget(target: Address): readonly CompiledRule[] {
    return this.#targets.get(target) ?? none;
  }

  /** Rules for movements from or to an address. */
  ofParty(party: Address): readonly CompiledRule[] {
    return this.#parties.get(party) ?? none;
  }

  /** Rules without an anchor that may fit a flow, or what other actions leave of it. */
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

  /** Whether a rule with `acts_for` may be about a call that no account of the transaction made. */
  mayRelay(selector: string, target: Address): boolean {
    return this.#relayed.has(selector) || this.#relayed.has(target);
  }
}

/** The indexes of a ruleset: one for transactions that succeeded and one for those that reverted, each made when needed. */
type Indexes = Partial<Record<CompiledRule["status"], RuleIndex>>;

/** A pure cache: the same ruleset has the same index. */
const indexes = new WeakMap<Ruleset, Indexes>();

/** The index of a ruleset, made when it is first asked for. */
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

/**
 * Whether a rule may fit a flow whose sides are empty or not. True for rules that may be about another account's flow or about what other
 * actions leave.
 */
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

/** Selectors of the call that a rule asks for beside its event. */
function companionSelectors({ anchor }: CompiledRule): ReadonlySet<string> {
  return new Set(anchor.kind === "event" ? anchor.companion?.call.map(({ hash }) => hash) : []);
}

function addressesOf({ anchor }: CompiledRule): Address[] | null {
  const gate: Gate | null = anchor.kind === "event" || anchor.kind === "call" ? anchor.gate : null;
  return gate === null ? null : gateAddresses(gate);
}
