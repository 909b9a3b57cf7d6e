import type { Address } from "../kernel/address.ts";
import { compareAmounts } from "../kernel/amount.ts";
import { transferFromSelector } from "../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../kernel/word.ts";
import type { Candidate } from "../match/candidate.ts";
import type { Labels } from "../model/label.ts";
import type { Transaction } from "../model/transaction.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { leafCalls } from "../unwrap/call-tree.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";

type Known = Pick<Labels, "name" | "token">;

/** Owners that are told or counted; a sentence has room for a few. */
const ownersMax = 64;

/**
 * Owners of listed tokens that somebody took by an allowance, while they did nothing, got nothing and no action tells of it. Contracts
 * that are known hold what is others'.
 */
export function takenFrom(
  { tx, calls }: Pick<Unwrapped, "tx" | "calls">,
  actions: readonly Candidate[],
  labels: Known,
): Address[] {
  const owners = new Set<Address>();
  for (const owner of tx.traced ? seenTaken(tx) : maybeTaken(tx, calls, labels))
    if (labels.name(owner) === undefined) owners.add(owner);
  if (owners.size === 0) return [];
  for (const { from, to } of [...tx.calls, ...calls]) {
    owners.delete(from);
    if (to !== null) owners.delete(to);
  }
  const told = new Set(actions.flatMap((action) => [...action.movements, ...action.absorbedMovements]));
  for (const { index, from } of tx.movements) if (told.has(index)) owners.delete(from);
  for (const { context } of actions) owners.delete(context.subject);
  for (const owner of owners) if (balanceChanges(tx, owner).gets.length > 0) owners.delete(owner);
  return owners.size <= ownersMax ? [...owners] : largestOf(owners, tx);
}

/** Those who lost the most of some listed token; of each token the largest loss first, the tokens in turn. */
function largestOf(owners: ReadonlySet<Address>, { listed, movements }: Transaction): Address[] {
  const given = movements.filter(({ token, from }) => token !== null && listed.has(token) && owners.has(from));
  const lists = [...Map.groupBy(given, ({ token }) => token).values()].map((moves) =>
    moves.sort((a, b) => compareAmounts(b.amount, a.amount)),
  );
  const found = new Set<Address>();
  for (let place = 0; lists.some(({ length }) => place < length); place++)
    for (const list of lists) {
      const move = list[place];
      if (move !== undefined && found.size < ownersMax) found.add(move.from);
    }
  return [...found];
}

/** Whose tokens others called for, by the call tree. */
function seenTaken({ calls, listed }: Transaction): Address[] {
  return calls.flatMap(({ kind, from, to, input, ok }) => {
    if (!ok || kind !== "call" || to === null || !listed.has(to) || !input.startsWith(transferFromSelector)) return [];
    const word = `0x${input.slice(10, 74)}`;
    const owner = isAddressWord(word) ? addressOfWord(word) : undefined;
    return owner === undefined || owner === from ? [] : [owner];
  });
}

/**
 * Without a call tree: whose tokens moved when a contract was called that nobody knows. An account that carries calls out is not meant,
 * only what it calls. Contracts that hold funds mostly write logs.
 */
function maybeTaken({ listed, logs, movements }: Transaction, calls: Unwrapped["calls"], labels: Known): Address[] {
  const isStrange = (address: Address) => labels.name(address) === undefined && labels.token(address) === undefined;
  if (!leafCalls(calls).some(({ to, state }) => to !== null && state !== "failed" && isStrange(to))) return [];
  const writers = new Set(logs.map(({ address }) => address));
  return movements.flatMap(({ token, from, fee }) =>
    token !== null && !fee && listed.has(token) && !writers.has(from) ? [from] : [],
  );
}
