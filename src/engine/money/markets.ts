import { type Address, isBurnAddress, zeroAddress } from "../../kernel/address.ts";
import type { Transaction } from "../../model/transaction.ts";
import { shareSlack } from "./thresholds.ts";
import { assetKeyOf } from "./trail.ts";

export interface Share {
  part: bigint;
  of: bigint;
}

/** Everybody from whom something came to the account, directly or over others. */
export class Markets {
  readonly #tx: Transaction;
  #known: Map<string, ReadonlyMap<Address, ReadonlySet<string>>> | undefined;
  #given: Sums | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /** `holder` kept `asset` and gave another towards what the account got. A mint counts as given by its contract. */
  gaveTowards(account: Address, holder: Address, asset: string): boolean {
    for (const key of this.givenTowards(account, holder)) if (key !== asset) return true;
    return false;
  }

  /** Asset keys, directly or over others, but not over the payer. */
  givenTowards(place: Address, holder: Address, payer = place): ReadonlySet<string> {
    this.#known ??= new Map();
    let found = this.#known.get(place + payer);
    if (found === undefined) {
      found = this.#collect(place, payer);
      this.#known.set(place + payer, found);
    }
    return found.get(holder) ?? nothing;
  }

  /** Gave another asset that `counts`, enough for his share: anybody can give a trifle. `isBelieved`: it is ether or a listed token. */
  gave(holder: Address, asset: string, share: Share, counts: (key: string, isBelieved: boolean) => boolean): boolean {
    const { given, totals } = this.#sums();
    for (const [key, amount] of given.get(holder) ?? none)
      if (key !== asset && counts(key, this.#isBelieved(key)))
        if (amount * share.of * shareSlack >= (totals.get(key) as bigint) * share.part) return true;
    return false;
  }

  isGivenBy(asset: string, isOne: (giver: Address) => boolean): boolean {
    for (const giver of this.#sums().givers.get(asset) ?? nothing) if (isOne(giver as Address)) return true;
    return false;
  }

  #sums(): Sums {
    this.#given ??= sumsOf(this.#tx);
    return this.#given;
  }

  #isBelieved(key: string): boolean {
    return key === "native" || this.#tx.listed.has(key as Address);
  }

  /** Upstream, with their assets. */
  #collect(account: Address, payer: Address): Map<Address, Set<string>> {
    const { movements } = this.#tx;
    const incoming = Map.groupBy(
      movements.filter((move) => !move.fee && move.amount > 0n && move.from !== move.to && move.from !== payer),
      ({ to }) => to,
    );
    const givers = new Map<Address, Set<string>>();
    // A destroyed asset is no price.
    const burned = new Set(
      movements.flatMap((move) => (move.from === account && isBurnAddress(move.to) ? [assetKeyOf(move)] : [])),
    );
    const open: Address[] = [account];
    const seen = new Set<Address>(open);
    for (let to = open.pop(); to !== undefined; to = open.pop())
      for (const move of incoming.get(to) ?? []) {
        const giver = move.from === zeroAddress ? move.token : move.from;
        if (giver === null || (to === account && burned.has(assetKeyOf(move)))) continue;
        addTo(givers, giver, assetKeyOf(move));
        if (!seen.has(giver)) {
          seen.add(giver);
          open.push(giver);
        }
      }
    return givers;
  }
}

/** By giver and asset, and in total by asset. */
interface Sums {
  given: ReadonlyMap<Address, ReadonlyMap<string, bigint>>;
  totals: ReadonlyMap<string, bigint>;
  givers: ReadonlyMap<string, ReadonlySet<string>>;
}

function sumsOf({ movements }: Transaction): Sums {
  const given = new Map<Address, Map<string, bigint>>();
  const totals = new Map<string, bigint>();
  const givers = new Map<string, Set<string>>();
  for (const move of movements) {
    // A destroyed asset is given to nobody.
    if (move.fee || move.amount === 0n || move.from === move.to || isBurnAddress(move.to)) continue;
    const giver = move.from === zeroAddress ? move.token : move.from;
    if (giver === null) continue;
    const key = assetKeyOf(move);
    const own = given.get(giver) ?? new Map<string, bigint>();
    given.set(giver, own.set(key, (own.get(key) ?? 0n) + move.amount));
    totals.set(key, (totals.get(key) ?? 0n) + move.amount);
    addTo(givers, key, giver);
  }
  return { given, totals, givers };
}

const none: ReadonlyMap<string, bigint> = new Map();
const nothing: ReadonlySet<string> = new Set();

function addTo<K>(lists: Map<K, Set<string>>, key: K, item: string): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, new Set([item]));
  else known.add(item);
}
