import { type Address, isBurnAddress, zeroAddress } from "../../kernel/address.ts";
import type { Knowledge } from "../knowledge.ts";
import type { Facts, Move } from "./facts.ts";
import type { NetLoss } from "./losses.ts";

/** Somebody who had more of a lost asset in the end. */
export interface Keeper {
  account: Address;
  kept: bigint;
}

/**
 * Who has what a principal gave: value is followed through those who pass it on, and no further than to somebody who gave something
 * for it. One share in `parts` of the loss or less is a fee.
 */
export function keepersOf({ account, key, net }: NetLoss, facts: Facts, knowledge: Knowledge, parts: bigint): Keeper[] {
  const moves = facts.byAsset.get(key) ?? [];
  const onward = moves.filter(({ from }) => {
    return from === account || !(isAdmitted(from, facts, knowledge) || gaveFor(from, key, facts, () => true));
  });
  const nets = shareOfEach(moves);
  return [...reachedFrom(account, onward)].flatMap((reached) => {
    const kept = nets.get(reached) ?? 0n;
    return reached === account || isBurnAddress(reached) || kept * parts <= net ? [] : [{ account: reached, kept }];
  });
}

/** What each account got, less what it gave; of moves of one asset. */
export function shareOfEach(moves: readonly Move[]): Map<Address, bigint> {
  const nets = new Map<Address, bigint>();
  for (const { from, to, amount } of moves) {
    nets.set(from, (nets.get(from) ?? 0n) - amount);
    nets.set(to, (nets.get(to) ?? 0n) + amount);
  }
  return nets;
}

/** Every account that value from one account can have come to, the account first. */
export function reachedFrom(account: Address, moves: readonly Move[]): Set<Address> {
  const receivers = new Map<Address, Set<Address>>();
  for (const { from, to } of moves) receivers.set(from, (receivers.get(from) ?? new Set()).add(to));
  const reached = new Set([account]);
  // A set is walked in the order of insertion, so what is added is visited too.
  for (const one of reached) for (const to of receivers.get(one) ?? []) reached.add(to);
  return reached;
}

/** Whether an account gave another asset than the one that it got, or made its own token for somebody. `counts`: which assets do. */
export function gaveFor(account: Address, got: string, { moves }: Facts, counts: (move: Move) => boolean): boolean {
  return moves.some((move) => {
    if (move.key === got || isBurnAddress(move.to)) return false;
    return move.from === account ? counts(move) : move.token === account && move.from === zeroAddress;
  });
}

/** Ether and listed tokens: what a stranger cannot make himself. */
export function isWorth(knowledge: Knowledge): (holding: Pick<Move, "token">) => boolean {
  return ({ token }) => token === null || knowledge.token(token) !== undefined;
}

/** A contract with a known name, a listed token, or one that a genuine registry knows or a genuine factory made here. */
export function isAdmitted(account: Address, { file, steps }: Facts, knowledge: Knowledge): boolean {
  if (knowledge.name(account) !== undefined || knowledge.token(account) !== undefined) return true;
  const digits = account.slice(2);
  const read = file.reads.some(({ to, data, result }) => {
    if (knowledge.name(to) === undefined || result === null || /^0x0*$/.test(result)) return false;
    return data.includes(digits) || result.includes(digits);
  });
  const made = steps.some(({ to, from, type }) => {
    return to === account && type.startsWith("CREATE") && (knowledge.name(from)?.protocols.length ?? 0) > 0;
  });
  return read || made;
}
