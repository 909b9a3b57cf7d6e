import type { Address } from "../kernel/address.ts";
import { addTo } from "../kernel/lists.ts";
import type { Movement } from "../model/transaction.ts";

interface Index {
  byAccount: ReadonlyMap<Address, readonly Movement[]>;
  byToken: ReadonlyMap<Address | null, readonly Movement[]>;
}

/** A pure cache: the same movements have the same index. */
const indexes = new WeakMap<readonly Movement[], Index>();
/** For fewer movements, a search is faster than making an index. */
const indexedFrom = 64;
const none: readonly Movement[] = [];

/** Whether these movements have an index: to look for some of few is no use. */
export function isIndexed(movements: readonly Movement[]): boolean {
  return movements.length >= indexedFrom;
}

/** Movements among which are all that an account gave or got, in order. Of few movements it is all of them. */
export function movementsOf(movements: readonly Movement[], account: Address): readonly Movement[] {
  return !isIndexed(movements) ? movements : (indexOf(movements).byAccount.get(account) ?? none);
}

/** Movements among which are all of a token; null: of ether. */
export function movementsIn(movements: readonly Movement[], token: Address | null): readonly Movement[] {
  return !isIndexed(movements) ? movements : (indexOf(movements).byToken.get(token) ?? none);
}

function indexOf(movements: readonly Movement[]): Index {
  let index = indexes.get(movements);
  if (index === undefined) {
    const byAccount = new Map<Address, Movement[]>();
    const byToken = new Map<Address | null, Movement[]>();
    for (const movement of movements) {
      const { from, to, token } = movement;
      addTo(byAccount, from, movement);
      if (to !== from) addTo(byAccount, to, movement);
      addTo(byToken, token, movement);
    }
    index = { byAccount, byToken };
    indexes.set(movements, index);
  }
  return index;
}
