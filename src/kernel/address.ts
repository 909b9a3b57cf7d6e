import { keccakOfDigits, keccakOfText } from "./hash.ts";
import { type Hex, lowerHex } from "./hex.ts";

/** 20 bytes in lower-case hex. Only answers use the EIP-55 form. */
export type Address = Hex & { readonly __address: unique symbol };

const checksums = new Map<string, string>();
const checksumsMax = 50_000;

export const zeroAddress = `0x${"0".repeat(40)}` as Address;
export const deadAddress = `0x${"0".repeat(36)}dead` as Address;
/** ERC-7528: stands for ether where a token's address is asked for. */
export const etherAlias = `0x${"e".repeat(40)}` as Address;

/** Any letter case; EIP-55 checksums are not checked. */
export function readAddress(text: unknown): Address | undefined {
  if (typeof text !== "string") return undefined;
  if (text.length !== 42) return undefined;
  return lowerHex(text) as Address | undefined;
}

/** Throws: text that is no address is a mistake in our code. */
export function toAddress(text: string): Address {
  const address = readAddress(text);
  if (address === undefined) throw new Error(`not an address: ${text}`);
  return address;
}

/** The EIP-55 form. Remembered, because hashing is the costliest step of presenting. */
export function checksum(address: Address): string {
  const known = checksums.get(address);
  if (known !== undefined) return known;
  if (checksums.size >= checksumsMax) checksums.clear();
  const made = mixedCase(address);
  checksums.set(address, made);
  return made;
}

function mixedCase(address: Address): string {
  const digits = address.slice(2);
  const hash = keccakOfText(digits).slice(2);
  return `0x${digits.replace(/[a-f]/g, (letter, at: number) => ((hash[at] as string) >= "8" ? letter.toUpperCase() : letter))}`;
}

/** `0x1234…abcd`: the ends of the EIP-55 form, for sentences. */
export function shorten(address: Address): string {
  const full = checksum(address);
  return `${full.slice(0, 6)}…${full.slice(-4)}`;
}

/** The address that CREATE2 gives (EIP-1014). `data`: 32 bytes of salt, then the init code; undefined without code. */
export function create2Address(deployer: Address, data: string): Address | undefined {
  if (data.length <= 66 || data.length % 2 > 0) return undefined;
  const code = keccakOfDigits(data.slice(66)).slice(2);
  return `0x${keccakOfDigits(`ff${deployer.slice(2)}${data.slice(2, 66)}${code}`).slice(26)}` as Address;
}

/**
 * The address that CREATE3 gives (transmissions11/solmate `CREATE3.sol`, behind ZeframLou/create3-factory): the first contract of a proxy, whose
 * salt holds the sender. `data`: starts with the salt.
 */
export function create3Address(factory: Address, sender: Address, data: string): Address | undefined {
  if (data.length < 66) return undefined;
  const salt = keccakOfDigits(`${sender.slice(2)}${data.slice(2, 66)}`).slice(2);
  const proxy = keccakOfDigits(`ff${factory.slice(2)}${salt}${create3ProxyCode}`).slice(26);
  // RLP of the proxy and its first nonce.
  return `0x${keccakOfDigits(`d694${proxy}01`).slice(26)}` as Address;
}

/** Keccak-256 of the proxy's init code. */
const create3ProxyCode = "21c35dbe1b344a2488cf3321d6ce542f8e9f305544ff09e4993a62319a497c1f";

/** The zero or the dead address. */
export function isBurnAddress(address: string): boolean {
  return address === zeroAddress || address === deadAddress;
}

/** Ether where a token is expected: the zero address, or {@link etherAlias}, as aggregators write it. */
export function isNativePlaceholder(address: string): boolean {
  return address === zeroAddress || address === etherAlias;
}

/** The address or its first 19 bytes: some protocols give one owner up to 256 accounts that differ in the last byte. */
export function namesAccount(value: unknown, account: Address): boolean {
  return value === account || (typeof value === "string" && value.length === 40 && account.startsWith(value));
}
