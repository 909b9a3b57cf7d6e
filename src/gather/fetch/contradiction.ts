import { hexToBytes } from "@noble/hashes/utils";
import { LRUCache } from "lru-cache";
import { readAddress } from "../../kernel/address.ts";
import { type JsonObject, readObject } from "../../kernel/canonical.ts";
import { keccakOfDigits } from "../../kernel/hash.ts";
import { byteLength, type Hash, readHash, readHex, readQuantity } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import { findDisagreement } from "../../model/case-agreement.ts";
import type { RpcFrame, RpcLog, RpcReceipt, RpcTransaction } from "../../model/case-file.ts";
import { hashOfFields, signerOfFields } from "./signed-form.ts";

/**
 * Bloom filter (Yellow Paper, 4.3.1): each address and topic sets three of 2,048 bits. True also without one of 256 bytes, or for an empty
 * one: nodes that do not know it write that. Of very many logs the first ones are looked at.
 */
function fitsBloom(bloom: unknown, logs: readonly RpcLog[]): boolean {
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

/** Low eleven bits of the first three pairs of bytes of the hash. */
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

/** As one endpoint gave them. */
export interface GivenRecord {
  transaction: JsonObject;
  receipt: JsonObject;
  /** Well formed. */
  logs: RpcReceipt["logs"];
}

export interface RecordExpectation {
  hash: Hash;
  chainId: number;
  /** No block has this number yet. */
  numberMax: number;
}

/** Against the hash that was asked for, or itself; what it lacks is not compared. `isProved`: the hash is that of the fields. */
export function examineRecord(
  given: GivenRecord,
  expected: RecordExpectation,
): { contradiction: string | undefined; isProved: boolean } {
  const { transaction, receipt, logs } = given;
  const own = hashOfFields(transaction);
  const isProved = own === expected.hash;
  const contradiction =
    findDisagreement(transaction, receipt) ??
    findWrongPlace(given, expected) ??
    // Some archives write a price of zero where they do not know it. Then nothing can be said about the hash.
    (own === undefined || isProved || isPriceless(transaction) || isUnsigned(transaction)
      ? undefined
      : "the hash is not that of the fields") ??
    (isProved && signerOfFields(transaction) !== readAddress(transaction.from)
      ? "somebody else signed it"
      : undefined) ??
    findWrongOutcome(given, isProved) ??
    (fitsBloom(receipt.logsBloom, logs) ? undefined : "the bloom filter is not that of the logs");
  return { contradiction, isProved };
}

function isPriceless({ type, gasPrice, maxFeePerGas }: JsonObject): boolean {
  const number = readQuantity(type) ?? 0n;
  return readQuantity(number > 1n ? maxFeePerGas : gasPrice) === 0n;
}

/** Development nodes write 0 or 1 for accounts without a key. Deposits (0x7e) have none, and need none for their hash. */
function isUnsigned({ type, r, s }: JsonObject): boolean {
  return readQuantity(type) !== 0x7en && [r, s].every((value) => (readQuantity(value) ?? 2n) <= 1n);
}

function findWrongPlace(
  { transaction, receipt }: GivenRecord,
  { chainId, numberMax }: RecordExpectation,
): string | undefined {
  const chain = readQuantity(transaction.chainId) ?? 0n;
  if (chain !== 0n && chain !== BigInt(chainId)) return `it is of chain ${chain}`;
  const number = readQuantity(receipt.blockNumber) ?? readQuantity(transaction.blockNumber) ?? 0n;
  if (number > BigInt(Math.min(numberMax, serviceLimits.blockNumberMax))) return "no block has this number yet";
  let next: bigint | undefined;
  const times = new Set<bigint>();
  for (const [i, one] of [transaction, ...readList(receipt.logs)].entries()) {
    const time = readQuantity(one.blockTimestamp);
    if (time !== undefined) times.add(time);
    if (i === 0) continue;
    if (one.removed === true) return "a log was removed";
    if (placeFields.some((read) => differ(read(one), read(receipt)))) return "a log is of another transaction";
    const at = readQuantity(one.logIndex);
    // The logs of a block are numbered from 0 without a gap, so those of a transaction have no gap either.
    if (at !== undefined && next !== undefined && at !== next) return `log ${next} is missing`;
    next = at === undefined ? undefined : at + 1n;
  }
  return times.size > 1 ? "one block has several times" : undefined;
}

const placeFields: readonly ((source: JsonObject) => unknown)[] = [
  ({ transactionHash }) => readHash(transactionHash),
  ({ blockHash }) => readHash(blockHash),
  ({ blockNumber }) => readQuantity(blockNumber),
  ({ transactionIndex }) => readQuantity(transactionIndex),
];

/** Limits of gas and price count only where proved. */
function findWrongOutcome({ transaction, receipt, logs }: GivenRecord, isProved: boolean): string | undefined {
  const status = readQuantity(receipt.status);
  if (status !== undefined && status > 1n) return "it neither failed nor succeeded";
  if (status === 0n && logs.length > 0) return "it failed and has logs";
  const created = readAddress(receipt.contractAddress);
  if (created !== undefined && readAddress(transaction.to) !== undefined) return "a call created a contract";
  const used = readQuantity(receipt.gasUsed);
  if (exceeds(used, readQuantity(receipt.cumulativeGasUsed))) return "it used more gas than all until then";
  if (!isProved) return undefined;
  if (exceeds(used, readQuantity(transaction.gas))) return "it used more gas than it had";
  const price = readQuantity(receipt.effectiveGasPrice);
  if (exceeds(price, readQuantity(transaction.maxFeePerGas))) return "it paid more than it offered";
  return undefined;
}

/** The outermost call is the transaction, and fails exactly when that does. */
export function contradictsTrace(
  root: RpcFrame,
  { transaction, receipt }: { transaction: RpcTransaction; receipt: RpcReceipt },
): boolean {
  const status = readQuantity(receipt.status);
  return (
    (transaction.to !== null && differ(readAddress(root.to), readAddress(transaction.to))) ||
    differ(root.input?.toLowerCase(), transaction.input.toLowerCase()) ||
    differ(readQuantity(root.value), readQuantity(transaction.value)) ||
    (status === 1n && root.error !== undefined) ||
    (status === 0n && root.error === undefined)
  );
}

function differ(one: unknown, other: unknown): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function exceeds(value: bigint | undefined, most: bigint | undefined): boolean {
  return value !== undefined && most !== undefined && value > most;
}

function readList(values: unknown): JsonObject[] {
  return Array.isArray(values) ? values.map((value) => readObject(value) ?? {}) : [];
}
