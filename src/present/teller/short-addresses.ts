import { type Address, checksum, shorten } from "../../kernel/address.ts";
import type { Transaction } from "../../model/transaction.ts";

/**
 * Shortens addresses for the sentences about one transaction. Two that would read the same, as somebody who imitates an address
 * wants it, are written in full.
 */
export function shortenerOf(tx: Transaction): (address: Address) => string {
  const told = new Map<Address, string>();
  let readings: Readings | undefined;
  return (address) => {
    let text = told.get(address);
    if (text === undefined) {
      if (told.size === searchesMax) {
        const all: Readings = new Map();
        someAddress(tx, (one) => addReading(all, one));
        readings = all;
      }
      const isAlike = readings === undefined ? someAddress(tx, twinOf(address)) : hasTwin(address, readings);
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
  const readings: Readings = new Map();
  for (const address of addresses) addReading(readings, address);
  return (address) => (hasTwin(address, readings) ? checksum(address) : shorten(address));
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

/** The address that reads so when it is shortened; null where several do. */
type Readings = Map<number, Address | null>;

/** Never true, so that it can be handed to {@link someAddress}. */
function addReading(readings: Readings, address: Address | null): false {
  if (address !== null) {
    const ends = endsOf(address);
    const other = readings.get(ends);
    readings.set(ends, other === undefined || other === address ? address : null);
  }
  return false;
}

function hasTwin(address: Address, readings: Readings): boolean {
  const other = readings.get(endsOf(address));
  return other !== undefined && other !== address;
}

/** Tells whether an address is another one than this and reads the same. Nearly all differ in their first digit. */
function twinOf(address: Address): (other: Address | null) => boolean {
  return (other) => {
    if (other === null) return false;
    for (const at of shownDigits) if (other.charCodeAt(at) !== address.charCodeAt(at)) return false;
    return other !== address;
  };
}

/** Whether one of the transaction's addresses is such. */
function someAddress(
  { from, to, created, movements, calls, logs }: Transaction,
  test: (address: Address | null) => boolean,
): boolean {
  return (
    test(from) ||
    test(to) ||
    test(created) ||
    movements.some((move) => test(move.from) || test(move.to)) ||
    calls.some((call) => test(call.to)) ||
    logs.some((log) => test(log.address))
  );
}
