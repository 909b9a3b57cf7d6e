import { type Address, zeroAddress } from "../kernel/address.ts";
import type { Transaction } from "../model/transaction.ts";
import { assetKeyOf } from "./trail.ts";

/** Who takes part in an exchange of one account: everybody from whom something that he gave came to it, over others if need be. */
export class Markets {
  readonly #tx: Transaction;
  readonly #known: Map<Address, ReadonlyMap<Address, ReadonlySet<string>>> = new Map();
  #given: ReadonlyMap<Address, ReadonlySet<string>> | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /**
   * Whether `holder`, who kept `asset` of the account's, gave another asset towards what the account got, over others if need be. A
   * token that is made for somebody is given by its contract.
   */
  gaveTowards(account: Address, holder: Address, asset: string): boolean {
    return hasOther(this.#upstream(account).get(holder), asset);
  }

  /**
   * Whether `holder` gave ether, a listed token, or an asset that `counts`, other than `asset`, to anybody. Anyone can make a token
   * and give it, so that alone is no price.
   */
  gave(holder: Address, asset: string, counts: (key: string) => boolean): boolean {
    for (const key of this.#givenBy(holder)) if (key !== asset && (this.#isBelieved(key) || counts(key))) return true;
    return false;
  }

  /** Every asset that an account gave, and those that are made by its contract. */
  #givenBy(holder: Address): ReadonlySet<string> {
    this.#given ??= givenBy(this.#tx);
    return this.#given.get(holder) ?? none;
  }

  /** Whether somebody among these gave the asset. */
  isGivenBy(asset: string, isOne: (giver: Address) => boolean): boolean {
    this.#given ??= givenBy(this.#tx);
    for (const [giver, assets] of this.#given) if (assets.has(asset) && isOne(giver)) return true;
    return false;
  }

  #isBelieved(key: string): boolean {
    return key === "native" || this.#tx.listed.has(key as Address);
  }

  /** The givers upstream of an account, each with the assets that it gave. */
  #upstream(account: Address): ReadonlyMap<Address, ReadonlySet<string>> {
    let found = this.#known.get(account);
    if (found === undefined) {
      found = this.#collect(account);
      this.#known.set(account, found);
    }
    return found;
  }

  #collect(account: Address): Map<Address, Set<string>> {
    const { movements } = this.#tx;
    const incoming = Map.groupBy(
      movements.filter((move) => !move.fee && move.amount > 0n && move.from !== move.to && move.from !== account),
      ({ to }) => to,
    );
    const givers = new Map<Address, Set<string>>();
    const open: Address[] = [account];
    const seen = new Set<Address>(open);
    for (let to = open.pop(); to !== undefined; to = open.pop())
      for (const move of incoming.get(to) ?? []) {
        const giver = move.from === zeroAddress ? move.token : move.from;
        if (giver === null) continue;
        addTo(givers, giver, assetKeyOf(move));
        if (!seen.has(giver)) {
          seen.add(giver);
          open.push(giver);
        }
      }
    return givers;
  }
}

/** What everybody gave. */
function givenBy({ movements }: Transaction): Map<Address, Set<string>> {
  const given = new Map<Address, Set<string>>();
  for (const move of movements) {
    if (move.fee || move.amount === 0n || move.from === move.to) continue;
    const giver = move.from === zeroAddress ? move.token : move.from;
    if (giver !== null) addTo(given, giver, assetKeyOf(move));
  }
  return given;
}

const none: ReadonlySet<string> = new Set();

function addTo(given: Map<Address, Set<string>>, giver: Address, asset: string): void {
  const known = given.get(giver);
  if (known === undefined) given.set(giver, new Set([asset]));
  else known.add(asset);
}

function hasOther(given: ReadonlySet<string> | undefined, asset: string): boolean {
  if (given === undefined) return false;
  for (const key of given) if (key !== asset) return true;
  return false;
}
