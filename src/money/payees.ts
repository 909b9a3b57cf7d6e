import { type Address, isBurnAddress, zeroAddress } from "../kernel/address.ts";
import { compareAmounts } from "../kernel/amount.ts";
import type { AssetChange, BalanceChanges } from "../model/match.ts";
import type { Movement, Transaction } from "../model/transaction.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { assetKeyOf } from "./trail.ts";

/**
 * Who got the proceeds where the account itself got none: whoever received something other than `given` and gave nothing. The one
 * with the most of the asset that was paid out last comes first. The called contract counts where nobody else is found.
 */
export function findPayees(tx: Transaction, account: Address, given: ReadonlySet<string>): Address[] {
  const reached = downstreamOf(tx, [account]);
  const found = payeesAmong(tx, given, reached, [account, tx.to]);
  return found.length > 0 ? found : payeesAmong(tx, given, reached, [account]);
}

function payeesAmong(
  tx: Transaction,
  given: ReadonlySet<string>,
  reached: ReadonlySet<Address>,
  others: readonly (Address | null)[],
): Address[] {
  const last = tx.movements.findLast((move) => {
    // Ether that was unwrapped may have gone on unseen.
    if (move.basis === "inferred" || given.has(assetKeyOf(move)) || !reached.has(giverOf(move))) return false;
    // A contract that passes all on may keep a trifle.
    return isPaid(move) && keptOf(tx, move, others) > (move.to === tx.to ? move.amount / 2n : 0n);
  });
  if (last === undefined) return [];
  const amounts = new Map<Address, bigint>();
  for (const move of tx.movements)
    if (assetKeyOf(move) === assetKeyOf(last)) {
      const kept = keptOf(tx, move, others);
      if (kept > 0n) amounts.set(move.to, kept);
    }
  // Of those who got as much, the later one.
  return [...amounts.keys()]
    .reverse()
    .sort((a, b) => compareAmounts(amounts.get(b) as bigint, amounts.get(a) as bigint));
}

/** What somebody ended with who gave nothing. */
export interface Proceeds {
  payee: Address;
  /** Of these assets, by key. */
  keys: Set<string>;
}

export interface ProceedsTest {
  /** Who is no payee. */
  others: readonly (Address | null)[];
  /** Whether a movement of this asset may be one of proceeds. */
  pays: (move: Movement, key: string) => boolean;
  /** The same, asked of movements to those only who kept something. */
  leads: (move: Movement) => boolean;
  /** Whether who gave this paid for what he got. */
  isPrice: (asset: AssetChange) => boolean;
  /** Only who ended with half of an asset alone. */
  alone: boolean;
  /** Whether so much of an asset in all is next to nothing beside what the account got. */
  isFee: (key: string, sum: bigint) => boolean;
}

/**
 * Those who paid nothing, and together ended with more of an asset, of what counts, than a fee. Of each asset the largest part comes
 * first; the last ones, who got a fifth or less together, got a fee. A burn address keeps nothing.
 */
export function findProceeds(tx: Transaction, test: ProceedsTest): Proceeds[] {
  const kept = keptByPayees(tx, test);
  if (kept.size === 0) return [];
  const totals = keptByAll(tx, kept);
  const found = new Map<Address, Proceeds>();
  for (const [key, parts] of kept) {
    const sum = [...parts.values()].reduce((total, amount) => total + amount, 0n);
    if (test.isFee(key, sum)) continue;
    for (const payee of largestPayees(parts, { sum, all: totals.get(key) as bigint }, test)) {
      const known = found.get(payee);
      if (known === undefined) found.set(payee, { payee, keys: new Set([key]) });
      else known.keys.add(key);
    }
  }
  return [...found.values()];
}

/** What each of those who paid nothing ended with, by asset. */
function keptByPayees(
  tx: Transaction,
  { others, pays, leads, isPrice }: ProceedsTest,
): Map<string, Map<Address, bigint>> {
  const kept = new Map<string, Map<Address, bigint>>();
  for (const move of tx.movements) {
    if (!isPaid(move) || others.includes(move.to)) continue;
    const key = assetKeyOf(move);
    if (!pays(move, key)) continue;
    const amount = keptOf(tx, move, others, isPrice);
    if (amount === 0n || !leads(move)) continue;
    const parts = kept.get(key);
    if (parts === undefined) kept.set(key, new Map([[move.to, amount]]));
    else parts.set(move.to, amount);
  }
  return kept;
}

/** Who got the most of one asset, of which they have `sum` together and everybody `all`: nobody where it is a fee. */
function largestPayees(
  parts: ReadonlyMap<Address, bigint>,
  { sum, all }: { sum: bigint; all: bigint },
  { alone }: Pick<ProceedsTest, "alone">,
): Address[] {
  const payees: Address[] = [];
  if (alone ? sum * 2n < all : sum * feeShare <= all) return payees;
  let told = 0n;
  for (const [payee, amount] of [...parts].sort((a, b) => compareAmounts(b[1], a[1]))) {
    if (told * feeShare >= sum * (feeShare - 1n) || (alone && amount * 2n < all)) break;
    told += amount;
    payees.push(payee);
  }
  return payees;
}

/** Of what was paid out, the most that is a fee: one part in so many. */
const feeShare = 5n;

/** Whether a movement brings somebody something. A token contract keeps nothing of its own token. */
function isPaid({ fee, from, to, token }: Movement): boolean {
  return !fee && from !== to && to !== token;
}

/** What the receiver had more of this asset in the end; nothing where he gave something that counts as a price. */
function keptOf(
  tx: Transaction,
  move: Movement,
  others: readonly (Address | null)[],
  isPrice: (asset: AssetChange) => boolean = () => true,
): bigint {
  const { to } = move;
  if (others.includes(to) || isBurnAddress(to) || tx.weth.has(to)) return 0n;
  const { gives, gets } = balanceChanges(tx, to);
  if (gives.some((asset) => isPrice(asset))) return 0n;
  const key = assetKeyOf(move);
  return gets.find((asset) => asset.key === key)?.amount ?? 0n;
}

/** What all together had more of each of these assets in the end; burn addresses are left out. */
function keptByAll({ movements }: Transaction, keys: Pick<ReadonlyMap<string, unknown>, "has">): Map<string, bigint> {
  const nets = new Map<string, Map<Address, bigint>>();
  for (const move of movements) {
    const key = assetKeyOf(move);
    if (move.fee || !keys.has(key)) continue;
    const own = nets.get(key) ?? new Map<Address, bigint>();
    nets.set(key, own);
    own.set(move.to, (own.get(move.to) ?? 0n) + move.amount);
    own.set(move.from, (own.get(move.from) ?? 0n) - move.amount);
  }
  const totals = new Map<string, bigint>();
  for (const [key, own] of nets) {
    let sum = 0n;
    for (const [holder, net] of own) if (net > 0n && !isBurnAddress(holder)) sum += net;
    totals.set(key, sum);
  }
  return totals;
}

/** Tells what the contracts of receipts that an account gave paid out for them. Beside the most of a token, a fifth of that is a fee. */
export function receiptPayments({ movements }: Transaction, { gives }: BalanceChanges): (move: Movement) => boolean {
  let largest: Map<string, bigint> | undefined;
  return ({ from, token, amount }) => {
    if (!gives.some((asset) => asset.token === from)) return false;
    largest ??= new Map(
      movements.toSorted((a, b) => compareAmounts(a.amount, b.amount)).map((one) => [one.from + one.token, one.amount]),
    );
    return amount * feeShare > (largest.get(from + token) as bigint);
  };
}

/** Whether what an account gave was paid for to somebody else, as far as it is seen, and no ether was unwrapped for the account. */
export function paysElsewhere(tx: Transaction, { account, gives, gets }: BalanceChanges): boolean {
  if (gives.length === 0 || gets.length > 0 || tx.movements.some(({ basis }) => basis === "inferred")) return false;
  return findPayees(tx, account, new Set(gives.map(({ key }) => key))).length > 0;
}

/** Everybody whom something came to that these accounts gave, over others if need be. */
export function downstreamOf({ movements }: Transaction, accounts: readonly Address[]): ReadonlySet<Address> {
  const byGiver = Map.groupBy(movements, giverOf);
  const reached = new Set<Address>();
  const open = [...accounts];
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
export function giverOf({ from, token }: Movement): Address {
  return from === zeroAddress && token !== null ? token : from;
}

/** A token that is destroyed is given back to its contract. */
function takerOf({ to, token }: Movement): Address {
  return isBurnAddress(to) && token !== null ? token : to;
}

/** Ether, and tokens that labels list: anybody can make others. */
export function isBelieved({ token }: Pick<Movement, "token">, { listed }: Transaction): boolean {
  return token === null || listed.has(token);
}
