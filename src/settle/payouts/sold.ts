import { isBurnAddress } from "../../kernel/address.ts";
import type { Candidate } from "../../match/candidate.ts";
import type { AssetChange } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import { isBelieved } from "../../money/payees.ts";
import { atKnownPlace } from "../../ruleset/precedence.ts";

/**
 * Whether the account sold what it gave. It did in an exchange, in an act at an unknown contract, and where an NFT went for money. A
 * deposit at a known contract is no sale as long as the legs of the act tell most of what was given.
 */
export function sells(action: Candidate, tx: Transaction): boolean {
  const { flow, legs } = action.rule;
  // An act that tells no money explains none of what was given.
  if (flow === null && legs.length === 0) return true;
  return action.rule.exchanges || !atKnownPlace(action.rule) || bindsLittle(action, tx) || tradesNft(action, tx);
}

/** Whether an NFT was given for money, or money for an NFT. */
function tradesNft({ context: { flow } }: Candidate, tx: Transaction): boolean {
  const isNft = ({ kind }: AssetChange) => kind === "nft";
  const isMoney = (asset: AssetChange) => !isNft(asset) && isBelieved(asset, tx);
  const { gives, gets } = flow;
  return (gives.some(isNft) && gets.some(isMoney)) || (gives.some(isMoney) && gets.some(isNft));
}

/** Whether the legs of an act tell less than half of an asset that the account gave, or nothing of it while some was destroyed. */
function bindsLittle({ context: { legs, flow } }: Candidate, { movements }: Transaction): boolean {
  return flow.gives.some(({ kind, token, amount }) => {
    const bound = legs.reduce((sum, leg) => (leg !== null && leg.token === token ? sum + leg.amount : sum), 0n);
    const isGone = () => movements.some((move) => move.token === token && isBurnAddress(move.to));
    return kind !== "nft" && bound * 2n < amount && (bound > 0n || isGone());
  });
}
