import type { Address } from "../kernel/address.ts";
import { checksum, shorten } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { AssetMoved } from "../model/explanation.ts";
import type { Movement } from "../model/transaction.ts";
import type { AssetNames } from "./amounts/asset-names.ts";

export interface PresentedAssets {
  assets: AssetMoved[];
  /** The movement of each entry. */
  kept: readonly Movement[];
  /** Indexes of entries whose token text a stranger chose. */
  untrusted: number[];
  /** Entries that were cut. */
  cut: number;
}

/**
 * Movements in transaction order. Above the limit those of `own` accounts stay and the others are cut from the end; above the limit
 * for all, what these accounts gave and got of ether and listed tokens stays before what anybody could have made.
 */
export function presentAssets(
  movements: readonly Movement[],
  own: readonly Address[],
  names: AssetNames,
): PresentedAssets {
  const kept = select(movements, own, names);
  const untrusted: number[] = [];
  const assets = kept.map((move, i): AssetMoved => {
    const facts = names.facts(move.token);
    if (!facts.listed && facts.symbol !== null) untrusted.push(i);
    const nft = move.standard === "erc721" || move.standard === "erc1155";
    const { standard } = move;
    const token = facts.symbol ?? shorten(move.token as Address);
    const amount = nft ? move.amount.toString() : names.exact(move.token, move.amount);
    const [from, to] = [checksum(move.from), checksum(move.to)];
    const token_address = move.token === null ? null : checksum(move.token);
    if (!nft) return { token, amount, from, to, token_address, standard };
    return { token, amount, from, to, token_address, token_id: (move.tokenId ?? 0n).toString(), standard };
  });
  return { assets, kept, untrusted, cut: movements.length - kept.length };
}

function select(movements: readonly Movement[], own: readonly Address[], names: AssetNames): readonly Movement[] {
  if (movements.length <= limits.assetsMax) return movements;
  const accounts = new Set(own);
  const ranks: Movement[][] = [[], [], [], [], []];
  for (const move of movements) ranks[rankOf(move, accounts, names)]?.push(move);
  const others = ranks.pop() as Movement[];
  const theirs = ranks.flat().slice(0, limits.ownAssetsMax);
  const room = Math.max(0, limits.assetsMax - theirs.length);
  return [...theirs, ...others.slice(0, room)].sort((a, b) => a.index - b.index);
}

/** 0 is kept first. */
function rankOf({ token, from, to, amount }: Movement, accounts: ReadonlySet<Address>, names: AssetNames): number {
  if (!accounts.has(from) && !accounts.has(to)) return 4;
  if (amount === 0n) return 3;
  if (!names.facts(token).listed) return 2;
  return accounts.has(from) ? 0 : 1;
}
