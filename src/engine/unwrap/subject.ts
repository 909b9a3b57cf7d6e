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

export interface FoundActors {
  tx: Transaction;
  calls: readonly ActorCall[];
  /** By call, as its unwrapper says. */
  actorOf: ReadonlyMap<number, Address[]>;
  /** Calls whose unwrapper accepts any contract. */
  ungated: ReadonlySet<number>;
  /** By events of known contracts. */
  named: readonly Address[];
}

/**
 * Follows wrappers inwards while each names one actor. An unknown contract is no subject where its caller has a stake, so that what the
 * caller gave stays visible. When reverted, any other call is a stake.
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

/** Gave something beside gas, or a right. */
function hasStake(tx: Transaction, account: Address): boolean {
  return balanceChanges(tx, account).gives.length > 0 || givesRights(tx, account);
}

/** By any contract's log. */
export function givesRights({ logs }: Transaction, account: Address): boolean {
  return logs.some((log) => allows(log, account));
}

function allows({ topics, data }: Log, owner: Address): boolean {
  if (topics[0] !== approvalTopic && topics[0] !== approvalForAllTopic) return false;
  const empty = topics.length === 3 && /^0x0*$/.test(data);
  return !empty && isAddressWord(topics[1]) && addressOfWord(topics[1]) === owner;
}

/** Where calldata shows no wrapper. A sender with a stake acts for itself. */
function subjectFromEvents({ tx, named }: FoundActors): { subject: Address; actors: Address[] } {
  if (named.length === 0 || hasStake(tx, tx.from)) return { subject: tx.from, actors: [tx.from] };
  return { subject: named.length === 1 ? (named[0] as Address) : tx.from, actors: [...named] };
}

interface EventSource {
  tx: Transaction;
  ruleset: Ruleset;
  gates: GateKeeper;
}

/** `subjects`, in log order. */
export function namedByEvents({ tx, ruleset, gates }: EventSource): Address[] {
  return namedBy(ruleset.subjects, { tx, gates });
}

/** In log order. */
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

export function asAddress(value: Value | undefined): Address | undefined {
  return typeof value === "string" ? readAddress(value) : undefined;
}

/** The zero address is nobody. */
export function asActor(value: Value | undefined): Address | undefined {
  const address = asAddress(value);
  return address === zeroAddress ? undefined : address;
}
