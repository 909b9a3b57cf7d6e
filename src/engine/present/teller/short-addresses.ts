import { type Address, checksum, shorten } from "../../../kernel/address.ts";
import type { Labels } from "../../../model/label.ts";
import type { Transaction } from "../../../model/transaction.ts";

/** Two that would look the same, also one with a label, are in full: one may imitate the other. */
export function shortenerOf(
  tx: Transaction,
  { looksLabelled }: Pick<Labels, "looksLabelled">,
): (address: Address) => string {
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
      text = isAlike || looksLabelled?.(address) === true ? checksum(address) : shorten(address);
      told.set(address, text);
    }
    return text;
  };
}

/** Above, an index of all addresses. */
const searchesMax = 16;

/** For a message. */
export function shortenerAmong(addresses: Iterable<Address>): (address: Address) => string {
  const readings: Readings = new Map();
  for (const address of addresses) addReading(readings, address);
  return (address) => (hasTwin(address, readings) ? checksum(address) : shorten(address));
}

/** First and last four hex digits. */
function endsOf(address: Address): number {
  let ends = 0;
  for (const at of shownDigits) {
    const code = address.charCodeAt(at);
    ends = (ends << 4) | ((code & 15) + (code > 64 ? 9 : 0));
  }
  return ends;
}

const shownDigits = [2, 3, 4, 5, 38, 39, 40, 41] as const;

/** By {@link endsOf}; null: several. */
type Readings = Map<number, Address | null>;

/** Always false: {@link someAddress} stops at true. */
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

/** Has the same short form. Most differ in the first digit. */
function twinOf(address: Address): (other: Address | null) => boolean {
  return (other) => {
    if (other === null) return false;
    for (const at of shownDigits) if (other.charCodeAt(at) !== address.charCodeAt(at)) return false;
    return other !== address;
  };
}

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
