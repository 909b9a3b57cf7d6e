import { type Address, checksum, shorten } from "../../../kernel/address.ts";
import type { Transaction } from "../../../model/transaction.ts";

/**
 * Shortens addresses for the sentences about one transaction. Two addresses that would look the same are written in full, since one of them
 * may imitate the other.
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

/** For up to this many addresses the whole transaction is searched each time. After that, an index of all its addresses is used. */
const searchesMax = 16;

/** As {@link shortenerOf}, for sentences about a message, whose addresses are all given. */
export function shortenerAmong(addresses: Iterable<Address>): (address: Address) => string {
  const readings: Readings = new Map();
  for (const address of addresses) addReading(readings, address);
  return (address) => (hasTwin(address, readings) ? checksum(address) : shorten(address));
}

/** The first and last four hex digits of an address as a number: what its short form shows. */
function endsOf(address: Address): number {
  let ends = 0;
  for (const at of shownDigits) {
    const code = address.charCodeAt(at);
    ends = (ends << 4) | ((code & 15) + (code > 64 ? 9 : 0));
  }
  return ends;
}

const shownDigits = [2, 3, 4, 5, 38, 39, 40, 41] as const;

/** By {@link endsOf}: the address with these ends; null where several have them. */
type Readings = Map<number, Address | null>;

/** Adds an address. Always false, so that it can be handed to {@link someAddress}, which stops at true. */
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

/** Tells whether another address has the same short form. Nearly all differ in the first digit. */
function twinOf(address: Address): (other: Address | null) => boolean {
  return (other) => {
    if (other === null) return false;
    for (const at of shownDigits) if (other.charCodeAt(at) !== address.charCodeAt(at)) return false;
    return other !== address;
  };
}

/** Whether one of the transaction's addresses passes the test. */
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
