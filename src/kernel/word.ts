import type { Address } from "./address.ts";

const addressPad = `0x${"0".repeat(24)}`;

/** Whether a 32-byte word (lower-case hex with `0x`) holds an address and nothing else. */
export function isAddressWord(word: string | undefined): word is string {
  return word !== undefined && word.length === 66 && word.startsWith(addressPad);
}

/**
 * The address in a word of which {@link isAddressWord} is true. A word is remembered by itself: a topic is looked at several times, and
 * the text that is cut out of it would have to be hashed each time.
 */
export function addressOfWord(word: string): Address {
  const known = addressesOfWords.get(word);
  if (known !== undefined) return known;
  if (addressesOfWords.size >= addressesMax) addressesOfWords.clear();
  const address = addressOf(word.slice(26));
  addressesOfWords.set(word, address);
  return address;
}

/**
 * The address with these 40 digits. Addresses are remembered: to put one together anew costs more than all that is done with it, since
 * its text must be laid out and hashed again before it is found in any map.
 */
export function addressOf(digits: string): Address {
  const known = addresses.get(digits);
  if (known !== undefined) return known;
  if (addresses.size >= addressesMax) addresses.clear();
  const made = `0x${digits}` as Address;
  addresses.set(digits, made);
  return made;
}

/** A pure cache: the same digits are the same address. */
const addresses = new Map<string, Address>();
/** The same by whole words. */
const addressesOfWords = new Map<string, Address>();
const addressesMax = 20_000;
