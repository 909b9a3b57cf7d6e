import type { Address } from "../../kernel/address.ts";
import type { Movement } from "../../model/transaction.ts";
import { movementsOf } from "../../normalize/movement-index.ts";

/** What one account has more or less of an asset. Base units, signed. */
export interface NetChange extends Pick<Movement, "standard" | "token" | "tokenId"> {
  delta: bigint;
}

/**
 * The net changes of an account, in the order in which its assets first moved; 0 where as much came as went. Unlike the flow that rules see, gas that an account
 * paid through a wrapper is part of it: it left the account. Over all accounts the changes of an asset sum to zero, the zero address
 * among them.
 */
export function netChanges(movements: readonly Movement[], account: Address): NetChange[] {
  const changes = new Map<string, NetChange>();
  for (const { standard, token, tokenId, from, to, amount } of movementsOf(movements, account)) {
    if (from !== account && to !== account) continue;
    const key = `${standard} ${token} ${tokenId}`;
    const known = changes.get(key) ?? { standard, token, tokenId, delta: 0n };
    changes.set(key, {
      ...known,
      delta: known.delta + (to === account ? amount : 0n) - (from === account ? amount : 0n),
    });
  }
  return [...changes.values()];
}
