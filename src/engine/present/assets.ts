import type { Address } from "../../kernel/address.ts";
import { checksum, shorten } from "../../kernel/address.ts";
import { compareAmounts } from "../../kernel/amount.ts";
import { limits } from "../../kernel/limits.ts";
import type { AssetMoved } from "../../model/explanation.ts";
import type { Movement } from "../../model/transaction.ts";
import type { AssetNames } from "./amounts/asset-names.ts";

export type PresentedAssets = ReturnType<typeof presentAssets>;

/**
 * In order. Above the limit movements of `own` accounts stay and others are cut from the end. Of too many own ones: known assets given,
 * known assets received, trifles, assets that anybody could make. `kept`: the movement of each entry. `untrusted`: entries with a
 * stranger's text. `cut`: how many were cut.
 */
export function presentAssets(movements: readonly Movement[], own: readonly Address[], names: AssetNames) {
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
  const others: Movement[] = [];
  const ranked: { move: Movement; rank: number; weight: bigint }[] = [];
  for (const move of movements) {
    if (!accounts.has(move.from) && !accounts.has(move.to)) others.push(move);
    else ranked.push({ move, ...rankOf(move, accounts, names) });
  }
  if (ranked.length > limits.ownAssetsMax) ranked.sort((a, b) => a.rank - b.rank || compareAmounts(b.weight, a.weight));
  const theirs = ranked.slice(0, limits.ownAssetsMax).map(({ move }) => move);
  const room = Math.max(0, limits.assetsMax - theirs.length);
  return [...theirs, ...others.slice(0, room)].sort((a, b) => a.index - b.index);
}

/** Smallest rank first, then largest weight. */
function rankOf(move: Movement, accounts: ReadonlySet<Address>, names: AssetNames): { rank: number; weight: bigint } {
  const weight = names.weight(move);
  if (move.amount === 0n) return { rank: 4, weight };
  if (weight < 2n) return { rank: weight > 0n ? 2 : 3, weight };
  return { rank: accounts.has(move.from) ? 0 : 1, weight };
}
