import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import type { Hex } from "./hex.ts";

// What the engine hashes. The functions of viem that do the same take any input; a page would load a kilobyte more for that.

const utf8 = new TextEncoder();

export function keccakOfBytes(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(keccak_256(bytes))}`;
}

/** Of whole bytes, as digits without 0x. Throws where they are none. */
export function keccakOfDigits(digits: string): Hex {
  return keccakOfBytes(hexToBytes(digits));
}

/** Of a text in UTF-8. */
export function keccakOfText(text: string): Hex {
  return keccakOfBytes(utf8.encode(text));
}

/** What stands for a text, as 64 hex digits: the hash that the engine has anyway, so that a page loads no other one. */
export function digestOf(text: string): string {
  return keccakOfText(text).slice(2);
}
