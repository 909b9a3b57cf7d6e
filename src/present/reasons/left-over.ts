import type { Address } from "../../kernel/address.ts";
import { sizeOf } from "../../kernel/amount.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Movement } from "../../model/transaction.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { joinWords } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";

/** One asset of the subject's that no action explains. Positive: received. */
export interface LeftOver {
  move: Movement;
  amount: bigint;
}

/** `0.5 WETH received is not explained.`: two assets by name, the rest counted. Undefined when there is none. */
export function tellLeftOver(assets: readonly LeftOver[], names: AssetNames, teller: Teller): Phrase | undefined {
  if (assets.length === 0) return undefined;
  const shown = assets.slice(0, 2).map((asset) => phraseOf(asset, names, teller));
  const rest = assets.length - shown.length;
  const words = shown.map((phrase) => phrase.text);
  if (rest > 0) words.push(teller.say("asset.more", { count: rest }).text);
  const told = { text: joinWords(words), untrusted: shown.some((phrase) => phrase.untrusted) };
  return teller.say("missing.left_over", { count: assets.length, assets: told });
}

function phraseOf({ move, amount }: LeftOver, names: AssetNames, teller: Teller): Phrase {
  const size = sizeOf(amount);
  const asset =
    move.tokenId === null ? names.amount(move.token, size) : names.nft(move.token as Address, move.tokenId, size);
  return teller.say(amount > 0n ? "missing.received" : "missing.sent", { asset });
}
