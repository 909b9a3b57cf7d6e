import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import type { Hex } from "./hex.ts";

// Hashing for the engine. viem has the same functions, but they accept any input, and a page that uses them would be a kilobyte larger.

const utf8 = new TextEncoder();

export function keccakOfBytes(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(keccak_256(bytes))}`;
}

/** `digits`: hex of whole bytes without 0x; throws otherwise. */
export function keccakOfDigits(digits: string): Hex {
  return keccakOfBytes(hexToBytes(digits));
}

export function keccakOfText(text: string): Hex {
  return keccakOfBytes(utf8.encode(text));
}

/** 64 hex digits. Keccak-256, so that a page loads no other hash function. */
export function digestOf(text: string): string {
  return keccakOfText(text).slice(2);
}
