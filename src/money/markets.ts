import { type Address, zeroAddress } from "../kernel/address.ts";
import type { Transaction } from "../model/transaction.ts";
import { movementsOf } from "../normalize/movement-index.ts";
import { assetKeyOf } from "./trail.ts";

/** Who takes part in an exchange of one account: everybody from whom something that he gave came to it, over others if need be. */
export class Markets {
  readonly #tx: Transaction;
  readonly #known: Map<Address, ReadonlyMap<Address, ReadonlySet<string>>> = new Map();
  #given: ReadonlyMap<Address, ReadonlySet<string>> | undefined;
  /** Who gave what to an account itself. */
  readonly #direct: Map<Address, ReadonlyMap<Address, ReadonlySet<string>>> = new Map();

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

  /** Whether `holder` gave another asset to anybody: ether, a listed token, or whatever the account itself got. */
  gave(account: Address, holder: Address, asset: string): boolean {
    this.#given ??= givenBy(this.#tx);
    if (hasOther(this.#given.get(holder), asset)) return true;
    return hasOther(this.#givenTo(account).get(holder), asset);
  }

  #givenTo(account: Address): ReadonlyMap<Address, ReadonlySet<string>> {
    const known = this.#direct.get(account);
    if (known !== undefined) return known;
    const given = new Map<Address, Set<string>>();
    for (const move of movementsOf(this.#tx.movements, account)) {
      const giver = move.from === zeroAddress ? move.token : move.from;
      if (giver !== null && move.to === account && !move.fee && move.amount > 0n) addTo(given, giver, assetKeyOf(move));
    }
    this.#direct.set(account, given);
    return given;
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

/** What everybody gave of ether and listed tokens. */
function givenBy({ movements, listed }: Transaction): Map<Address, Set<string>> {
  const given = new Map<Address, Set<string>>();
  for (const move of movements) {
    if (move.fee || move.amount === 0n || move.from === move.to) continue;
    if (move.token === null || listed.has(move.token)) addTo(given, move.from, assetKeyOf(move));
  }
  return given;
}

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
