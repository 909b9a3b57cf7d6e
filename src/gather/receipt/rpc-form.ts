import { type JsonObject, readObject } from "../../kernel/canonical.ts";
import { quantityHex } from "../network/rpc/rpc-objects.ts";

/** Of libraries; the first present counts. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  input: ["data"],
  gas: ["gasLimit"],
  transactionIndex: ["index"],
};

/** EIP-2718 and OP Stack deposits, in viem's and rule examples' words. */
export const transactionTypes: Readonly<Record<string, string>> = {
  legacy: "0x0",
  eip2930: "0x1",
  eip1559: "0x2",
  eip4844: "0x3",
  eip7702: "0x4",
  deposit: "0x7e",
};

const statuses: Readonly<Record<string, string>> = { success: "0x1", reverted: "0x0" };

const transactionQuantities = [
  ...["value", "nonce", "gas", "gasPrice", "transactionIndex", "mint"],
  ...["blockNumber", "chainId"],
];
const transactionTexts = [
  ...["hash", "from", "to", "input", "sourceHash", "isSystemTx", "blobVersionedHashes"],
  "blockHash",
];

/** viem, ethers v6 or JSON-RPC; unread fields are left out. */
export function toRpcTransaction(source: JsonObject): JsonObject {
  const list = source.authorizationList;
  return {
    ...copy(source, transactionTexts, asIs),
    ...copy(source, transactionQuantities, toQuantity),
    type: typeOf(source),
    ...(Array.isArray(list) ? { authorizationList: list.map(toRpcAuthorization) } : {}),
  };
}

const receiptQuantities = [
  ...["gasUsed", "effectiveGasPrice", "l1Fee", "operatorFeeScalar", "operatorFeeConstant", "daFootprintGasScalar"],
  "blockNumber",
];
const receiptTexts = ["transactionHash", "from", "to", "contractAddress", "blockHash"];

/** ethers: `gasPrice`, `hash`. */
export function toRpcReceipt(source: JsonObject): JsonObject {
  const { status, logs } = source;
  const { effectiveGasPrice = source.gasPrice, transactionHash = source.hash } = source;
  return {
    ...copy({ ...source, transactionHash }, receiptTexts, asIs),
    ...copy({ ...pickOwn(source, receiptQuantities), effectiveGasPrice }, receiptQuantities, toQuantity),
    status: typeof status === "string" ? (statuses[status] ?? status) : toQuantity(status),
    logs: Array.isArray(logs) ? logs.map(toRpcLog) : logs,
  };
}

export function toRpcBlock(source: JsonObject): JsonObject {
  return { ...copy(source, ["number", "timestamp"], toQuantity), ...copy(source, ["hash"], asIs) };
}

/** undefined: no number, bigint or text. */
export function toQuantity(value: unknown): unknown {
  if (typeof value === "bigint" && value >= 0n) return quantityHex(value);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return quantityHex(BigInt(value));
  return typeof value === "string" ? value : undefined;
}

function toRpcLog(value: unknown): unknown {
  const log = readObject(value);
  if (log === undefined) return value;
  const { address, topics, data, logIndex = log.index } = log;
  const place = toQuantity(logIndex);
  return { address, topics, data, ...(place === undefined ? {} : { logIndex: place }) };
}

/** ethers: r, s, parity in an object; old viem: `contractAddress`. */
function toRpcAuthorization(value: unknown): unknown {
  const source = readObject(value);
  if (source === undefined) return value;
  const { r, s, yParity } = readObject(source.signature) ?? source;
  const address = source.address ?? source.contractAddress;
  return { address, ...copy({ ...pickOwn(source, ["chainId", "nonce"]), r, s, yParity }, signed, toQuantity) };
}

const signed = ["chainId", "nonce", "r", "s", "yParity"];

function typeOf({ type, typeHex }: JsonObject): unknown {
  if (typeof typeHex === "string") return typeHex;
  return typeof type === "string" ? (transactionTypes[type] ?? type) : toQuantity(type);
}

function asIs(value: unknown): unknown {
  return value;
}

/** Spreading misses getters of a class. */
function pickOwn(source: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, source[name]]));
}

function copy(source: JsonObject, names: readonly string[], convert: (value: unknown) => unknown): JsonObject {
  const made: JsonObject = {};
  for (const name of names) {
    const found = [name, ...(otherNames[name] ?? [])].find((one) => source[one] !== undefined);
    const value = found === undefined ? undefined : convert(source[found]);
    if (value !== undefined) made[name] = value;
  }
  return made;
}
