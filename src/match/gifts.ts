import { type Address, zeroAddress } from "../kernel/address.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

/**
 * Tokens that came to the account from a bystander: from somebody who got nothing in the transaction, was not called by the account,
 * wrote no log and did not send it. What such a giver does inside somebody else's act is no part of the act. Indexes of movements.
 */
export function giftsTo(account: Address, { tx, calls }: Pick<Unwrapped, "tx" | "calls">): ReadonlySet<number> {
  const incoming = tx.movements.filter((move) => move.to === account && move.token !== null && move.from !== account);
  if (incoming.length === 0) return none;
  const involved = new Set<Address | null>([zeroAddress, tx.from, tx.to]);
  for (const { to } of tx.movements) involved.add(to);
  for (const { to } of calls) involved.add(to);
  for (const { address } of tx.logs) involved.add(address);
  const given = incoming.filter(({ from }) => !involved.has(from)).map(({ index }) => index);
  return given.length === 0 ? none : new Set(given);
}

const none: ReadonlySet<number> = new Set();
