import type { Address } from "../kernel/address.ts";
import { gateAddresses } from "../ruleset/compile/gate.ts";
import type { CompiledRule, Gate } from "../ruleset/compiled.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";

/** Rules of one topic or selector: thousands may be about a Transfer or a Deposit, each at contracts of its own. */
interface Place {
  /** By the contracts that they name. */
  named: Map<Address, CompiledRule[]>;
  /** Those that admit others too: whoever emits, proven members. */
  open: CompiledRule[];
}

/** Finds the rules that a log or a call can be about, without a look at the others. */
export class RuleIndex {
  readonly #events: ReadonlyMap<string, Place>;
  readonly #calls: ReadonlyMap<string, Place>;

  constructor(ruleset: Ruleset) {
    this.#events = placesOf(ruleset.byTopic);
    this.#calls = placesOf(ruleset.bySelector);
  }

  /** Rules about an event that admit this emitter, or may. */
  ofEvent(topic: string, emitter: Address): readonly CompiledRule[] {
    return findIn(this.#events.get(topic), emitter);
  }

  /** Rules about a function that admit this target, or may. */
  ofCall(selector: string, target: Address): readonly CompiledRule[] {
    return findIn(this.#calls.get(selector), target);
  }
}

const indexes = new WeakMap<Ruleset, RuleIndex>();

/** The index of a ruleset, made when it is first asked for. */
export function indexOf(ruleset: Ruleset): RuleIndex {
  let index = indexes.get(ruleset);
  if (index === undefined) {
    index = new RuleIndex(ruleset);
    indexes.set(ruleset, index);
  }
  return index;
}

function findIn(place: Place | undefined, address: Address): readonly CompiledRule[] {
  if (place === undefined) return none;
  const named = place.named.get(address);
  if (named === undefined) return place.open;
  return place.open.length === 0 ? named : [...named, ...place.open];
}

const none: readonly CompiledRule[] = [];

function placesOf(index: ReadonlyMap<string, CompiledRule[]>): Map<string, Place> {
  return new Map([...index].map(([key, rules]) => [key, placeOf(rules)]));
}

function placeOf(rules: readonly CompiledRule[]): Place {
  const place: Place = { named: new Map(), open: [] };
  for (const rule of rules) {
    const addresses = addressesOf(rule);
    if (addresses === null) place.open.push(rule);
    else
      for (const address of new Set(addresses)) place.named.set(address, [...(place.named.get(address) ?? []), rule]);
  }
  return place;
}

function addressesOf({ anchor }: CompiledRule): Address[] | null {
  const gate: Gate | null = anchor.kind === "event" || anchor.kind === "call" ? anchor.gate : null;
  return gate === null ? null : gateAddresses(gate);
}
