import { type Address, isBurnAddress, zeroAddress } from "../kernel/address.ts";
import { compareAmounts } from "../kernel/amount.ts";
import type { BalanceChanges } from "../model/match.ts";
import type { Movement, Transaction } from "../model/transaction.ts";
import { assetKeyOf } from "./trail.ts";

/**
 * Who got the proceeds where the account itself got none: whoever received something other than `given` and gave nothing. The one
 * with the most of the asset that was paid out last comes first. `ofAnybody`: also of what nothing that the account gave led to,
 * and then not the sender of the transaction, who may only carry the act.
 */
export function findPayees(
  tx: Transaction,
  account: Address,
  given: ReadonlySet<string>,
  ofAnybody = false,
): Address[] {
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
    if (own === undefined || [account, tx.to, ofAnybody ? tx.from : null].includes(holder)) return 0n;
    if (isBurnAddress(holder) || tx.weth.has(holder)) return 0n;
    return [...own.values()].some((amount) => amount < 0n) ? 0n : (own.get(key) ?? 0n);
  };
  const reached = reachedFrom(tx, account);
  const last = tx.movements.findLast((move) => {
    const key = assetKeyOf(move);
    if (move.fee || given.has(key) || move.to === move.token || !(ofAnybody || reached.has(giverOf(move))))
      return false;
    return gotOf(move.to, key) > 0n;
  });
  if (last === undefined) return [];
  const key = assetKeyOf(last);
  const payees = [...nets.keys()].filter((holder) => gotOf(holder, key) > 0n);
  // Of those who got as much, the later one.
  return payees.reverse().sort((a, b) => compareAmounts(gotOf(b, key), gotOf(a, key)));
}

/** Whether what an account gave was paid for to somebody else, as far as it is seen, and no ether was unwrapped for the account. */
export function paysElsewhere(tx: Transaction, { account, gives, gets }: BalanceChanges): boolean {
  if (gives.length === 0 || gets.length > 0 || tx.movements.some(({ basis }) => basis === "inferred")) return false;
  return findPayees(tx, account, new Set(gives.map(({ key }) => key))).length > 0;
}

/** Everybody whom something came to that the account gave, over others if need be. */
function reachedFrom({ movements }: Transaction, account: Address): ReadonlySet<Address> {
  const byGiver = Map.groupBy(movements, giverOf);
  const reached = new Set<Address>();
  const open: Address[] = [account];
  for (let giver = open.pop(); giver !== undefined; giver = open.pop())
    for (const move of byGiver.get(giver) ?? []) {
      const to = takerOf(move);
      if (move.fee || move.amount === 0n || reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  return reached;
}

/** A token that is made for somebody is given by its contract. */
function giverOf({ from, token }: Movement): Address {
  return from === zeroAddress && token !== null ? token : from;
}

/** A token that is destroyed is given back to its contract. */
function takerOf({ to, token }: Movement): Address {
  return isBurnAddress(to) && token !== null ? token : to;
}
