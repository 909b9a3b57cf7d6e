import type { MatchContext } from "../../../../model/match.ts";
import type { Movement } from "../../../../model/transaction.ts";
import type { AbiType, Value } from "../../../abi/abi-type.ts";
import type { EventItem } from "../../../abi/signature.ts";

/** The arguments of the log next to the anchor's; undefined where another contract wrote it, or another event. */
export function neighbourArguments(
  { hash, read }: EventItem,
  { tx, log }: Pick<MatchContext, "tx" | "log">,
  side: "before" | "after",
): Value[] | undefined {
  const next = log === null ? undefined : tx.logs[log.index + (side === "before" ? -1 : 1)];
  if (next === undefined || next.address !== log?.address || next.topics[0] !== hash) return undefined;
  return read(next.topics, next.data);
}

const anAddress: AbiType = { kind: "address", dynamic: false, words: 1 };
const aNumber: AbiType = { kind: "uint", bits: 256, dynamic: false, words: 1 };

/** The layout of a list of movements. */
export const movementsLayout: AbiType = {
  ...{ kind: "array", length: null, dynamic: true, words: 1 },
  item: {
    ...{ kind: "tuple", dynamic: true, words: 1 },
    names: ["token", "from", "to", "amount", "id"],
    items: [anAddress, anAddress, anAddress, aNumber, aNumber],
  },
};

/** Movements in that layout. */
export function movementRows(moves: readonly Movement[] | undefined): Value[] | undefined {
  return moves?.map(({ token, from, to, amount, tokenId }) => [token ?? "native", from, to, amount, tokenId ?? 0n]);
}

/** The sum of what moved; base units. */
export function totalOf(moves: readonly Movement[] | undefined): bigint | undefined {
  return moves?.reduce((sum, { amount }) => sum + amount, 0n);
}
