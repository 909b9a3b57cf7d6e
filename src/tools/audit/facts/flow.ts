import { type Address, isBurnAddress, zeroAddress } from "../../../kernel/address.ts";
import type { Knowledge } from "../knowledge.ts";
import type { Facts, Move } from "./facts.ts";
import type { NetLoss } from "./losses.ts";

/** Had more of a lost asset in the end. */
export interface Keeper {
  account: Address;
  kept: bigint;
}

/**
 * Who has in the end what a principal gave, followed through accounts that pass it on, but not beyond an admitted contract or an account
 * that gave something for it. Parts of at most 1/`parts` of the loss may be fees.
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

/** Received minus given, of one asset. */
export function shareOfEach(moves: readonly Move[]): Map<Address, bigint> {
  const nets = new Map<Address, bigint>();
  for (const { from, to, amount } of moves) {
    nets.set(from, (nets.get(from) ?? 0n) - amount);
    nets.set(to, (nets.get(to) ?? 0n) + amount);
  }
  return nets;
}

/** Reachable by value from this account, itself first. */
export function reachedFrom(account: Address, moves: readonly Move[]): Set<Address> {
  const receivers = new Map<Address, Set<Address>>();
  for (const { from, to } of moves) receivers.set(from, (receivers.get(from) ?? new Set()).add(to));
  const reached = new Set([account]);
  // Iterating over a set also visits elements that are added meanwhile.
  for (const one of reached) for (const to of receivers.get(one) ?? []) reached.add(to);
  return reached;
}

/** Gave another asset than it got, or minted its own token for somebody. `counts`: which assets count. */
export function gaveFor(account: Address, got: string, { moves }: Facts, counts: (move: Move) => boolean): boolean {
  return moves.some((move) => {
    if (move.key === got || isBurnAddress(move.to)) return false;
    return move.from === account ? counts(move) : move.token === account && move.from === zeroAddress;
  });
}

/** Ether and listed tokens, which a stranger cannot create. */
export function isWorth(knowledge: Knowledge): (holding: Pick<Move, "token">) => boolean {
  return ({ token }) => token === null || knowledge.token(token) !== undefined;
}

/** A contract with a known name, a listed token, confirmed by a known registry, or created here by a known factory. */
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
