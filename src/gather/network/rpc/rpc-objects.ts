import { readAddress } from "../../../kernel/address.ts";
import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import { type Hash, type Hex, readHash, readHex, readQuantity } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { RpcLog, RpcReceipt, RpcTransaction } from "../../../model/case-file.ts";

/** Fields in use, as the node wrote them. undefined: another transaction, or one is missing. */
export function readTransaction(value: unknown, hash: Hash): RpcTransaction | undefined {
  const source = readObject(value);
  if (source === undefined || readHash(source.hash) !== hash) return undefined;
  const amount = readQuantity(source.value);
  const { input = source.data, to = null } = source;
  if (!isAddress(source.from) || !isHex(input) || amount === undefined || !isMaybeAddress(to)) return undefined;
  const { authorizationList: list } = source;
  return {
    ...{ hash, from: source.from, to, value: quantityHex(amount), input },
    ...pick<RpcTransaction>(source, transactionFields),
    ...(Array.isArray(list) ? { authorizationList: list.flatMap(readAuthorization) } : {}),
  };
}

/** As {@link readTransaction}; undefined also for broken logs. */
export function readReceipt(value: unknown, hash: Hash): RpcReceipt | undefined {
  const source = readObject(value);
  if (source === undefined || !Array.isArray(source.logs)) return undefined;
  if (source.transactionHash !== undefined && readHash(source.transactionHash) !== hash) return undefined;
  const logs = source.logs.map((log) => readRpcLog<RpcLog>(log, logFields));
  return logs.every((log) => log !== undefined) ? { ...pick<RpcReceipt>(source, receiptFields), logs } : undefined;
}

/** undefined: without address, topics or data. */
export function readRpcLog<T extends RpcLog>(value: unknown, fields: FieldTests<T>): T | undefined {
  const log = pick<T>(readObject(value) ?? {}, fields);
  return log.address === undefined || log.topics === undefined || log.data === undefined ? undefined : (log as T);
}

export interface Block {
  number: Hex;
  hash?: Hex;
  timestamp?: Hex;
}

/** undefined: not the expected block (the node is behind, or was reorganized), or an impossible number. */
export function readBlock(value: unknown, expected: Partial<Block>): Block | undefined {
  const source = readObject(value);
  const number = readQuantity(source?.number);
  if (source === undefined || number === undefined || number > BigInt(serviceLimits.blockNumberMax)) return undefined;
  if (expected.number !== undefined && number !== BigInt(expected.number)) return undefined;
  const hash = readHash(source.hash);
  if (hash !== undefined && expected.hash !== undefined && hash !== expected.hash) return undefined;
  const timestamp = readQuantity(source.timestamp);
  if (timestamp !== undefined && expected.timestamp !== undefined && timestamp !== BigInt(expected.timestamp))
    return undefined;
  return {
    number: quantityHex(number),
    ...((hash ?? expected.hash) ? { hash: hash ?? expected.hash } : {}),
    ...(timestamp === undefined ? {} : { timestamp: quantityHex(timestamp) }),
  };
}

/** JSON-RPC quantity. */
export function quantityHex(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

export type FieldTests<T> = { readonly [K in keyof T]?: (value: unknown) => boolean };

/** Those that pass, unchanged. */
export function pick<T>(source: JsonObject, tests: FieldTests<T>): Partial<T> {
  const picked: JsonObject = {};
  for (const key in tests) if (tests[key]?.(source[key])) picked[key] = source[key];
  return picked as Partial<T>;
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isAddress(value: unknown): value is string {
  return readAddress(value) !== undefined;
}

/** Whole bytes. */
export function isHex(value: unknown): value is string {
  return readHex(value) !== undefined;
}

/** Such as topics. */
function isHashList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => readHash(item) !== undefined);
}

function isMaybeAddress(value: unknown): value is string | null {
  return value === null || isAddress(value);
}

export const logFields = { address: isAddress, topics: isHashList, data: isHex, logIndex: isText };

const transactionFields = {
  ...{ type: isText, nonce: isText, gas: isText, gasPrice: isText, transactionIndex: isText },
  ...{ sourceHash: isText, mint: isText, blobVersionedHashes: isHashList },
  isSystemTx: (value: unknown) => typeof value === "boolean",
};

const receiptFields = {
  ...{ from: isAddress, to: isMaybeAddress, contractAddress: isMaybeAddress },
  ...{ status: isText, gasUsed: isText, effectiveGasPrice: isText, l1Fee: isText },
  ...{ operatorFeeScalar: isText, operatorFeeConstant: isText, daFootprintGasScalar: isText },
};

type Authorization = NonNullable<RpcTransaction["authorizationList"]>[number];

function readAuthorization(value: unknown): Authorization[] {
  const texts = { chainId: isText, nonce: isText, yParity: isText, r: isText, s: isText };
  const fields = pick<Authorization>(readObject(value) ?? {}, { ...texts, address: isAddress });
  if (fields.chainId === undefined || fields.address === undefined || fields.nonce === undefined) return [];
  return [fields as Authorization];
}
