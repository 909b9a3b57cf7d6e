import { type Address, zeroAddress } from "../../kernel/address.ts";
import { addTo } from "../../kernel/lists.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";

/** What the ledger reads of a transaction. */
export type LedgerFacts = Pick<Transaction, "movements" | "weth" | "nativeComplete">;

/** The key of an asset in the ledger: `native` for ether in both forms, a token, or `<token>:<id>`. */
export function ledgerKeyOf(
  { token, tokenId }: Pick<Movement, "token" | "tokenId">,
  { weth }: Pick<LedgerFacts, "weth">,
) {
  if (token === null || weth.has(token)) return "native";
  return tokenId === null ? token : `${token}:${tokenId}`;
}

/** Positions of movements that only turn ether into wrapped ether or back. Both halves are found. */
export function findWraps({ movements, weth, nativeComplete }: LedgerFacts): ReadonlySet<number> {
  const wraps = new Set<number>();
  if (weth.size === 0) return wraps;
  /** Halves that still wait for the other one, by contract, account, form, direction and amount. */
  const halves = new Map<string, Movement[]>();
  for (const move of movements) {
    const { from, to, token, amount, fee } = move;
    // Some wrapped ether says its wraps by mints and burns.
    const end = (one: Address) => (one === zeroAddress && token !== null ? token : one);
    const place = [end(to), end(from)].find((one) => weth.has(one));
    if (place === undefined || fee || (token !== null && token !== place)) continue;
    const gives = place === end(to);
    const keyOf = (wrapped: boolean, out: boolean) => `${place}${gives ? from : to}${wrapped}${out}${amount}`;
    const other = halves.get(keyOf(token === null, !gives))?.shift();
    if (other === undefined) addTo(halves, keyOf(token !== null, gives), move);
    else wraps.add(move.index).add(other.index);
  }
  // The contract mints and burns only against ether. If that ether was not seen, the log still proves it.
  if (!nativeComplete)
    for (const open of halves.values()) for (const { token, index } of open) if (token !== null) wraps.add(index);
  return wraps;
}

/**
 * Movements in the order in which they can have happened. Ether from an explorer's list or from calldata has no place among the logs: the
 * sender's own money goes first, and what the sender must have got before goes as soon as that has come.
 *
 * @param etherOf what an account holds of others' ether at this moment, in wei
 */
export function* inOrder(
  moves: readonly Movement[],
  facts: LedgerFacts,
  etherOf: (account: Address) => bigint,
): Iterable<Movement> {
  const isLoose = ({ basis }: Movement) => basis === "internal" || basis === "calldata";
  if (!moves.some(isLoose)) {
    yield* moves;
    return;
  }
  const isEther = (move: Movement) => ledgerKeyOf(move, facts) === "native";
  const funded = new Set(moves.flatMap((move) => (isEther(move) ? [move.to] : [])));
  const waiting = new Map<Address, Movement[]>();
  const payable = function* (start: Address): Iterable<Movement> {
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const queue = waiting.get(at);
      while (queue?.[0] !== undefined && etherOf(at) >= queue[0].amount) {
        const move = queue.shift() as Movement;
        open.push(move.to);
        yield move;
      }
    }
  };
  const placed: Movement[] = [];
  for (const move of moves) {
    if (!isLoose(move)) placed.push(move);
    else if (funded.has(move.from)) addTo(waiting, move.from, move);
    else yield move;
  }
  for (const account of waiting.keys()) yield* payable(account);
  for (const move of placed) {
    yield move;
    if (isEther(move)) yield* payable(move.to);
  }
  for (const queue of waiting.values()) yield* queue;
}
