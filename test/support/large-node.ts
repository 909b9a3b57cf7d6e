import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, keccak256, pad, parseTransaction, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** A node whose transactions are as large as a test wants. Each is really signed, and is in an old block of its own. */
export interface LargeNode {
  url: string;
  /** Hashes of so many new transactions with so many logs each. */
  make(logs: number, count: number): Promise<Hex[]>;
  /** How many transactions were asked for. */
  asked: number;
  /** While it is set, questions for transactions of this many logs or more are not answered. */
  hangsFrom: number;
  close(): void;
}

const account = privateKeyToAccount(pad("0x1"));
const hostile: Hex = `0x${"0b".repeat(20)}`;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

interface Made {
  transaction: object;
  logs: number;
  place: { blockNumber: Hex; blockHash: Hex; transactionIndex: Hex };
}

/** Starts a node on this machine. Its largest answers are written as parts that are made once. */
export async function startLargeNode(): Promise<LargeNode> {
  const made = new Map<string, Made>();
  const texts = new Map<number, { receipt: Buffer; trace: Buffer }>();
  const textsOf = (count: number) => {
    const known = texts.get(count) ?? textsOfLogs(count);
    texts.set(count, known);
    return known;
  };

  function write(response: ServerResponse, { id, method, params }: Call): void {
    const say = (result: unknown) => response.write(JSON.stringify({ jsonrpc: "2.0", id, result }));
    const found = made.get(String(params[0]));
    if (method === "eth_chainId") say("0x2105");
    else if (method === "eth_blockNumber") say("0x3000000");
    else if (method === "eth_getBlockByNumber") say(blockOf(params[0] === "latest" ? "0x3000000" : String(params[0])));
    else if (method === "eth_getTransactionByHash") say(found?.transaction ?? null);
    else if (method === "eth_getTransactionReceipt" && found === undefined) say(null);
    else if (method === "eth_getTransactionReceipt" && found !== undefined) {
      const own = { ...receiptOf(String(params[0])), ...found.place };
      response.write(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(own).slice(0, -1)},"logs":`);
      response.write(textsOf(found.logs).receipt);
      response.write("}}");
    } else if (method === "debug_traceTransaction" && found !== undefined) {
      response.write(`{"jsonrpc":"2.0","id":${id},"result":`);
      response.write(textsOf(found.logs).trace);
      response.write("}");
    } else response.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: 3, message: "execution reverted" } }));
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    const calls = [asked].flat();
    const sizes = calls.map(({ params }) => made.get(String(params[0]))?.logs ?? 0);
    node.asked += calls.filter(({ method }) => method === "eth_getTransactionByHash").length;
    if (sizes.some((size) => size >= node.hangsFrom)) return;
    response.setHeader("content-type", "application/json");
    if (!Array.isArray(asked)) write(response, asked);
    else {
      for (const [place, call] of calls.entries()) {
        response.write(place === 0 ? "[" : ",");
        write(response, call);
      }
      response.write("]");
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const node: LargeNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: 0,
    hangsFrom: Number.POSITIVE_INFINITY,
    async make(logs, count) {
      const hashes: Hex[] = [];
      for (let nth = 0; nth < count; nth++) {
        const { hash, ...rest } = await sign(made.size);
        made.set(hash, { ...rest, logs });
        hashes.push(hash);
      }
      return hashes;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return node;
}

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

async function sign(nonce: number): Promise<Omit<Made, "logs"> & { hash: Hex }> {
  const bare = {
    type: "eip1559" as const,
    ...{ chainId: 8453, nonce, gas: 30_000_000n, to: hostile, value: 0n },
    data: "0x4e71d92d" as Hex,
    ...{ maxFeePerGas: 1_000_000n, maxPriorityFeePerGas: 1_000n },
  };
  const raw = await account.signTransaction(bare);
  const { r, s, yParity } = parseTransaction(raw) as { r: Hex; s: Hex; yParity: number };
  const hash = keccak256(raw);
  const block = blockOf(toHex(0x2000000 + nonce));
  const place = { blockNumber: block.number, blockHash: block.hash, transactionIndex: "0x0" } as const;
  const transaction = {
    ...{ hash, type: "0x2", chainId: "0x2105", nonce: toHex(nonce), gas: toHex(bare.gas), to: hostile, value: "0x0" },
    ...{ input: bare.data, from: account.address.toLowerCase(), accessList: [], r, s, yParity: toHex(yParity) },
    ...{ v: toHex(yParity), maxFeePerGas: toHex(bare.maxFeePerGas), gasPrice: "0xf4240" },
    ...{ maxPriorityFeePerGas: toHex(bare.maxPriorityFeePerGas), ...place, blockTimestamp: block.timestamp },
  };
  return { hash, transaction, place };
}

function blockOf(number: string) {
  const hash = keccak256(toHex(`block ${Number(number)}`));
  return { number: toHex(Number(number)), hash, timestamp: "0x68000000", baseFeePerGas: "0xf4240", transactions: [] };
}

function receiptOf(transactionHash: string) {
  const from = account.address.toLowerCase();
  return {
    ...{ transactionHash, status: "0x1", type: "0x2", from, to: hostile, contractAddress: null, l1Fee: "0x1" },
    ...{ gasUsed: "0x1000000", cumulativeGasUsed: "0x1000000", effectiveGasPrice: "0xf4240", logsBloom: "0x00" },
  };
}

/** Transfers of many tokens by the sender: the receipt's logs, and the call that wrote them. */
function textsOfLogs(count: number): { receipt: Buffer; trace: Buffer } {
  const from = account.address.toLowerCase() as Hex;
  const logs = Array.from({ length: count }, (_, nth) => ({
    address: pad(toHex(0x70000 + (nth % 3_000)), { size: 20 }),
    topics: [transferTopic, pad(from), pad(toHex(0xc0ffee + nth))],
    data: pad(toHex(1_000 + nth)),
    ...{ logIndex: toHex(nth), transactionIndex: "0x0", removed: false },
  }));
  const inner = {
    type: "CALL",
    from: hostile,
    to: hostile,
    value: "0x0",
    gas: "0x1",
    gasUsed: "0x1",
    input: "0x12345678",
  };
  const root = { ...inner, from, input: "0x4e71d92d", calls: [{ ...inner, logs }] };
  return { receipt: Buffer.from(JSON.stringify(logs)), trace: Buffer.from(JSON.stringify(root)) };
}
