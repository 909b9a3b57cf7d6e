import { readAddress } from "../../kernel/address.ts";
import { type Hash, type Hex, readHash, readHex, readQuantity } from "../../kernel/hex.ts";
import type { RpcLog, RpcReceipt, RpcTransaction } from "../../model/case-file.ts";
import { type JsonObject, readObject } from "../http/json-object.ts";

/** Keeps what the decoder reads, as the node wrote it; undefined when it is not the transaction of this hash or lacks its core. */
export function readTransaction(value: unknown, hash: Hash): RpcTransaction | undefined {
  const source = readObject(value);
  if (source === undefined || readHash(source.hash) !== hash) return undefined;
  const input = source.input ?? source.data;
  const amount = readQuantity(source.value);
  if (!isAddress(source.from) || !isHex(input) || amount === undefined || !isMaybeAddress(source.to ?? null)) {
    return undefined;
  }
  const transaction: RpcTransaction = {
    hash,
    from: source.from,
    to: isAddress(source.to) ? source.to : null,
    value: quantityHex(amount),
    input,
    ...pickStrings(source, transactionFields),
  };
  if (typeof source.isSystemTx === "boolean") transaction.isSystemTx = source.isSystemTx;
  if (isHashList(source.blobVersionedHashes)) transaction.blobVersionedHashes = source.blobVersionedHashes;
  if (Array.isArray(source.authorizationList)) {
    transaction.authorizationList = source.authorizationList.flatMap(readAuthorization);
  }
  return transaction;
}

/** As {@link readTransaction}; a receipt without its logs, or with a broken one, is no receipt. */
export function readReceipt(value: unknown, hash: Hash): RpcReceipt | undefined {
  const source = readObject(value);
  if (source === undefined || !Array.isArray(source.logs)) return undefined;
  if (source.transactionHash !== undefined && readHash(source.transactionHash) !== hash) return undefined;
  const logs = source.logs.map(readLog);
  if (!logs.every((log) => log !== undefined)) return undefined;
  const receipt: RpcReceipt = { ...pickStrings(source, receiptFields), logs };
  if (isAddress(source.from)) receipt.from = source.from;
  if (isMaybeAddress(source.to)) receipt.to = source.to;
  if (isMaybeAddress(source.contractAddress)) receipt.contractAddress = source.contractAddress;
  return receipt;
}

export interface Block {
  number: Hex;
  hash?: Hex;
  timestamp?: Hex;
}

/** Keeps number, hash and time; undefined when it is another block than the one asked for (a node that lags or was reorganized). */
export function readBlock(value: unknown, expected: { number?: Hex; hash?: Hex }): Block | undefined {
  const source = readObject(value);
  const number = readQuantity(source?.number);
  if (source === undefined || number === undefined) return undefined;
  if (expected.number !== undefined && number !== BigInt(expected.number)) return undefined;
  const hash = readHash(source.hash);
  if (hash !== undefined && expected.hash !== undefined && hash !== expected.hash) return undefined;
  const timestamp = readQuantity(source.timestamp);
  return {
    number: quantityHex(number),
    ...((hash ?? expected.hash) ? { hash: hash ?? expected.hash } : {}),
    ...(timestamp === undefined ? {} : { timestamp: quantityHex(timestamp) }),
  };
}

/** A JSON-RPC quantity: no leading zeros. */
export function quantityHex(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

const transactionFields = ["type", "nonce", "gas", "gasPrice", "transactionIndex", "sourceHash", "mint"] as const;
const receiptFields = [
  "status",
  "gasUsed",
  "effectiveGasPrice",
  "l1Fee",
  "operatorFeeScalar",
  "operatorFeeConstant",
  "daFootprintGasScalar",
] as const;

function readLog(value: unknown): RpcLog | undefined {
  const source = readObject(value);
  if (source === undefined || !isAddress(source.address) || !isHashList(source.topics) || !isHex(source.data)) {
    return undefined;
  }
  const log: RpcLog = { address: source.address, topics: source.topics, data: source.data };
  if (typeof source.logIndex === "string") log.logIndex = source.logIndex;
  return log;
}

type Authorization = NonNullable<RpcTransaction["authorizationList"]>[number];

function readAuthorization(value: unknown): Authorization[] {
  const source = readObject(value);
  const fields = source && pickStrings(source, ["chainId", "address", "nonce", "yParity", "r", "s"] as const);
  if (fields?.chainId === undefined || !isAddress(fields.address) || fields.nonce === undefined) return [];
  return [fields as Authorization];
}

function pickStrings<K extends string>(source: JsonObject, keys: readonly K[]): Partial<Record<K, string>> {
  const picked: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const value = source[key];
    if (typeof value === "string") picked[key] = value;
  }
  return picked;
}

/** Text of an address, as it was written. */
export function isAddress(value: unknown): value is string {
  return readAddress(value) !== undefined;
}

/** Text of whole bytes of hex, as it was written. */
export function isHex(value: unknown): value is string {
  return readHex(value) !== undefined;
}

/** Texts of 32-byte words, as a log's topics are. */
export function isHashList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => readHash(item) !== undefined);
}

function isMaybeAddress(value: unknown): value is string | null {
  return value === null || isAddress(value);
}
