import type { Address } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import { addTo } from "../../kernel/lists.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";

/** In base units. */
export interface Parcel {
  /** By which it left the account. */
  first: Movement;
  amount: bigint;
  /** The account itself: it came back. */
  holder: Address;
  /** The direct receiver first, without the holder. */
  path: readonly Address[];
  /** A limit ended the search: it may have gone on. */
  cut: boolean;
}

/** `native`, a token, or `<token>:<id>`. */
export function assetKeyOf({ token, tokenId }: Movement): string {
  if (token === null) return "native";
  return tokenId === null ? token : `${token}:${tokenId}`;
}

/** Only the last is remembered: transactions come one after the other. */
export function trailOf(tx: Transaction): MoneyTrail {
  if (tx !== last?.tx) last = { tx, trail: new MoneyTrail(tx) };
  return last.trail;
}

let last: { tx: Transaction; trail: MoneyTrail } | undefined;

/** Who passed the same asset on did not keep it; who wrapped or unwrapped ether still has it. Linear in the movements. */
export class MoneyTrail {
  readonly #tx: Transaction;
  /** Movements in order. */
  #byGiver: Map<Address, Movement[]> | undefined;
  /** For those who gave more than once. */
  #byAsset: Map<readonly Movement[], Map<string, Movement[]>> | undefined;
  /** By followed movements. */
  #known: Map<readonly Movement[], readonly Parcel[]> | undefined;
  /** Many candidates ask. */
  #own: Map<readonly number[], readonly Parcel[]> | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /** Net, without gas. */
  parcelsOf(account: Address, asset: Pick<AssetChange, "key" | "movements">): readonly Parcel[] {
    this.#own ??= new Map();
    let own = this.#own.get(asset.movements);
    if (own === undefined) {
      own = this.#ownOf(this.#allOf(account, asset.key), asset.movements);
      this.#own.set(asset.movements, own);
    }
    return own;
  }

  /** Without repaid loans: a holder who had given as much of the asset before. */
  lostOf(account: Address, asset: Pick<AssetChange, "key" | "movements">): readonly Parcel[] {
    const parcels = this.parcelsOf(account, asset);
    // A single movement: the account got nothing.
    if (asset.movements.length < 2) return parcels;
    const lent = asset.movements.flatMap((index) => {
      const move = this.#tx.movements[index] as Movement;
      return move.to === account && isPlaced(move) ? [{ move, left: move.amount }] : [];
    });
    if (lent.length === 0) return parcels;
    return parcels.flatMap((parcel) => {
      let { amount } = parcel;
      for (const loan of lent) {
        if (loan.move.from !== parcel.holder || !isPlaced(parcel.first) || loan.move.index > parcel.first.index)
          continue;
        const back = loan.left < amount ? loan.left : amount;
        loan.left -= back;
        amount -= back;
      }
      return amount === 0n ? [] : { ...parcel, amount };
    });
  }

  #allOf(account: Address, asset: string): readonly Parcel[] {
    const outgoing = this.#outgoing(account, asset);
    this.#known ??= new Map();
    let parcels = this.#known.get(outgoing);
    if (parcels === undefined) {
      parcels = this.#follow(account, outgoing);
      this.#known.set(outgoing, parcels);
    }
    return parcels;
  }

  /** The change may be about a part of the transaction. */
  #ownOf(parcels: readonly Parcel[], movements: readonly number[]): readonly Parcel[] {
    if (parcels.length === 0) return parcels;
    const own = parcels.length < fewMax ? null : new Set(movements);
    const isOwn = ({ first }: Parcel) => (own === null ? movements.includes(first.index) : own.has(first.index));
    return parcels.every(isOwn) ? parcels : parcels.filter(isOwn);
  }

  #follow(account: Address, given: readonly Movement[]): Parcel[] {
    const run: Run = { account, parcels: [], used: null, starts: null, stepsLeft: limits.trailStepsMax };
    for (const first of given) this.#pass(run, { first, move: first, amount: first.amount, path: [] });
    return run.parcels;
  }

  /** Depth first, with a list in place of recursion. */
  #pass(run: Run, start: Step): void {
    const open: Step[] = [start];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const holder = step.move.to;
      // In a known order each step is later than the one before; without one it could go in circles.
      const circles = step.path.includes(holder) && !isPlaced(step.move);
      const ends = holder === run.account || circles || step.path.length >= pathMax;
      const left = ends ? step.amount : this.#passOn(run, step, open);
      const cut = run.stepsLeft <= 0 || (step.path.length >= pathMax && holder !== run.account);
      if (left > 0n) run.parcels.push({ first: step.first, amount: left, holder, path: step.path, cut });
    }
  }

  /** Returns what the holder kept. */
  #passOn(run: Run, { first, move, amount, path }: Step, open: Step[]): bigint {
    const holder = move.to;
    const outgoing = this.#outgoing(holder, assetKeyOf(move));
    if (outgoing.length === 0) return amount;
    run.used ??= new Map();
    run.starts ??= new Map();
    let left = amount;
    // Skips what is used up.
    let at = run.starts.get(outgoing) ?? 0;
    for (let i = at; i < outgoing.length && left > 0n && run.stepsLeft > 0; i++) {
      const next = outgoing[i] as Movement;
      run.stepsLeft--;
      const free = next.amount - (run.used.get(next.index) ?? 0n);
      if (free <= 0n) {
        if (i === at) at = i + 1;
        continue;
      }
      if (isPlaced(move) && isPlaced(next) && next.index < move.index) continue;
      const taken = free < left ? free : left;
      run.used.set(next.index, next.amount - free + taken);
      left -= taken;
      const changed = this.#converted(next);
      const through = [...path, holder];
      if (changed === undefined) open.push({ first, move: next, amount: taken, path: through });
      // Still has it, in the other form.
      else open.push({ first, move: { ...changed, amount: taken }, amount: taken, path });
    }
    run.starts.set(outgoing, at);
    return left;
  }

  /** Other half of a wrap, back to the giver. */
  #converted(move: Movement): Movement | undefined {
    const { weth } = this.#tx;
    if (!weth.has(move.to) || (move.token !== null && move.token !== move.to)) return undefined;
    const back = this.#outgoing(move.to, move.token === null ? move.to : "native");
    return back.find((other) => other.to === move.from && other.amount === move.amount);
  }

  #outgoing(giver: Address, asset: string): readonly Movement[] {
    this.#byGiver ??= movementsByGiver(this.#tx);
    const given = this.#byGiver.get(giver);
    if (given === undefined) return nothing;
    const [only] = given as [Movement];
    if (given.length === 1) return assetKeyOf(only) === asset ? given : nothing;
    this.#byAsset ??= new Map();
    let assets = this.#byAsset.get(given);
    if (assets === undefined) {
      assets = Map.groupBy(given, assetKeyOf);
      this.#byAsset.set(given, assets);
    }
    return assets.get(asset) ?? nothing;
  }
}

function movementsByGiver({ movements }: Transaction): Map<Address, Movement[]> {
  const byGiver = new Map<Address, Movement[]>();
  for (const move of movements) {
    if (move.fee || move.amount === 0n || move.from === move.to) continue;
    addTo(byGiver, move.from, move);
  }
  return byGiver;
}

interface Step {
  first: Movement;
  move: Movement;
  amount: bigint;
  path: readonly Address[];
}

interface Run {
  account: Address;
  parcels: Parcel[];
  /** Used by earlier steps; null: nobody passed on. */
  used: Map<number, bigint> | null;
  /** First not used up; null: nobody passed on. */
  starts: Map<readonly Movement[], number> | null;
  stepsLeft: number;
}

const pathMax = 16;
/** A list is faster than a set. */
const fewMax = 4;
const nothing: readonly Movement[] = [];

/** An explorer's list and calldata have no order among the logs. */
function isPlaced({ basis }: Movement): boolean {
  return basis !== "internal" && basis !== "calldata" && basis !== "inferred";
}
