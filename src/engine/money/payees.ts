import { type Address, isBurnAddress, zeroAddress } from "../../kernel/address.ts";
import { compareAmounts } from "../../kernel/amount.ts";
import { heaviestFirst } from "../../kernel/lists.ts";
import type { AssetChange, BalanceChanges } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { feeShare } from "./thresholds.ts";
import { assetKeyOf } from "./trail.ts";

/**
 * Got the proceeds in the account's place: received something other than `given` and gave nothing. Who got most of the last asset comes
 * first; the called contract counts only where nobody else is found.
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
    // Unwrapped ether may have gone on unseen.
    if (move.basis === "inferred" || given.has(assetKeyOf(move)) || !reached.has(giverOf(move))) return false;
    // A called contract that passes money on may keep half.
    return isPaid(move) && keptOf(tx, move, others) > (move.to === tx.to ? move.amount / 2n : 0n);
  });
  if (last === undefined) return [];
  const amounts = new Map<Address, bigint>();
  for (const move of tx.movements)
    if (assetKeyOf(move) === assetKeyOf(last)) {
      const kept = keptOf(tx, move, others);
      if (kept > 0n) amounts.set(move.to, kept);
    }
  // Of equal amounts, the later first.
  return heaviestFirst([...amounts.keys()].reverse(), (payee) => amounts.get(payee) as bigint);
}

/** Paid nothing; ended with these. */
export interface Proceeds {
  payee: Address;
  /** Asset keys. */
  keys: Set<string>;
}

export interface ProceedsTest {
  /** Accounts that are no payees. */
  others: readonly (Address | null)[];
  /** May be proceeds. */
  pays: (move: Movement, key: string) => boolean;
  /** From the act to its receiver. Asked last, of receivers that kept something. */
  leads: (move: Movement) => boolean;
  /** The giver of this asset paid. */
  isPrice: (asset: AssetChange) => boolean;
  /** Only who alone has at least half. */
  alone: boolean;
  /** Small beside what the account got. */
  isFee: (key: string, sum: bigint) => boolean;
}

/**
 * Paid nothing and kept more than a fee, by asset, the largest first. The smallest parts, together up to a fifth, are fees. A burn address
 * keeps nothing.
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

/** By asset, of those who paid nothing. */
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

/** `sum`: of the payees together; `all`: of everybody. Nobody where `sum` is a fee. */
function largestPayees(
  parts: ReadonlyMap<Address, bigint>,
  { sum, all }: { sum: bigint; all: bigint },
  { alone }: Pick<ProceedsTest, "alone">,
): Address[] {
  const payees: Address[] = [];
  if (alone ? sum * 2n < all : sum * feeShare <= all) return payees;
  let told = 0n;
  for (const [payee, amount] of heaviestFirst([...parts], ([, amount]) => amount)) {
    if (told * feeShare >= sum * (feeShare - 1n) || (alone && amount * 2n < all)) break;
    told += amount;
    payees.push(payee);
  }
  return payees;
}

/** A token contract keeps nothing of its own token; gas is no payment. */
function isPaid({ fee, from, to, token }: Movement): boolean {
  return !fee && from !== to && to !== token;
}

/** Net; 0 where the receiver gave a price. */
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

/** By asset, of all receivers but burn addresses. */
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

/** Payments of a contract for its receipts that the account returned. Up to a fifth of the largest in that token is a fee. */
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

/** Got nothing for what it gave, while somebody else was paid. False where unseen ether may have come. */
export function paysElsewhere(tx: Transaction, { account, gives, gets }: BalanceChanges): boolean {
  if (gives.length === 0 || gets.length > 0 || tx.movements.some(({ basis }) => basis === "inferred")) return false;
  return findPayees(tx, account, new Set(gives.map(({ key }) => key))).length > 0;
}

/** Directly or over others. */
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

/** The token contract for a mint. */
export function giverOf({ from, token }: Movement): Address {
  return from === zeroAddress && token !== null ? token : from;
}

/** The token contract for a burn. */
function takerOf({ to, token }: Movement): Address {
  return isBurnAddress(to) && token !== null ? token : to;
}

/** Ether or listed; anybody can make others. */
export function isBelieved({ token }: Pick<Movement, "token">, { listed }: Transaction): boolean {
  return token === null || listed.has(token);
}
