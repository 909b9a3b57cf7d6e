import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, parseAbi } from "viem";
import { type Address, toAddress } from "../../src/kernel/address.ts";
import type { Hash, Hex } from "../../src/kernel/hex.ts";
import { RpcFault, type RpcMethods, type RpcServer, startRpcServer } from "./rpc-server.ts";
import { hashOf } from "./sample.ts";

export const multicallAddress = toAddress("0xca11bde05977b3631167028862be2a173976ca11");
export const alice = toAddress(`0x${"a1".repeat(20)}`);
export const bob = toAddress(`0x${"b0".repeat(20)}`);
export const tokenAddress = toAddress(`0x${"70".repeat(20)}`);

/** Return data of a call, or null when it reverts. */
export type ContractCall = (data: Hex) => Hex | null;

export interface ChainFixture {
  chainId: number;
  /** Unix seconds of every block. */
  blockTime: number;
  transactions: Map<Hash, { transaction: object | null; receipt: object | null }>;
  contracts: Map<Address, ContractCall>;
  /** The answers of contracts at the transaction's block. Absent: the same as now. Null: an error. */
  past: Map<Address, ContractCall> | null | undefined;
}

export const blockNumber = "0x64";
export const blockHash = hashOf(0xb10c);

/** A chain with one transaction, hashOf(1): alice calls a token, which logs a transfer. */
export function chainFixture(parts: Partial<ChainFixture> = {}): ChainFixture {
  const chain: ChainFixture = {
    chainId: 8453,
    blockTime: 1_700_000_000,
    transactions: new Map(),
    contracts: new Map([[tokenAddress, tokenContract({ symbol: "TKN", name: "Token", decimals: 6n })]]),
    past: undefined,
    ...parts,
  };
  if (chain.transactions.size === 0) addTransaction(chain, hashOf(1));
  return chain;
}

export function addTransaction(
  chain: ChainFixture,
  hash: Hash,
  parts: { transaction?: object; receipt?: object } = {},
): void {
  const place = { blockNumber, blockHash, transactionIndex: "0x0" };
  const log = {
    address: tokenAddress,
    topics: [transferTopic, pad(alice), pad(bob)],
    data: pad("0x5"),
    logIndex: "0x0",
  };
  chain.transactions.set(hash, {
    transaction: {
      ...{
        ...place,
        hash,
        type: "0x2",
        from: alice,
        to: tokenAddress,
        value: "0x0",
        input: "0xa9059cbb",
        nonce: "0x1",
      },
      ...{ gas: "0x10000", gasPrice: "0x5", v: "0x1", r: "0x2", s: "0x3", accessList: [], ...parts.transaction },
    },
    receipt: {
      ...{ ...place, transactionHash: hash, status: "0x1", from: alice, to: tokenAddress, gasUsed: "0xc350" },
      ...{
        effectiveGasPrice: "0x5",
        l1Fee: "0x7",
        logsBloom: "0x00",
        contractAddress: null,
        logs: [log],
        ...parts.receipt,
      },
    },
  });
}

/** The methods that every node has, answered from a fixture. Tests that need trace methods add them. */
export function chainMethods(chain: ChainFixture): RpcMethods {
  return {
    eth_chainId: () => `0x${chain.chainId.toString(16)}`,
    eth_getTransactionByHash: (hash: Hash) => chain.transactions.get(hash)?.transaction ?? null,
    eth_getTransactionReceipt: (hash: Hash) => chain.transactions.get(hash)?.receipt ?? null,
    eth_getBlockByNumber: (tag: string) => ({
      number: tag === "latest" ? "0xc8" : tag,
      hash: tag === "latest" ? hashOf(0xc8) : blockHash,
      timestamp: `0x${(tag === "latest" ? chain.blockTime + 200 : chain.blockTime).toString(16)}`,
      transactions: [],
    }),
    eth_call: (call: { to: Address; data: Hex }, tag: string) => ethCall(chain, call, tag),
  };
}

export const callTrace = {
  ...{
    type: "CALL",
    from: alice,
    to: tokenAddress,
    value: "0x0",
    gas: "0x10000",
    gasUsed: "0xc350",
    input: "0xa9059cbb",
  },
  calls: [{ type: "CALL", from: tokenAddress, to: bob, value: "0x9", gas: "0x1", gasUsed: "0x1", input: "0x" }],
};

export const flatTrace = [
  {
    ...{
      type: "call",
      traceAddress: [],
      subtraces: 1,
      transactionHash: hashOf(1),
      result: { gasUsed: "0x1", output: "0x" },
    },
    action: { callType: "call", from: alice, to: tokenAddress, value: "0x0", input: "0xa9059cbb", gas: "0x1" },
  },
  {
    ...{
      type: "call",
      traceAddress: [0],
      subtraces: 0,
      transactionHash: hashOf(1),
      result: { gasUsed: "0x0", output: "0x" },
    },
    action: { callType: "call", from: tokenAddress, to: bob, value: "0x9", input: "0x", gas: "0x0" },
  },
];

/** A node with transactions hashOf(1) to hashOf(4) and these trace methods. */
export function startTraceNode(traces: RpcMethods = {}, receipt: object = {}): Promise<RpcServer> {
  const chain = chainFixture();
  for (const n of [1, 2, 3, 4]) addTransaction(chain, hashOf(n), { receipt });
  return startRpcServer({ methods: { ...chainMethods(chain), ...traces } });
}

/** A contract that answers symbol, name and decimals as a token does. */
export function tokenContract(token: { symbol: string; name: string; decimals: bigint }): ContractCall {
  const string = (text: string) => encodeAbiParameters([{ type: "string" }], [text]);
  const answers: Record<string, Hex> = {
    "0x95d89b41": string(token.symbol),
    "0x06fdde03": string(token.name),
    "0x313ce567": pad(`0x${token.decimals.toString(16)}`),
  };
  return (data) => answers[data] ?? null;
}

export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export function pad(hex: string): Hex {
  return `0x${hex.slice(2).padStart(64, "0")}`;
}

function ethCall(chain: ChainFixture, call: { to: Address; data: Hex }, tag: string): Hex {
  if (tag !== "latest" && chain.past === null) throw new RpcFault(-32000, "missing trie node");
  const contracts = (tag === "latest" ? undefined : chain.past) ?? chain.contracts;
  if (call.to !== multicallAddress) {
    const result = contracts.get(call.to)?.(call.data) ?? null;
    if (result === null) throw new RpcFault(3, "execution reverted");
    return result;
  }
  const { args } = decodeFunctionData({ abi: aggregateAbi, data: call.data });
  const result = args[0].map(({ target, callData }) => {
    const contract = contracts.get(toAddress(target));
    const returnData = contract === undefined ? "0x" : contract(callData);
    return { success: returnData !== null, returnData: returnData ?? "0x" };
  });
  return encodeFunctionResult({ abi: aggregateAbi, result });
}

const aggregateAbi = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) payable returns (Result[] results)",
]);
