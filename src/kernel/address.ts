import { keccakOfDigits, keccakOfText } from "./hash.ts";
import { type Hex, lowerHex } from "./hex.ts";

/** A 20-byte address in lower-case hex. The EIP-55 form is used only in answers. */
export type Address = Hex & { readonly __address: unique symbol };

const checksums = new Map<string, string>();
const checksumsMax = 50_000;

export const zeroAddress = `0x${"0".repeat(40)}` as Address;
export const deadAddress = `0x${"0".repeat(36)}dead` as Address;

/** Reads an address in any letter case; undefined when the value is not one. EIP-55 checksums are not checked. */
export function readAddress(text: unknown): Address | undefined {
  if (typeof text !== "string") return undefined;
  if (text.length !== 42) return undefined;
  return lowerHex(text) as Address | undefined;
}

/** Reads text that the caller knows to be an address. Throws otherwise, because that is a mistake in our code. */
export function toAddress(text: string): Address {
  const address = readAddress(text);
  if (address === undefined) throw new Error(`not an address: ${text}`);
  return address;
}

/** The EIP-55 form of an address. Results are remembered, because hashing costs more than any other step of presenting. */
export function checksum(address: Address): string {
  const known = checksums.get(address);
  if (known !== undefined) return known;
  if (checksums.size >= checksumsMax) checksums.clear();
  const made = mixedCase(address);
  checksums.set(address, made);
  return made;
}

/** EIP-55: a letter is a capital where the hash of the lower-case digits has 8 or more at the same place. */
function mixedCase(address: Address): string {
  const digits = address.slice(2);
  const hash = keccakOfText(digits).slice(2);
  return `0x${digits.replace(/[a-f]/g, (letter, at: number) => ((hash[at] as string) >= "8" ? letter.toUpperCase() : letter))}`;
}

/** The short form for sentences, `0x1234…abcd`: the first and last four digits of the EIP-55 form. */
export function shorten(address: Address): string {
  const full = checksum(address);
  return `${full.slice(0, 6)}…${full.slice(-4)}`;
}

/**
 * The address of a contract that a deployer creates by CREATE2 (EIP-1014). `data`: 32 bytes of salt, then the init code. Undefined when
 * there is no code.
 */
export function create2Address(deployer: Address, data: string): Address | undefined {
  if (data.length <= 66 || data.length % 2 > 0) return undefined;
  const code = keccakOfDigits(data.slice(66)).slice(2);
  return `0x${keccakOfDigits(`ff${deployer.slice(2)}${data.slice(2, 66)}${code}`).slice(26)}` as Address;
}

/** Whether an address is the zero or the dead address: what is sent there is gone. */
export function isBurnAddress(address: string): boolean {
  return address === zeroAddress || address === deadAddress;
}

/** Whether an address means ether where a token is expected: the zero address, or 0xEeee…EEeE, as aggregators write it. */
export function isNativePlaceholder(address: string): boolean {
  return address === zeroAddress || /^0xe{40}$/.test(address);
}

/**
 * Whether a value is the account's address, or its first 19 bytes: some protocols give one owner up to 256 accounts that differ only in the
 * last byte.
 */
export function namesAccount(value: unknown, account: Address): boolean {
  return value === account || (typeof value === "string" && value.length === 40 && account.startsWith(value));
}
