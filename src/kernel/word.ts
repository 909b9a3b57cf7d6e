import type { Address } from "./address.ts";

const addressPad = `0x${"0".repeat(24)}`;

/** Whether a 32-byte word (lower-case hex with `0x`) holds an address and nothing else. */
export function isAddressWord(word: string | undefined): word is string {
  return word !== undefined && word.length === 66 && word.startsWith(addressPad);
}

/**
 * The address in a word that passes {@link isAddressWord}. Results are remembered by word: a topic is read several times, and each time the
 * text cut out of it would have to be hashed again.
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
 * The address with these 40 hex digits. Addresses are remembered: a newly joined string must be laid out and hashed before a map finds it,
 * which costs more than all other work on an address.
 */
export function addressOf(digits: string): Address {
  const known = addresses.get(digits);
  if (known !== undefined) return known;
  if (addresses.size >= addressesMax) addresses.clear();
  const made = `0x${digits}` as Address;
  addresses.set(digits, made);
  return made;
}

/** By digits. Safe to share: the same digits are always the same address. */
const addresses = new Map<string, Address>();
/** By whole words. */
const addressesOfWords = new Map<string, Address>();
const addressesMax = 20_000;
