import { isBurnAddress } from "../../../kernel/address.ts";
import type { AssetChange } from "../../../model/match.ts";
import type { Transaction } from "../../../model/transaction.ts";
import { atKnownPlace } from "../../../rules/ruleset/precedence.ts";
import type { Candidate } from "../../match/candidate.ts";
import { isBelieved } from "../../money/payees.ts";

/** An exchange, an act at an unknown contract, or an NFT for money. Not a deposit at a known contract whose legs state most of it. */
export function isSale(action: Candidate, tx: Transaction): boolean {
  const { flow } = action.rule;
  // Without legs and flow nothing given is accounted for; by flow alone anybody may pay.
  const isBare = action.context.legs.every((leg) => leg === null);
  if (isBare && (flow === null || (flow.gives?.min && flow.gets?.min))) return true;
  return action.rule.exchanges || !atKnownPlace(action.rule) || bindsLittle(action, tx) || tradesNft(action, tx);
}

/** An NFT for money, or money for an NFT. */
function tradesNft({ context: { flow } }: Candidate, tx: Transaction): boolean {
  const isNft = ({ kind }: AssetChange) => kind === "nft";
  const isMoney = (asset: AssetChange) => !isNft(asset) && isBelieved(asset, tx);
  const { gives, gets } = flow;
  return (gives.some(isNft) && gets.some(isMoney)) || (gives.some(isMoney) && gets.some(isNft));
}

/** Less than half of a given asset, or nothing for a destroyed receipt. */
function bindsLittle({ context: { legs, flow, subject } }: Candidate, { movements }: Transaction): boolean {
  return flow.gives.some(({ kind, token, amount }) => {
    const bound = legs.reduce((sum, leg) => (leg !== null && leg.token === token ? sum + leg.amount : sum), 0n);
    const isGone = () => movements.some((move) => move.token === token && isBurnAddress(move.to));
    const isOpen = bound === 0n || !legs.some((leg) => leg?.to === subject);
    return kind !== "nft" && ((bound > 0n && bound * 2n < amount) || (isOpen && isGone()));
  });
}
