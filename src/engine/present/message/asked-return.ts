import type { AssetChange, BalanceChanges } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { MatchedMessage } from "../../match/messages/match-message.ts";
import { trifle } from "../../money/thresholds.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import type { MessageTools } from "./message-findings.ts";

/** `nothing`; `some`: nothing for a part; `trifle`: next to nothing. null: may be fair, or unknown. */
export function returnOf(
  { forNothing, context }: MatchedMessage,
  names: AssetNames,
): "nothing" | "some" | "trifle" | null {
  if (forNothing !== null) return forNothing === "all" ? "nothing" : "some";
  const { gives, gets } = context.flow;
  const isTrifle = gets.every((asset) => asset.kind !== "nft" && names.weight(asset) === 1n);
  const isWorth = gives.some((asset) => asset.kind === "nft" || names.weight(asset) > 1n);
  return gets.length > 0 && ((isTrifle && isWorth) || isLittle(context.flow, names)) ? "trifle" : null;
}

/** 1/100: below is next to nothing. */
const littlePart = 100n;

/** Of the same asset, or by known worth. */
function isLittle({ gives, gets }: Pick<BalanceChanges, "gives" | "gets">, names: AssetNames): boolean {
  const isPartOf = (given: AssetChange) =>
    gets.every(({ key, amount }) => key === given.key && amount * littlePart < given.amount);
  if (gives.some(isPartOf)) return true;
  const weights = gets.map((asset) => (asset.kind === "nft" ? 0n : names.weight(asset)));
  const isKnown = weights.every((weight) => weight === 1n || weight >= trifle);
  const worth = gives.reduce((sum, asset) => (asset.kind === "nft" ? sum : sum + names.weight(asset)), 0n);
  return isKnown && weights.reduce((sum, weight) => sum + weight, 0n) * littlePart < worth;
}

const words = {
  nothing: "message.for_nothing",
  some: "message.some_for_nothing",
  trifle: "message.for_trifle",
} as const;

/** Adds what others get, and that the signer gets (next to) nothing. */
export function tellReturn(sentence: Phrase, matched: MatchedMessage, { teller, names, writer }: MessageTools): Phrase {
  const { context, diverted } = matched;
  const flow = { ...context.flow, gives: names.weightiest(diverted.assets), recipients: diverted.to };
  const told =
    diverted.assets.length === 0
      ? sentence
      : teller.say("message.diverted", { told: sentence, ...writer.given({ ...context, flow }) });
  const back = returnOf(matched, names);
  return back === null ? told : teller.say(words[back], { told });
}
