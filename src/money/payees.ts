import { type Address, isBurnAddress } from "../kernel/address.ts";
import type { Transaction } from "../model/transaction.ts";
import { assetKeyOf } from "./trail.ts";

/**
 * Who got the proceeds where the account itself got none: whoever received something other than `given` and gave nothing. The one
 * with the most of the asset that was paid out last comes first.
 */
export function findPayees(tx: Transaction, account: Address, given: ReadonlySet<string>): Address[] {
  const nets = new Map<Address, Map<string, bigint>>();
  const add = (holder: Address, key: string, amount: bigint): void => {
    const known = nets.get(holder) ?? new Map<string, bigint>();
    nets.set(holder, known.set(key, (known.get(key) ?? 0n) + amount));
  };
  for (const move of tx.movements) {
    if (move.fee || move.from === move.to) continue;
    add(move.to, assetKeyOf(move), move.amount);
    add(move.from, assetKeyOf(move), -move.amount);
  }
  const gotOf = (holder: Address, key: string): bigint => {
    const own = nets.get(holder);
    if (own === undefined || holder === account || holder === tx.to || isBurnAddress(holder) || tx.weth.has(holder))
      return 0n;
    return [...own.values()].some((amount) => amount < 0n) ? 0n : (own.get(key) ?? 0n);
  };
  const last = tx.movements.findLast((move) => {
    const key = assetKeyOf(move);
    return !move.fee && !given.has(key) && move.to !== move.token && gotOf(move.to, key) > 0n;
  });
  if (last === undefined) return [];
  const key = assetKeyOf(last);
  const payees = [...nets.keys()].filter((holder) => gotOf(holder, key) > 0n);
  return payees.sort((a, b) => (gotOf(b, key) > gotOf(a, key) ? 1 : -1));
}
