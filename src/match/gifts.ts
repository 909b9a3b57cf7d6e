import { type Address, zeroAddress } from "../kernel/address.ts";
import type { ActorCall } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";
import { tierRank } from "../ruleset/actions.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/**
 * Tokens that came to the account from a bystander: from somebody who got nothing in the transaction, was not called by the account,
 * wrote no log and did not send it. What such a giver does inside somebody else's act is no part of the act. Indexes of movements.
 */
export function giftsTo(account: Address, { tx, calls }: Pick<Unwrapped, "tx" | "calls">): ReadonlySet<number> {
  const incoming = tx.movements.filter((move) => move.to === account && move.token !== null && move.from !== account);
  if (incoming.length === 0) return none;
  const isInvolved = incoming.length > fewMax ? isAmong(tx, calls) : (giver: Address) => takesPart(giver, tx, calls);
  const given = incoming.filter(({ from }) => !isInvolved(from));
  return given.length === 0 ? none : new Set(given.map(({ index }) => index));
}

/** Up to so many givers are looked for one by one: a set of all who take part costs more. */
const fewMax = 4;

function takesPart(account: Address, tx: Transaction, calls: readonly ActorCall[]): boolean {
  if (account === zeroAddress || account === tx.from || account === tx.to) return true;
  return (
    tx.logs.some(({ address }) => address === account) ||
    tx.movements.some(({ to }) => to === account) ||
    calls.some(({ to }) => to === account)
  );
}

/** As {@link takesPart}, for many accounts. */
function isAmong(tx: Transaction, calls: readonly ActorCall[]): (account: Address) => boolean {
  const involved = new Set<Address | null>([zeroAddress, tx.from, tx.to]);
  for (const { to } of tx.movements) involved.add(to);
  for (const { to } of calls) involved.add(to);
  for (const { address } of tx.logs) involved.add(address);
  return (account) => involved.has(account);
}

/**
 * Whether a gift can stand beside what the rule tells. What money flow alone decides is no gift when something was given for it, unless
 * the rule is about an exchange.
 */
export function knowsGifts({ flow, actsFor, tier, anchor, exchanges }: CompiledRule): boolean {
  return flow !== null && actsFor === null && tier !== fallbackTier && (anchor.kind !== "none" || exchanges);
}

const none: ReadonlySet<number> = new Set();
const fallbackTier = tierRank("fallback");
