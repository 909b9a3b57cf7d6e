import type { Address } from "./address.ts";

const addressPad = `0x${"0".repeat(24)}`;

/** A 32-byte word (lower-case hex with `0x`) that holds an address and nothing else. */
export function isAddressWord(word: string | undefined): word is string {
  return word !== undefined && word.length === 66 && word.startsWith(addressPad);
}

/** The word must pass {@link isAddressWord}. Remembered by word: a topic is read several times. */
export function addressOfWord(word: string): Address {
  const known = addressesOfWords.get(word);
  if (known !== undefined) return known;
  if (addressesOfWords.size >= addressesMax) addressesOfWords.clear();
  const address = addressOf(word.slice(26));
  addressesOfWords.set(word, address);
  return address;
}

/**
 * What may be addresses among the words of some data: 12 zero bytes and then 20 bytes that are no small number. `starts`: the bytes at
 * which the words may begin; calldata that holds other calldata has further words 4 bytes later. At most `wordsMax` words are read.
 */
export function addressesIn(data: string, starts: readonly number[], wordsMax: number): Address[] {
  const found: Address[] = [];
  for (const start of starts) {
    let left = wordsMax;
    for (let at = 2 + start * 2; at + 64 <= data.length && left > 0; at += 64, left--) {
      if (!data.startsWith(zeroPad, at) || data.startsWith(smallNumber, at)) continue;
      found.push(addressOf(data.slice(at + 24, at + 64)));
    }
  }
  return found;
}

const zeroPad = "0".repeat(24);
/** A word with 16 zero bytes holds a number, a length or an offset. */
const smallNumber = "0".repeat(32);

/** `digits`: 40 hex digits. Remembered: a newly joined string must be hashed before a map finds it, the largest cost of an address. */
export function addressOf(digits: string): Address {
  const known = addresses.get(digits);
  if (known !== undefined) return known;
  if (addresses.size >= addressesMax) addresses.clear();
  const made = `0x${digits}` as Address;
  addresses.set(digits, made);
  return made;
}

/** Safe to share: the same digits are always the same address. */
const addresses = new Map<string, Address>();
const addressesOfWords = new Map<string, Address>();
const addressesMax = 20_000;
