import type { Address } from "../kernel/address.ts";
import { checksum, shorten } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { AssetMoved } from "../model/explanation.ts";
import type { Movement } from "../model/transaction.ts";
import type { AssetNames } from "./amounts/asset-names.ts";

export interface PresentedAssets {
  assets: AssetMoved[];
  /** Indexes of entries whose token text a stranger chose. */
  untrusted: number[];
  /** Entries that were cut. */
  cut: number;
}

/** Movements in transaction order; above the limit those of these accounts are kept and the others cut from the end. */
export function presentAssets(
  movements: readonly Movement[],
  accounts: ReadonlySet<Address>,
  names: AssetNames,
): PresentedAssets {
  const kept = select(movements, accounts);
  const untrusted: number[] = [];
  const assets = kept.map((move, i): AssetMoved => {
    const facts = names.facts(move.token);
    if (!facts.listed && facts.symbol !== null) untrusted.push(i);
    const nft = move.standard === "erc721" || move.standard === "erc1155";
    return {
      token: facts.symbol ?? shorten(move.token as Address),
      amount: nft ? move.amount.toString() : names.exact(move.token, move.amount),
      from: checksum(move.from),
      to: checksum(move.to),
      token_address: move.token === null ? null : checksum(move.token),
      ...(nft && { token_id: (move.tokenId ?? 0n).toString() }),
      standard: move.standard,
    };
  });
  return { assets, untrusted, cut: movements.length - kept.length };
}

function select(movements: readonly Movement[], accounts: ReadonlySet<Address>): readonly Movement[] {
  if (movements.length <= limits.assetsMax) return movements;
  const own = movements.filter((move) => accounts.has(move.from) || accounts.has(move.to));
  let room = limits.assetsMax - own.length;
  const mine = new Set(own);
  return movements.filter((move) => mine.has(move) || room-- > 0).slice(0, Math.max(limits.assetsMax, own.length));
}
