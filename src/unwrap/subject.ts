import type { Value } from "../abi/abi-type.ts";
import { type Address, readAddress, zeroAddress } from "../kernel/address.ts";
import type { ActorCall } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import type { GateKeeper } from "./gates.ts";
import { byTopic } from "./hint-index.ts";

/** What unwrapping found out about who acts. */
export interface FoundActors {
  tx: Transaction;
  ruleset: Ruleset;
  gates: GateKeeper;
  calls: readonly ActorCall[];
  /** Explicit actors that an unwrapper named, by the call that it opened. */
  actorOf: ReadonlyMap<number, Address[]>;
  /** Calls opened by an unwrapper that takes any contract for a wrapper. */
  ungated: ReadonlySet<number>;
}

/**
 * Follows the wrappers inwards as long as each names exactly one actor. A contract that nobody knows may look like an account;
 * it does not become the subject where its caller gave tokens: that must not be hidden.
 */
export function findSubject(work: FoundActors): { subject: Address; actors: Address[] } {
  let subject = work.tx.from;
  for (const call of work.calls) {
    if (call.actor !== subject) continue;
    const actors = [...new Set(work.actorOf.get(call.id) ?? [])];
    if (actors.length === 0 || (work.ungated.has(call.id) && givesTokens(work.tx, subject))) continue;
    const operations = work.actorOf.get(call.id)?.length ?? 0;
    if (actors.length > 1 || (operations > 1 && call.id === 0))
      return { subject, actors: work.actorOf.get(call.id) ?? actors };
    subject = actors[0] as Address;
  }
  return subject === work.tx.from ? subjectFromEvents(work) : { subject, actors: [subject] };
}

function givesTokens(tx: Transaction, account: Address): boolean {
  return balanceChanges(tx, account).gives.some((asset) => asset.kind !== "native");
}

/**
 * Where the calldata does not show the wrapper, a trusted contract's event still names the account; not where the sender gave
 * tokens, since who acts for itself submits nobody else's act, whatever happens on the way.
 */
function subjectFromEvents({ tx, ruleset, gates }: FoundActors): { subject: Address; actors: Address[] } {
  const named = namedByEvents({ tx, ruleset, gates });
  if (named.length === 0 || givesTokens(tx, tx.from)) return { subject: tx.from, actors: [tx.from] };
  return named.length === 1 ? { subject: named[0] as Address, actors: named } : { subject: tx.from, actors: named };
}

/** Accounts that events of known contracts name as acting (`subjects`), in the order of the logs. */
export function namedByEvents({ tx, ruleset, gates }: Pick<FoundActors, "tx" | "ruleset" | "gates">): Address[] {
  const named: Address[] = [];
  const hints = byTopic(ruleset.subjects);
  for (const log of tx.logs)
    for (const hint of hints.get(log.topics[0]) ?? []) {
      if (!gates.admits(hint.gate, log.address, tx.from)) continue;
      const account = asActor(hint.event.read(log.topics, log.data)?.[hint.argument]);
      if (account !== undefined) named.push(account);
    }
  return named;
}

/** A decoded value as an address; undefined when it is none. */
export function asAddress(value: Value | undefined): Address | undefined {
  return typeof value === "string" ? readAddress(value) : undefined;
}

/** Nobody acts for the zero address: where a wrapper names it, it names nobody. */
export function asActor(value: Value | undefined): Address | undefined {
  const address = asAddress(value);
  return address === zeroAddress ? undefined : address;
}
