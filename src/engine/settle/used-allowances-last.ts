import type { Movement } from "../../model/transaction.ts";
import { tierRank } from "../../rules/ruleset/actions.ts";
import type { Candidate } from "../match/candidate.ts";

/** After the transfer that used it: the allowed contract was called and moved the owner's token. */
export function usedAllowancesLast(ordered: readonly Candidate[]): readonly Candidate[] {
  const transfers = ordered.filter(({ rule }) => rule.tier === tierRank("transfer"));
  if (transfers.length === 0) return ordered;
  const used = new Set(ordered.filter((one) => isAllowance(one) && transfers.some((other) => uses(other, one))));
  return used.size === 0 ? ordered : [...ordered.filter((one) => !used.has(one)), ...used];
}

function isAllowance({ rule, context }: Candidate): boolean {
  return rule.tier === tierRank("approval") && context.log !== null && context.log.address === context.call?.to;
}

/** EIP-20 `Approval(owner, spender, value)`: the last topic is the spender. */
function uses({ context, movements }: Candidate, allowance: Candidate): boolean {
  const { address: token, topics } = allowance.context.log as NonNullable<typeof context.log>;
  const called = context.call?.to ?? context.target;
  const isSent = (move: Movement | undefined) => move?.token === token && move.from === context.subject;
  return (
    called !== null &&
    called !== token &&
    topics[2]?.endsWith(called.slice(2)) === true &&
    movements.some((index) => isSent(context.tx.movements[index]))
  );
}
