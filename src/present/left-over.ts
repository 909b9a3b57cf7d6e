import type { Address } from "../kernel/address.ts";
import type { Movement } from "../model/transaction.ts";
import type { AssetNames, Phrase } from "./asset-names.ts";
import { joinWords } from "./phrase.ts";

/** One asset of the subject's that no action explains. Positive: received. */
export interface LeftOver {
  move: Movement;
  amount: bigint;
}

/** `0.5 WETH received is not explained.`: two assets by name, the rest counted. Undefined when there is none. */
export function tellLeftOver(assets: readonly LeftOver[], names: AssetNames): Phrase | undefined {
  if (assets.length === 0) return undefined;
  const shown = assets.slice(0, 2).map((asset) => phraseOf(asset, names));
  const rest = assets.length - shown.length;
  const words = shown.map((phrase) => phrase.text);
  if (rest > 0) words.push(`${rest} more asset${rest === 1 ? "" : "s"}`);
  const verb = assets.length === 1 ? "is" : "are";
  return { text: `${joinWords(words)} ${verb} not explained.`, untrusted: shown.some((phrase) => phrase.untrusted) };
}

function phraseOf({ move, amount }: LeftOver, names: AssetNames): Phrase {
  const size = amount < 0n ? -amount : amount;
  const phrase =
    move.tokenId === null ? names.amount(move.token, size) : names.nft(move.token as Address, move.tokenId, size);
  return { text: `${phrase.text} ${amount > 0n ? "received" : "sent"}`, untrusted: phrase.untrusted };
}
