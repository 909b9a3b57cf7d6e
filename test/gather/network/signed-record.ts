import { type Hex, keccak256, parseTransaction, type TransactionSerializable, toHex, toRlp } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Hash } from "../../../src/kernel/hex.ts";
import {
  alice,
  blockHash,
  blockNumber,
  bob,
  pad,
  tokenAddress,
  transferTopic,
} from "../../support/rpc-server-chain.ts";

// biome-ignore lint/suspicious/noExplicitAny: a lie may change any field in any way.
export type Json = any;

/** What a node tells about one transaction. */
export interface SignedRecord {
  hash: Hash;
  transaction: Json;
  receipt: Json;
  block: Json;
  trace: Json;
}

export type RecordKind = "legacy" | "unprotected" | "eip2930" | "eip1559" | "eip7702" | "deposit" | "creation";

const signer = privateKeyToAccount(`0x${"17".repeat(32)}`);
const signerAddress = signer.address.toLowerCase() as Hex;
const place = { blockNumber, blockHash, transactionIndex: "0x3" };
export const blockTime = "0x6553f100";
const input = `0xa9059cbb${pad(bob).slice(2)}${pad("0x5").slice(2)}` as const;

/** A transaction that is really signed, with a receipt, block and call tree that fit. */
export async function signedRecord(kind: RecordKind = "eip1559"): Promise<SignedRecord> {
  const { hash, fields } = kind === "deposit" ? deposit() : await sign(requestOf(kind));
  const to = kind === "creation" ? null : tokenAddress;
  const from = kind === "deposit" ? alice : signerAddress;
  const logs = [5, 6, 7].map((amount, i) => ({
    ...{ address: tokenAddress, topics: [transferTopic, pad(from), pad(bob)], data: pad(toHex(amount)) },
    ...{ ...place, transactionHash: hash, logIndex: toHex(i + 4), removed: false, blockTimestamp: blockTime },
  }));
  const transaction = { ...fields, ...place, hash, from, to, value: "0x7", input, blockTimestamp: blockTime };
  const receipt = {
    ...{ ...place, transactionHash: hash, from, to, type: fields.type, status: "0x1", gasUsed: "0xc350" },
    ...{ cumulativeGasUsed: "0x20000", effectiveGasPrice: "0x5", contractAddress: to === null ? bob : null, logs },
    logsBloom: bloomOf(logs.flatMap(({ address, topics }) => [address, ...topics] as Hex[])),
  };
  const trace = { type: to === null ? "CREATE" : "CALL", from, to: to ?? bob, value: "0x7", input, output: "0x" };
  const block = { number: blockNumber, hash: blockHash, timestamp: blockTime, transactions: [hash] };
  return { hash, transaction, receipt, block, trace };
}

function requestOf(kind: Exclude<RecordKind, "deposit">): TransactionSerializable {
  const shared = { nonce: 9, gas: 80_000n, to: tokenAddress, value: 7n, data: input } as const;
  const fees = { chainId: 8453, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n } as const;
  const accessList = [{ address: tokenAddress, storageKeys: [pad("0x1"), pad("0x2")] }] as const;
  if (kind === "legacy") return { ...shared, type: "legacy", chainId: 8453, gasPrice: 5n };
  if (kind === "unprotected") return { ...shared, type: "legacy", gasPrice: 5n };
  if (kind === "eip2930") return { ...shared, type: "eip2930", chainId: 8453, gasPrice: 5n, accessList };
  if (kind === "creation") return { ...shared, ...fees, type: "eip1559", to: null };
  if (kind === "eip1559") return { ...shared, ...fees, type: "eip1559", accessList };
  return { ...shared, ...fees, type: "eip7702", accessList: [], authorizationList: [] };
}

async function sign(request: TransactionSerializable): Promise<{ hash: Hash; fields: Json }> {
  const authorizations = await Promise.all(
    [alice, bob].map((address, nonce) => signer.signAuthorization({ chainId: 8453, address, nonce })),
  );
  const whole = request.type === "eip7702" ? { ...request, authorizationList: authorizations } : request;
  const raw = await signer.signTransaction(whole);
  const { r, s, v, yParity } = signatureOf(raw);
  const type = { legacy: "0x0", eip2930: "0x1", eip1559: "0x2", eip7702: "0x4" }[request.type as string];
  const { nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, chainId, accessList } = request as Json;
  const numbers = { nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, chainId };
  const quantities = Object.entries(numbers).filter(([, value]) => value !== undefined);
  return {
    hash: keccak256(raw) as Hash,
    fields: {
      ...Object.fromEntries(quantities.map(([name, value]) => [name, toHex(value)])),
      ...{ type, r, s, v, ...(type !== "0x0" && { yParity, accessList: accessList ?? [] }) },
      ...(type === "0x4" && {
        authorizationList: authorizations.map((one) => ({
          ...{ chainId: toHex(one.chainId), address: one.address, nonce: toHex(one.nonce), r: one.r, s: one.s },
          yParity: toHex(one.yParity as number),
        })),
      }),
    },
  };
}

function signatureOf(raw: Hex) {
  const { r, s, v, yParity } = parseTransaction(raw) as Json;
  return { r, s, v: toHex(v ?? yParity), yParity: yParity === undefined ? undefined : toHex(yParity) };
}

function deposit(): { hash: Hash; fields: Json } {
  const fields = { type: "0x7e", sourceHash: pad("0x77"), mint: "0x7", gas: "0x13880", gasPrice: "0x0", nonce: "0x1" };
  const rlp = toRlp([fields.sourceHash, alice, tokenAddress, "0x07", "0x07", "0x013880", "0x", input]);
  const none = { v: "0x0", r: "0x0", s: "0x0" };
  return { hash: keccak256(`0x7e${rlp.slice(2)}`) as Hash, fields: { ...fields, ...none } };
}

/** The bloom filter of addresses and topics (Yellow Paper, 4.3.1), as a number of 2,048 bits. */
export function bloomOf(values: readonly Hex[]): Hex {
  let bits = 0n;
  for (const value of values)
    for (const at of [2, 6, 10]) bits |= 1n << (BigInt(`0x${keccak256(value).slice(at, at + 4)}`) & 2_047n);
  return toHex(bits, { size: 256 });
}
