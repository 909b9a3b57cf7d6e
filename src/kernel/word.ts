import type { Address } from "./address.ts";

const addressPad = `0x${"0".repeat(24)}`;

/** Whether a 32-byte word (lower-case hex with `0x`) holds an address and nothing else. */
export function isAddressWord(word: string | undefined): word is string {
  return word !== undefined && word.length === 66 && word.startsWith(addressPad);
}

/** The address in a word of which {@link isAddressWord} is true. */
export function addressOfWord(word: string): Address {
  return `0x${word.slice(26)}` as Address;
}
