import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  type Hex,
  keccak256,
  multicall3Abi,
  toHex,
} from "viem";
import { readRecorded } from "../../bench/support/recorded.ts";
import { type CaseFile, type RpcFrame, upgradeCase } from "../../src/model/case-file.ts";

/** A node whose blocks repeat the recorded transactions. A block is always the same, no matter who asks for it and when. */
export interface ReplayNode {
  url: string;
  /** Calls that it was asked, by method. */
  calls: Map<string, number>;
  /** Called for every call. It may change the answer; null closes the connection; undefined leaves the answer as it is. */
  fault: (call: ReplayCall, answer: unknown) => unknown;
  close(): Promise<void>;
}

export interface ReplayCall {
  id: number;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a node is asked differs by method.
  params: any[];
}

export interface ReplayNodeOptions {
  /** The newest block. */
  last?: number;
  /** Transactions of a block. */
  perBlock?: number;
  port?: number;
  /** These blocks are made and serialized before the first request, as a measurement needs it. */
  prepared?: readonly [first: number, last: number];
}

const cases = readRecorded()
  .map(({ file }) => upgradeCase(file))
  .filter(({ receipt }) => receipt.logs.length < 100)
  .sort((a, b) => (a.tx_hash < b.tx_hash ? -1 : 1));

/** Starts a node on this machine. */
export async function startReplayNode({
  last = 1_000_000,
  perBlock = 4,
  port = 0,
  prepared = [0, -1],
}: ReplayNodeOptions = {}): Promise<ReplayNode> {
  const state: ReplayNode = { url: "", calls: new Map(), fault: () => undefined, close: async () => {} };
  const remembered = new Map<number, ReplayBlock>();
  const blockOf = (number: number): ReplayBlock | undefined => {
    if (number > last) return undefined;
    const made = remembered.get(number) ?? makeBlock(number, perBlock);
    // Those of one range, for several workers at once.
    if (remembered.size > Math.max(400, prepared[1] - prepared[0] + 1)) remembered.clear();
    remembered.set(number, made);
    return made;
  };
  const answer = ({ method, params }: ReplayCall): unknown => {
    if (method === "eth_chainId") return "0x2105";
    if (method === "eth_blockNumber") return toHex(last);
    if (method === "eth_call") return params[1] === "latest" ? undefined : callContract(params[0].data);
    const block = blockOf(Number(params[0]));
    if (method === "eth_getBlockByNumber") return block === undefined ? null : block.block;
    if (method === "eth_getBlockReceipts") return block === undefined ? null : block.receipts;
    if (method === "debug_traceBlockByNumber") return block?.traces;
    return undefined;
  };
  for (let number = prepared[0]; number <= prepared[1]; number++) {
    const { block, receipts, traces } = blockOf(number) as ReplayBlock;
    for (const part of [block, receipts, traces]) textOf(part);
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const calls = [JSON.parse(Buffer.concat(chunks).toString())].flat() as ReplayCall[];
    const answers: Buffer[] = [];
    for (const call of calls) {
      state.calls.set(call.method, (state.calls.get(call.method) ?? 0) + 1);
      const plain = answer(call);
      const changed = state.fault(call, plain);
      if (changed === null) return request.socket.destroy();
      answers.push(answers.length === 0 ? opening : comma, ...toResponse(call, changed ?? plain));
    }
    response.setHeader("content-type", "application/json").cork();
    for (const part of [...answers, closing]) response.write(part);
    response.uncork();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
}

const [opening, comma, end, closing] = ["[", ",", "}", "]"].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];

function toResponse({ id, method }: ReplayCall, result: unknown): Buffer[] {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  if (result !== undefined) return [Buffer.from(`${head}"result":`), textOf(result), end];
  const error = { code: -32601, message: `the method ${method} does not exist/is not available` };
  return [Buffer.from(`${head}"error":${JSON.stringify(error)}`), end];
}

/** What was serialized once is kept with its object. */
const texts = new WeakMap<object, Buffer>();

function textOf(value: unknown): Buffer {
  if (value === null || typeof value !== "object") return Buffer.from(JSON.stringify(value));
  const text = texts.get(value) ?? Buffer.from(JSON.stringify(value));
  texts.set(value, text);
  return text;
}

interface ReplayBlock {
  block: { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; gasUsed: Hex; transactions: object[] };
  receipts: object[];
  traces: object[];
}

const hashOfBlock = (number: number): Hex => keccak256(toHex(`block ${number}`));
/** The transaction in this place of this block. */
export const replayedHash = (number: number, index: number): Hex => keccak256(toHex(`transaction ${number}.${index}`));

function makeBlock(number: number, perBlock: number): ReplayBlock {
  const place = { blockNumber: toHex(number), blockHash: hashOfBlock(number) };
  let logIndex = 0;
  let gas = 0n;
  const made = Array.from({ length: perBlock }, (_, index) => {
    const file = cases[(number * perBlock + index) % cases.length] as CaseFile;
    const hash = replayedHash(number, index);
    const at = { ...place, transactionIndex: toHex(index) };
    gas += BigInt(file.receipt.gasUsed ?? "0x5208");
    const logs = file.receipt.logs.map((log) => ({
      ...log,
      ...at,
      transactionHash: hash,
      logIndex: toHex(logIndex++),
    }));
    return {
      transaction: { ...file.transaction, ...at, hash, chainId: "0x2105" },
      receipt: { ...file.receipt, ...at, transactionHash: hash, cumulativeGasUsed: toHex(gas), logs },
      trace: { txHash: hash, result: frameOf(file) },
    };
  });
  return {
    block: {
      ...{ number: place.blockNumber, hash: place.blockHash, parentHash: hashOfBlock(number - 1), gasUsed: toHex(gas) },
      ...{ timestamp: toHex(1_686_789_347 + 2 * number), transactions: made.map(({ transaction }) => transaction) },
    },
    receipts: made.map(({ receipt }) => receipt),
    traces: made.map(({ trace }) => trace),
  };
}

/** For a recording without a call tree: its outermost call, made from the transaction. */
function frameOf({ trace, transaction }: CaseFile): RpcFrame {
  if ("root" in trace) return trace.root;
  const { from, to, value, input } = transaction;
  return { type: to === null ? "CREATE" : "CALL", from, ...(to !== null && { to }), value, input };
}

/** What contracts answered in the recordings. */
const returns = new Map<string, Hex>(
  cases.flatMap(({ reads, tokens }) => [
    ...reads.flatMap(({ to, data, result }): [string, Hex][] => (result === null ? [] : [[`${to} ${data}`, result]])),
    ...Object.entries(tokens).flatMap(([token, { symbol, name, decimals }]): [string, Hex][] => [
      ...(symbol === null ? [] : [[`${token} 0x95d89b41`, text(symbol)] as [string, Hex]]),
      ...(name === null ? [] : [[`${token} 0x06fdde03`, text(name)] as [string, Hex]]),
      ...(decimals === null ? [] : [[`${token} 0x313ce567`, toHex(decimals, { size: 32 })] as [string, Hex]]),
    ]),
  ]),
);

function text(value: string): Hex {
  return encodeAbiParameters([{ type: "string" }], [value]);
}

const aggregate3 = [multicall3Abi[0]] as const;

/** Only Multicall3 has code. A call that no recording contains reverts. */
function callContract(data: Hex): Hex | undefined {
  if (!data.startsWith("0x82ad56cb")) return "0x";
  const known = aggregates.get(data) ?? aggregate(data);
  if (aggregates.size > 1_000) aggregates.clear();
  aggregates.set(data, known);
  return known;
}

/** Blocks repeat the same transactions, so the same calls are asked again and again. */
const aggregates = new Map<Hex, Hex>();

function aggregate(data: Hex): Hex {
  const { args } = decodeFunctionData({ abi: aggregate3, data });
  const result = args[0].map(({ target, callData }) => {
    const found = returns.get(`${target.toLowerCase()} ${callData}`);
    return { success: found !== undefined, returnData: found ?? "0x" } as const;
  });
  return encodeFunctionResult({ abi: aggregate3, functionName: "aggregate3", result });
}
