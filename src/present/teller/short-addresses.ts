import { type Address, checksum, shorten } from "../../kernel/address.ts";
import type { Transaction } from "../../model/transaction.ts";

/**
 * Shortens addresses for the sentences about one transaction. Two that would read the same, as somebody who imitates an address
 * wants it, are written in full.
 */
export function shortenerOf(tx: Transaction): (address: Address) => string {
  let twins: ReadonlySet<number> | undefined;
  return (address) => {
    twins ??= findTwins(tx);
    return twins.has(endsOf(address)) ? checksum(address) : shorten(address);
  };
}

/** The same for sentences about a message, of whose addresses all are given. */
export function shortenerAmong(addresses: Iterable<Address>): (address: Address) => string {
  const twins = new TwinFinder();
  for (const address of addresses) twins.look(address);
  return (address) => (twins.found.has(endsOf(address)) ? checksum(address) : shorten(address));
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

function findTwins({ from, to, created, movements, calls, logs }: Transaction): Set<number> {
  const finder = new TwinFinder();
  const look = (address: Address | null): void => finder.look(address);
  for (const address of [from, to, created]) look(address);
  for (const move of movements) {
    look(move.from);
    look(move.to);
  }
  for (const call of calls) look(call.to);
  for (const log of logs) look(log.address);
  return finder.found;
}

/** Finds addresses that read the same when they are shortened. */
class TwinFinder {
  /** What stands of them. */
  readonly found: Set<number> = new Set();
  readonly #known: Map<number, Address> = new Map();

  look(address: Address | null): void {
    if (address === null) return;
    const ends = endsOf(address);
    const other = this.#known.get(ends);
    if (other === undefined) this.#known.set(ends, address);
    else if (other !== address) this.found.add(ends);
  }
}
