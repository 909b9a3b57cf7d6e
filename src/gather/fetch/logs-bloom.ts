import { hexToBytes } from "@noble/hashes/utils";
import { LRUCache } from "lru-cache";
import { keccakOfDigits } from "../../kernel/hash.ts";
import { byteLength, readHex } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { RpcLog } from "../../model/case-file.ts";

/**
 * Whether a receipt's bloom filter (Yellow Paper, 4.3.1) is that of its logs: each address and topic sets three of 2,048 bits. True also
 * where there is no filter of 256 bytes, or an empty one, which nodes write as long as they do not know it. Of very many logs the first
 * ones are looked at, each of which must be in the filter.
 */
export function fitsBloom(bloom: unknown, logs: readonly RpcLog[]): boolean {
  const given = readHex(bloom);
  if (given === undefined || byteLength(given) !== bloomBytes || isZero(given)) return true;
  const all = new Set(logs.flatMap(({ address, topics }) => [address, ...topics].map((text) => text.toLowerCase())));
  const values = [...all].slice(0, serviceLimits.bloomedMax);
  const told = hexToBytes(given.slice(2));
  const made = new Uint8Array(bloomBytes);
  for (const value of values) {
    for (const bit of bitsOf(value)) {
      const place = bloomBytes - 1 - (bit >> 3);
      made[place] = (made[place] as number) | (1 << (bit & 7));
    }
  }
  const isWhole = values.length === all.size;
  return made.every((byte, i) => (isWhole ? told[i] === byte : ((told[i] as number) & byte) === byte));
}

const bloomBytes = 256;

/** A pure cache: most logs are of a few events and contracts. */
const known = new LRUCache<string, readonly number[]>({ max: 4_096 });

/** The three bits of an address or topic: the low eleven bits of each of the first three pairs of bytes of its hash. */
function bitsOf(value: string): readonly number[] {
  const found = known.get(value);
  if (found !== undefined) return found;
  const digits = keccakOfDigits(value.slice(2)).slice(2, 14);
  const bits = [0, 4, 8].map((at) => Number.parseInt(digits.slice(at, at + 4), 16) & 2_047);
  known.set(value, bits);
  return bits;
}

function isZero(hex: string): boolean {
  return /^0x0*$/.test(hex);
}
