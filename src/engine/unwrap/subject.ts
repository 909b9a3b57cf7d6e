import { type Address, readAddress, zeroAddress } from "../../kernel/address.ts";
import { approvalForAllTopic, approvalTopic } from "../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../kernel/word.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Log, Transaction } from "../../model/transaction.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import { valueAt } from "../../rules/ruleset/grant-table.ts";
import type { SubjectHint } from "../../rules/ruleset/hints.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { leafCalls } from "./call-tree.ts";
import type { GateKeeper } from "./gates.ts";
import { byTopic } from "./hint-index.ts";

/** The results of unwrapping about who acts. */
export interface FoundActors {
  tx: Transaction;
  calls: readonly ActorCall[];
  /** By call: the actors that an unwrapper named when it opened the call. */
  actorOf: ReadonlyMap<number, Address[]>;
  /** Calls that an unwrapper opened which takes any contract for a wrapper. */
  ungated: ReadonlySet<number>;
  /** Accounts that events of known contracts name. */
  named: readonly Address[];
}

/**
 * Follows the wrappers inwards as long as each names exactly one actor. A contract that nobody knows may look like an account. It does not
 * become the subject where its caller has a stake, so that what the caller gave or allowed stays visible. In a reverted transaction, any
 * other call of the caller is a stake.
 */
export function findSubject(work: FoundActors): { subject: Address; actors: Address[] } {
  if (work.actorOf.size === 0) return subjectFromEvents(work);
  let subject = work.tx.from;
  const stakes = new Map<Address, boolean>();
  const asked = work.tx.status === "success" ? [] : leafCalls(work.calls);
  const staked = (account: Address): boolean => {
    const known = stakes.get(account) ?? (hasStake(work.tx, account) || asked.some(({ actor }) => actor === account));
    stakes.set(account, known);
    return known;
  };
  for (const call of work.calls) {
    if (call.actor !== subject) continue;
    const actors = work.actorOf.get(call.id) ?? [];
    if (actors.length === 0 || (work.ungated.has(call.id) && staked(subject))) continue;
    const isBundle = call.id === 0 ? actors.length > 1 : new Set(actors).size > 1;
    if (isBundle) return { subject, actors };
    subject = actors[0] as Address;
  }
  return subject === work.tx.from ? subjectFromEvents(work) : { subject, actors: [subject] };
}

/** Whether an account gave anything beside gas, or a right over its tokens. */
function hasStake(tx: Transaction, account: Address): boolean {
  return balanceChanges(tx, account).gives.length > 0 || givesRights(tx, account);
}

/** Whether any contract's log says that the account gave a right over tokens. */
export function givesRights({ logs }: Transaction, account: Address): boolean {
  return logs.some((log) => allows(log, account));
}

function allows({ topics, data }: Log, owner: Address): boolean {
  if (topics[0] !== approvalTopic && topics[0] !== approvalForAllTopic) return false;
  const empty = topics.length === 3 && /^0x0*$/.test(data);
  return !empty && isAddressWord(topics[1]) && addressOfWord(topics[1]) === owner;
}

/**
 * The subject by a known contract's event, where the calldata does not show the wrapper. The sender stays the subject where it has a stake:
 * an account that gave something acts for itself.
 */
function subjectFromEvents({ tx, named }: FoundActors): { subject: Address; actors: Address[] } {
  if (named.length === 0 || hasStake(tx, tx.from)) return { subject: tx.from, actors: [tx.from] };
  return { subject: named.length === 1 ? (named[0] as Address) : tx.from, actors: [...named] };
}

interface EventSource {
  tx: Transaction;
  ruleset: Ruleset;
  gates: GateKeeper;
}

/** Accounts that events of known contracts name as acting (`subjects`), in the order of the logs. */
export function namedByEvents({ tx, ruleset, gates }: EventSource): Address[] {
  return namedBy(ruleset.subjects, { tx, gates });
}

/** Accounts that events of known contracts name, in the order of the logs. */
export function namedBy(some: readonly SubjectHint[], { tx, gates }: Omit<EventSource, "ruleset">): Address[] {
  const named: Address[] = [];
  const hints = byTopic(some);
  for (const log of tx.logs)
    for (const hint of hints.get(log.topics[0]) ?? []) {
      if (!gates.admits(hint.gate, log.address, tx.from)) continue;
      const account = asActor(valueAt(hint.event.read(log.topics, log.data), hint.argument) as Value | undefined);
      if (account !== undefined) named.push(account);
    }
  return named;
}

/** A decoded value as an address; undefined when it is none. */
export function asAddress(value: Value | undefined): Address | undefined {
  return typeof value === "string" ? readAddress(value) : undefined;
}

/** A decoded value as an actor; the zero address names nobody. */
export function asActor(value: Value | undefined): Address | undefined {
  const address = asAddress(value);
  return address === zeroAddress ? undefined : address;
}
