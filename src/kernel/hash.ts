import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import type { Hex } from "./hex.ts";

// Hashing for the engine. viem has the same functions, but they accept any input, and a page that uses them would be a kilobyte larger.

const utf8 = new TextEncoder();

/** Keccak-256 of bytes. */
export function keccakOfBytes(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(keccak_256(bytes))}`;
}

/** Keccak-256 of whole bytes, given as hex digits without 0x. Throws for anything else. */
export function keccakOfDigits(digits: string): Hex {
  return keccakOfBytes(hexToBytes(digits));
}

/** Keccak-256 of a text in UTF-8. */
export function keccakOfText(text: string): Hex {
  return keccakOfBytes(utf8.encode(text));
}

/** A digest of a text, 64 hex digits. It uses Keccak-256, which the engine has anyway, so that a page loads no other hash function. */
export function digestOf(text: string): string {
  return keccakOfText(text).slice(2);
}
