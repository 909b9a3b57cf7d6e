import type { Address } from "../../kernel/address.ts";
import { addTo } from "../../kernel/lists.ts";
import type { Movement } from "../../model/transaction.ts";

interface Index {
  byAccount: ReadonlyMap<Address, readonly Movement[]>;
  byToken: ReadonlyMap<Address | null, readonly Movement[]>;
}

/** A pure cache. */
const indexes = new WeakMap<readonly Movement[], Index>();
/** Fewer movements are searched faster without an index. */
const indexedFrom = 64;
const none: readonly Movement[] = [];

/** A shorter list can be got from the index. */
export function isIndexed(movements: readonly Movement[]): boolean {
  return movements.length >= indexedFrom;
}

/** Of few movements the whole list: filter it. */
export function movementsOf(movements: readonly Movement[], account: Address): readonly Movement[] {
  return !isIndexed(movements) ? movements : (indexOf(movements).byAccount.get(account) ?? none);
}

/** null: ether. Of few movements the whole list: filter it. */
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
