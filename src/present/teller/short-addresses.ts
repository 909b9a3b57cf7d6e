import { type Address, checksum, shorten } from "../../kernel/address.ts";
import type { Transaction } from "../../model/transaction.ts";

/**
 * Shortens addresses for the sentences about one transaction. Two that would read the same, as somebody who imitates an address
 * wants it, are written in full.
 */
export function shortenerOf(tx: Transaction): (address: Address) => string {
  const told = new Map<Address, string>();
  let twins: TwinFinder | undefined;
  return (address) => {
    let text = told.get(address);
    if (text === undefined) {
      if (told.size === searchesMax) twins = allTwins(tx);
      const isAlike = twins === undefined ? hasTwin(address, tx) : twins.has(address);
      text = isAlike ? checksum(address) : shorten(address);
      told.set(address, text);
    }
    return text;
  };
}

/** Addresses for which the whole transaction is looked through, one after the other; for more of them all are put in order once. */
const searchesMax = 16;

/** The same for sentences about a message, of whose addresses all are given. */
export function shortenerAmong(addresses: Iterable<Address>): (address: Address) => string {
  const twins = new TwinFinder();
  for (const address of addresses) twins.look(address);
  return (address) => (twins.has(address) ? checksum(address) : shorten(address));
}

/** What stands of an address when it is shortened, whatever its case: the first and the last four digits, as a number. */
function endsOf(address: Address): number {
  let ends = 0;
  for (const at of shownDigits) {
    const code = address.charCodeAt(at);
    ends = (ends << 4) | ((code & 15) + (code > 64 ? 9 : 0));
  }
  return ends;
}

const shownDigits = [2, 3, 4, 5, 38, 39, 40, 41] as const;

/** Whether another address of the transaction reads the same when it is shortened. */
function hasTwin(address: Address, { from, to, created, movements, calls, logs }: Transaction): boolean {
  const isTwin = (other: Address | null) => other !== null && other !== address && readsLike(address, other);
  if (isTwin(from) || isTwin(to) || isTwin(created)) return true;
  for (const move of movements) if (isTwin(move.from) || isTwin(move.to)) return true;
  for (const call of calls) if (isTwin(call.to)) return true;
  for (const log of logs) if (isTwin(log.address)) return true;
  return false;
}

function allTwins({ from, to, created, movements, calls, logs }: Transaction): TwinFinder {
  const twins = new TwinFinder();
  const look = (address: Address | null) => address !== null && twins.look(address);
  for (const address of [from, to, created]) look(address);
  for (const move of movements) for (const address of [move.from, move.to]) look(address);
  for (const call of calls) look(call.to);
  for (const log of logs) look(log.address);
  return twins;
}

function readsLike(address: Address, other: Address): boolean {
  for (const at of shownDigits) if (address.charCodeAt(at) !== other.charCodeAt(at)) return false;
  return true;
}

/** Finds addresses that read the same when they are shortened. */
class TwinFinder {
  /** What stands of them. */
  readonly #found: Set<number> = new Set();
  readonly #known: Map<number, Address> = new Map();

  /** Whether one that was looked at reads like another address. */
  has(address: Address): boolean {
    const ends = endsOf(address);
    const other = this.#known.get(ends);
    return this.#found.has(ends) || (other !== undefined && other !== address);
  }

  look(address: Address): void {
    const ends = endsOf(address);
    const other = this.#known.get(ends);
    if (other === undefined) this.#known.set(ends, address);
    else if (other !== address) this.#found.add(ends);
  }
}
