import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { distinct } from "../../../kernel/lists.ts";
import type { AssetChange, MatchContext } from "../../../model/match.ts";
import type { Transaction } from "../../../model/transaction.ts";
import { trailOf } from "../../money/trail.ts";

/** A sentence names no more. */
const receiversMax = 3;

/**
 * A receiver that passed all on to one account gives way to it. Not to an account that gave something (perhaps a buyer), where the account
 * got something back or the receiver is known.
 */
export function finalReceiversOf(
  receivers: readonly Address[],
  { flow, tx }: Pick<MatchContext, "flow" | "tx">,
  isKnown: (address: Address) => boolean,
): readonly Address[] {
  if (flow.gives.length === 0 || receivers.length > receiversMax) return receivers;
  const trail = trailOf(tx);
  const parcels = flow.gives.flatMap((asset) => trail.parcelsOf(flow.account, asset));
  const keepers = receivers.map((receiver) => {
    const own = parcels.filter(({ first }) => first.to === receiver);
    const [keeper, ...others] = new Set(own.map(({ holder }) => holder));
    if (keeper === undefined || others.length > 0) return receiver;
    // Destroyed: nobody has it.
    if (keeper === flow.account || keeper === zeroAddress) return receiver;
    const known = isKnown(receiver);
    if (known && isKnown(keeper)) return receiver;
    return (known || flow.gets.length > 0) && gaveSomething(keeper, tx) ? receiver : keeper;
  });
  return distinct(keepers);
}

/** Of what the account gave, in the end. */
export function heldParts(
  asset: AssetChange,
  { flow, tx }: Pick<MatchContext, "flow" | "tx">,
): ReadonlyMap<Address, bigint> {
  const parts = new Map<Address, bigint>();
  for (const { holder, amount } of trailOf(tx).parcelsOf(flow.account, asset))
    parts.set(holder, (parts.get(holder) ?? 0n) + amount);
  return parts;
}

/** A token contract gives its own token: WETH creates WETH. */
function gaveSomething(account: Address, { movements }: Transaction): boolean {
  return movements.some(({ from, token, amount }) => (from === account || token === account) && amount > 0n);
}
