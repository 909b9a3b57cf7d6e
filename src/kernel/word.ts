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
