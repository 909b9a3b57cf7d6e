import { type Address, deadAddress, zeroAddress } from "../../kernel/address.ts";
import { addTo } from "../../kernel/lists.ts";
import type { Movement } from "../../model/transaction.ts";
import { findWraps, inOrder, type LedgerFacts, ledgerKeyOf } from "./movement-order.ts";

/** A part of what an account gave, and who had it in the end. Amounts are base units. */
export interface Posting {
  giver: Address;
  keeper: Address;
  /** The accounts on the way, in order, without giver and keeper. After 16 of them, later ones are not listed. */
  via: readonly Hop[];
  /** `native` (ether and wrapped ether), a token, or `<token>:<id>`. */
  asset: string;
  token: Address | null;
  tokenId: bigint | null;
  amount: bigint;
  /** Positions of the movements by which it left the giver and came to the keeper. */
  first: number;
  last: number;
  /** Whether a limit ended the search: the keeper may have passed it on. */
  cut: boolean;
}

/** An account on the way, and the position of the movement by which the asset left it. */
interface Hop {
  at: Address;
  out: number;
}

/** One account may hold this many parts of one asset. The parts of principals always find room. */
const lotsMax = 64;
const hopsMax = 16;

/** A posting on its way. */
interface Lot {
  giver: Address;
  hop: HopLink | null;
  amount: bigint;
  first: number;
  last: number;
}

/** The way of a lot, the last account first. A linked list, so that a lot is split at no cost. */
interface HopLink extends Hop {
  before: HopLink | null;
  depth: number;
}

/**
 * All money of one transaction as postings, made in one pass over its movements.
 *
 * - Whoever passes an asset on gives first what the receiver gave to it (a loan that goes back), then what came first.
 * - Wrapped ether is ether.
 * - What an account gives beyond what it was seen to get was its own.
 * - What finds no room stays with its holder (`cut`). So sums are always exact.
 */
export class MoneyLedger {
  readonly postings: readonly Posting[];
  readonly #byGiver: ReadonlyMap<Address, readonly Posting[]>;
  readonly #byKeeper: ReadonlyMap<Address, readonly Posting[]>;

  constructor(facts: LedgerFacts, principals: ReadonlySet<Address>) {
    const book = new Book(facts, principals);
    const wraps = findWraps(facts);
    const moves = facts.movements.filter(
      ({ index, fee, amount, from, to }) => !fee && amount > 0n && from !== to && !wraps.has(index),
    );
    for (const move of inOrder(moves, facts, (account) => book.etherOf(account))) book.pass(move);
    this.postings = book.close();
    this.#byGiver = Map.groupBy(this.postings, ({ giver }) => giver);
    this.#byKeeper = Map.groupBy(this.postings, ({ keeper }) => keeper);
  }

  gaveBy(account: Address): readonly Posting[] {
    return this.#byGiver.get(account) ?? nothing;
  }

  keptBy(account: Address): readonly Posting[] {
    return this.#byKeeper.get(account) ?? nothing;
  }

  /** How much more (positive) or less an account has in the end, by asset. Assets that came back in full are left out. */
  net(account: Address): ReadonlyMap<string, bigint> {
    const net = new Map<string, bigint>();
    for (const { asset, amount } of this.keptBy(account)) net.set(asset, (net.get(asset) ?? 0n) + amount);
    for (const { asset, amount } of this.gaveBy(account)) net.set(asset, (net.get(asset) ?? 0n) - amount);
    for (const [asset, amount] of net) if (amount === 0n) net.delete(asset);
    return net;
  }
}

const nothing: readonly Posting[] = [];

class Book {
  readonly #facts: LedgerFacts;
  readonly #principals: ReadonlySet<Address>;
  /** By asset and holder. */
  readonly #purses = new Map<string, Map<Address, Lot[]>>();
  readonly #done: Posting[] = [];

  constructor(facts: LedgerFacts, principals: ReadonlySet<Address>) {
    this.#facts = facts;
    this.#principals = principals;
  }

  etherOf(account: Address): bigint {
    return (this.#purses.get("native")?.get(account) ?? []).reduce((sum, { amount }) => sum + amount, 0n);
  }

  pass(move: Movement): void {
    const { index, from, to, amount } = move;
    const asset = ledgerKeyOf(move, this.#facts);
    let left = amount;
    for (const lot of this.#take(asset, move)) {
      left -= lot.amount;
      // It is back where it came from.
      if (lot.giver === to) continue;
      const depth = (lot.hop?.depth ?? 0) + 1;
      const hop = depth > hopsMax ? lot.hop : { at: from, out: index, before: lot.hop, depth };
      this.#put(asset, to, { ...lot, hop, last: index });
    }
    if (left > 0n) this.#put(asset, to, { giver: from, hop: null, amount: left, first: index, last: index });
  }

  /** Takes parts of what the giver holds: first what the receiver gave itself, then what came first. */
  #take(asset: string, { index, from, to, amount }: Movement): Lot[] {
    const purses = this.#purses.get(asset);
    const lots = purses?.get(from);
    if (purses === undefined || lots === undefined) return [];
    const taken: Lot[] = [];
    let left = amount;
    for (const returns of [true, false])
      for (const lot of lots) {
        if (left === 0n) break;
        if (lot.amount === 0n || (returns && lot.giver !== to)) continue;
        // Some tokens move a balance by a burn and a mint in neighbouring logs. Other mints make something new.
        if (from === zeroAddress && !this.#isNext(lot.last, index)) continue;
        const part = lot.amount < left ? lot.amount : left;
        lot.amount -= part;
        left -= part;
        taken.push({ ...lot, amount: part });
      }
    if (taken.length > 0)
      purses.set(
        from,
        lots.filter((lot) => lot.amount > 0n),
      );
    return taken;
  }

  #isNext(burn: number, mint: number): boolean {
    const { movements } = this.#facts;
    return movements[mint]?.log === (movements[burn]?.log ?? -1) + 1;
  }

  #put(asset: string, holder: Address, lot: Lot): void {
    if (holder === deadAddress) {
      this.#close(asset, holder, lot, false);
      return;
    }
    let purses = this.#purses.get(asset);
    if (purses === undefined) {
      purses = new Map();
      this.#purses.set(asset, purses);
    }
    const lots = purses.get(holder) ?? [];
    const own = this.#principals.has(lot.giver);
    const last = lots.at(-1);
    const joins = last?.giver === lot.giver && last.first === lot.first && last.hop?.at === lot.hop?.at;
    const same = joins
      ? last
      : own && lots.length >= lotsMax
        ? lots.find(({ giver }) => giver === lot.giver)
        : undefined;
    if (same !== undefined) same.amount += lot.amount;
    else if (lots.length < lotsMax || own) purses.set(holder, lots.length === 0 ? [lot] : push(lots, lot));
    else this.#close(asset, holder, lot, true);
  }

  #close(asset: string, keeper: Address, { giver, hop, amount, first, last }: Lot, cut: boolean): void {
    const via: Hop[] = [];
    for (let at = hop; at !== null; at = at.before) via.push({ at: at.at, out: at.out });
    const { token, tokenId } = this.#facts.movements[first] as Movement;
    const kind = asset === "native" ? { token: null, tokenId: null } : { token, tokenId };
    this.#done.push({ giver, keeper, via: via.reverse(), asset, ...kind, amount, first, last, cut });
  }

  /** Ends every lot where it lies. */
  close(): readonly Posting[] {
    for (const [asset, purses] of this.#purses)
      for (const [holder, lots] of purses) for (const lot of lots) this.#close(asset, holder, lot, false);
    return withoutLoans(this.#done).sort((a, b) => a.first - b.first || a.last - b.last);
  }
}

function push<Item>(list: Item[], item: Item): Item[] {
  list.push(item);
  return list;
}

/**
 * Takes out loans: somebody lends to an account that passes the loan on and pays it back with other money. The lender gave nothing, and
 * that other money is what was passed on. Else a thief could pay himself with a loan that the victim's money pays back.
 */
function withoutLoans(postings: readonly Posting[]): Posting[] {
  const keyOf = (asset: string, lender: Address, between: Address) => `${asset}${lender}${between}`;
  const lent = new Map<string, Posting[]>();
  for (const one of postings)
    if (one.via[0] !== undefined) addTo(lent, keyOf(one.asset, one.giver, one.via[0].at), one);
  if (lent.size === 0) return [...postings];
  const all = [...postings];
  for (const back of postings) {
    const loans = lent.get(keyOf(back.asset, back.keeper, back.via.at(-1)?.at ?? back.giver)) ?? [];
    for (let loan = loans[0]; loan !== undefined && back.amount > 0n; loan = loans[0]) {
      if ((loan.via[0] as Hop).out > back.last) break;
      const paid = repay(loan, back);
      if (paid !== undefined) all.push(paid);
      if (loan.amount === 0n) loans.shift();
    }
  }
  return all.filter(({ amount }) => amount > 0n);
}

/** Takes what was paid back from both; returns what the payer thereby gave to whoever had the loan; undefined: he had it himself. */
function repay(loan: Posting, back: Posting): Posting | undefined {
  const [hop, ...rest] = loan.via as [Hop, ...Hop[]];
  const amount = loan.amount < back.amount ? loan.amount : back.amount;
  loan.amount -= amount;
  back.amount -= amount;
  if (back.giver === loan.keeper) return undefined;
  const isOwn = back.giver === hop.at;
  const via = isOwn ? rest : [...back.via, ...rest];
  return { ...loan, giver: back.giver, via, amount, first: isOwn ? hop.out : back.first };
}
