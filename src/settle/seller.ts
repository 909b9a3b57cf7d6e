import { type Address, isBurnAddress } from "../kernel/address.ts";
import type { Candidate } from "../match/candidate.ts";
import type { ActorCall, AssetChange } from "../model/match.ts";
import type { Movement, Transaction } from "../model/transaction.ts";
import { isBelieved } from "../money/payees.ts";
import { allowsSpending, type GrantTable } from "../ruleset/grant-table.ts";
import { atKnownPlace } from "../ruleset/precedence.ts";

/** What an account's calls were, the innermost ones. */
interface Called {
  tx: Transaction;
  leaves: readonly ActorCall[];
  grants: GrantTable;
}

/**
 * Whether something came by the call of a contract. Where the account called no other one, all came by it; else what came is its own,
 * or it gave it, or a call tree shows that it moved while the contract ran.
 */
export function hasPart(called: Address, gets: readonly AssetChange[], { tx, leaves, grants }: Called): boolean {
  const isOther = ({ to, input, state }: ActorCall) =>
    to !== called && to !== null && state !== "failed" && !allowsSpending(grants, input);
  if (!leaves.some(isOther)) return true;
  return gets.some(({ token, movements }) => {
    if (token === called) return true;
    return movements.some((index) => {
      const move = tx.movements[index];
      return move !== undefined && (move.from === called || isInside(move, called, tx));
    });
  });
}

function isInside({ call }: Movement, called: Address, { calls, traced }: Transaction): boolean {
  for (let frame = traced ? calls[call] : undefined; frame !== undefined; frame = calls[frame.parent])
    if (frame.to === called) return true;
  return false;
}

/**
 * Whether what the account got is the price of what it gave. What a known contract does inside with a deposit is its own affair, as far
 * as its legs tell of it.
 */
export function sells(action: Candidate, tx: Transaction): boolean {
  const { flow, legs } = action.rule;
  // An act that tells no money, such as a loan, explains where none went.
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

/** Whether the legs of an act tell less than half of an asset that its account gave, or nothing of a receipt that was destroyed. */
function bindsLittle({ context: { legs, flow } }: Candidate, { movements }: Transaction): boolean {
  return flow.gives.some(({ kind, token, amount }) => {
    const bound = legs.reduce((sum, leg) => (leg !== null && leg.token === token ? sum + leg.amount : sum), 0n);
    const isGone = () => movements.some((move) => move.token === token && isBurnAddress(move.to));
    return kind !== "nft" && bound * 2n < amount && (bound > 0n || isGone());
  });
}
