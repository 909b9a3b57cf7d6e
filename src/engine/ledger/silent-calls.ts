import type { Address } from "../../kernel/address.ts";
import { distinct } from "../../kernel/lists.ts";
import { addressesIn } from "../../kernel/word.ts";
import { isLabelled, type Labels } from "../../model/label.ts";
import type { ActorCall } from "../../model/match.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import { measureCompleteness } from "../settle/completeness.ts";
import type { Settled } from "../settle/settle.ts";
import { frameEnd } from "../unwrap/call-tree.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/** A principal's own call that no act accounts for, with the accounts that its arguments name. */
export interface SilentCall {
  account: Address;
  to: Address;
  named: readonly Address[];
}

/** At most this many arguments of a call are read, and this many calls are listed. */
const wordsMax = 64;
const callsMax = 64;

/**
 * The silent calls of these accounts: they ran, no act claims them, and with a call tree nothing that happened inside them belongs to an
 * act. Those that name somebody come first.
 */
export function findSilentCalls(
  accounts: readonly Address[],
  { unwrapped, settled, labels }: { unwrapped: Unwrapped; settled: Settled; labels: Pick<Labels, "name" | "token"> },
): SilentCall[] {
  if (unwrapped.tx.status === "reverted" || unwrapped.calls.length < 2) return [];
  const found: SilentCall[] = [];
  for (const account of accounts) {
    const { open } = measureCompleteness({ unwrapped, settled, subject: account }).measureCalls();
    // A known contract may hand a call on to another one that writes the event.
    let handedOn = countFarEvents(account, unwrapped, settled);
    for (const call of open)
      if (
        call.to !== null &&
        found.length < callsMax &&
        isOwn(call, account, unwrapped) &&
        hasEffect(call, unwrapped)
      ) {
        const named = namedIn(call, accounts).filter((one) => one !== call.to && !isLabelled(labels, one));
        if (paysGas(call, unwrapped) || (isLabelled(labels, call.to) && handedOn-- > 0)) continue;
        if (isTold(call.to, settled) || (named.length === 0 && isPlaceOf(call.to, settled))) continue;
        found.push({ account, to: call.to, named });
      }
  }
  return [...found.filter(({ named }) => named.length > 0), ...found.filter(({ named }) => named.length === 0)];
}

/** Whether a call of a token pays for gas: that is told as a fee. */
function paysGas({ to, actor }: ActorCall, { tx }: Unwrapped): boolean {
  return tx.movements.some(({ fee, token, from }) => fee && token === to && from === actor);
}

/** The number of this account's acts that an event of a known contract tells, which the account did not call. */
function countFarEvents(account: Address, { tx, calls }: Unwrapped, { actions }: Settled): number {
  if (tx.traced && tx.logs.every(({ call }) => call >= 0)) return 0;
  const called = new Set(calls.filter(({ actor }) => actor === account).map(({ to }) => to));
  return actions.filter(
    ({ rule, context: { subject, log, call } }) =>
      subject === account && log !== null && call === null && atKnownPlace(rule) && !called.has(log.address),
  ).length;
}

/**
 * Whether an account made the call to another contract itself, also by a batch of its own. What a contract does that it called is not its
 * own.
 */
function isOwn({ to, parent }: ActorCall, account: Address, { calls }: Unwrapped): boolean {
  if (to === account) return false;
  for (let at = calls[parent]; at !== undefined; at = calls[at.parent])
    if (at.from === account && at.to !== account && !at.delegate) return false;
  return true;
}

/** Whether an act says no more than that this contract was called. */
function isTold(to: Address, { actions }: Settled): boolean {
  return actions.some(({ rule, context }) => rule.tier === tierRank("fallback") && context.target === to);
}

/** Whether a told act is about this known contract. What the same contract does besides and names nobody is a part of that act. */
function isPlaceOf(to: Address, { actions }: Settled): boolean {
  return actions.some(({ rule, context }) => atKnownPlace(rule) && context.admits(rule.home, to));
}

/** Whether a call may have changed something. Without a call tree this is assumed. */
function hasEffect({ frame, input, value }: ActorCall, { tx }: Unwrapped): boolean {
  if (input.length <= 2) return value > 0n;
  if (!tx.traced || frame < 0) return true;
  const end = frameEnd(tx.calls, frame);
  return tx.calls.slice(frame, end).every(({ kind }, i) => i > 0 || kind !== "staticcall");
}

/** Addresses among the arguments, without those of the principals. */
function namedIn({ input }: ActorCall, accounts: readonly Address[]): Address[] {
  return distinct(addressesIn(input, [4], wordsMax)).filter((one) => !accounts.includes(one));
}
