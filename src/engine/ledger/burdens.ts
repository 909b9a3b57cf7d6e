import { type Address, isBurnAddress, readAddress } from "../../kernel/address.ts";
import { isLabelled, type Labels } from "../../model/label.ts";
import type { ActionTypes } from "../../rules/ruleset/actions.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import type { Candidate } from "../match/candidate.ts";
import type { Settled } from "../settle/settle.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/**
 * What somebody else's act put on an account that did nothing: a debt, a loss in a contract's own books, or another one's power over it.
 */
export interface Burden extends Pick<Candidate, "rule" | "context"> {
  account: Address;
}

/** At most this many are found. */
const burdensMax = 64;

interface Known {
  unwrapped: Unwrapped;
  settled: Settled;
  principals: readonly Address[];
  labels: Pick<Labels, "name" | "token">;
  actions: ActionTypes;
}

/**
 * Burdens that events name. The contract must be a known one, or the one that a principal called. The account must have done nothing: it
 * made no call, wrote no log and was not called, and no act is told of it.
 */
export function findBurdens({ unwrapped, settled, principals, labels, actions }: Known): Burden[] {
  const { tx, calls } = unwrapped;
  if (settled.ofOthers.length === 0 || tx.status === "reverted") return [];
  const active = new Set<Address | null>([tx.from, tx.to]);
  for (const { address } of tx.logs) active.add(address);
  for (const { from, to } of [...tx.calls, ...calls]) active.add(from).add(to);
  for (const { context } of settled.actions) active.add(context.subject);
  const called = new Set(calls.filter(({ actor }) => principals.includes(actor)).map(({ to }) => to));
  const found: Burden[] = [];
  for (const { rule, context } of settled.ofOthers) {
    if (found.length >= burdensMax) break;
    const { log } = context;
    if (log === null || settled.claimedLogs.has(log.index)) continue;
    if (!rule.control && actions.get(rule.action)?.burdens !== true) continue;
    if (!atKnownPlace(rule) && !called.has(log.address)) continue;
    const account = readAddress(rule.who[0]?.(context));
    if (account === undefined || isBurnAddress(account) || active.has(account) || isLabelled(labels, account)) continue;
    const own = { ...context, subject: account };
    if (rule.premise(own) || rule.premise(context)) found.push({ account, rule, context: own });
  }
  return found;
}
