import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/** Tokens from a bystander: got nothing, not called, wrote no log, did not send. No part of the act. */
export function giftsTo(account: Address, { tx, calls }: Pick<Unwrapped, "tx" | "calls">): ReadonlySet<number> {
  const incoming = tx.movements.filter((move) => move.to === account && move.token !== null && move.from !== account);
  if (incoming.length === 0) return none;
  const isInvolved = incoming.length > fewMax ? isAmong(tx, calls) : (giver: Address) => takesPart(giver, tx, calls);
  const given = incoming.filter(({ from }) => !isInvolved(from));
  return given.length === 0 ? none : new Set(given.map(({ index }) => index));
}

/** Up to so many, a set of all participants costs more. */
const fewMax = 4;

function takesPart(account: Address, tx: Transaction, calls: readonly ActorCall[]): boolean {
  if (account === zeroAddress || account === tx.from || account === tx.to) return true;
  return (
    tx.logs.some(({ address }) => address === account) ||
    tx.movements.some(({ to }) => to === account) ||
    calls.some(({ to }) => to === account)
  );
}

/** {@link takesPart} for many accounts. */
function isAmong(tx: Transaction, calls: readonly ActorCall[]): (account: Address) => boolean {
  const involved = new Set<Address | null>([zeroAddress, tx.from, tx.to]);
  for (const { to } of tx.movements) involved.add(to);
  for (const { to } of calls) involved.add(to);
  for (const { address } of tx.logs) involved.add(address);
  return (account) => involved.has(account);
}

/** A rule by money flow alone cannot separate gifts, unless it is about an exchange. */
export function knowsGifts({ flow, actsFor, tier, anchor, exchanges }: CompiledRule): boolean {
  return flow !== null && actsFor === null && tier !== fallbackTier && (anchor.kind !== "none" || exchanges);
}

const none: ReadonlySet<number> = new Set();
const fallbackTier = tierRank("fallback");
