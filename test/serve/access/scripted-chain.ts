import { custom, encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex, pad, toEventSelector, toHex } from "viem";
import { type BlockCalendar, createBlockCalendar } from "../../../src/kernel/block-calendar.ts";
import { openTokenChain } from "../../../src/serve/access/payment/token-chain.ts";
import { hashOf } from "../../support/sample.ts";

export const asset: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
export const payer: Hex = `0x${"a1".repeat(20)}`;
export const payTo: Hex = `0x${"b0".repeat(20)}`;
export const stranger: Hex = `0x${"c4".repeat(20)}`;
export const nonce = hashOf(5);
export const transaction = hashOf(6);
const usedTopic = toEventSelector("AuthorizationUsed(address,bytes32)");

/** What a chain says. It has a block every two seconds, unless `timeOf` says otherwise. */
export interface ChainSays {
  /** Time and number of the newest block. */
  time: number;
  head?: number;
  timeOf?: (block: number) => number;
  /** What the calendar says; unless given, the same as the chain. */
  calendar?: BlockCalendar;
  used?: boolean;
  /** The block from which on the authorization is used. Null: the chain has no state of old blocks. */
  usedFrom?: number | null;
  /** Block and first topic of the log that tells of the use. */
  log?: { block: number; topic?: Hex };
  /** More blocks than this are refused in one question for logs. */
  rangeMax?: number;
  receipt?: ReceiptSays | null | "refused";
}

/** The transfer that goes with the use. `before`, `after`: other uses and transfers in the same transaction. */
interface ReceiptSays {
  token?: Hex;
  from?: Hex;
  to?: Hex;
  amount?: bigint;
  nonce?: Hex;
  before?: LogSays[];
  after?: LogSays[];
}

export type LogSays = { use: Hex } | { amount: bigint; token?: Hex; from?: Hex; to?: Hex };

/** A log as a receipt has it. */
function logOf(says: LogSays) {
  const place = { blockNumber: "0x1", transactionHash: transaction, logIndex: "0x0" };
  if ("use" in says) return { ...place, address: asset, topics: [usedTopic, pad(payer), says.use], data: "0x" };
  const { amount, token = asset, from = payer, to = payTo } = says;
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from, to } });
  return { ...place, address: token, topics, data: encodeAbiParameters([{ type: "uint256" }], [amount]) };
}

/** A chain that answers as the test says. It notes in which blocks it was searched for logs, and which headers and states were read. */
export function chainOf(says: ChainSays) {
  const {
    time,
    head = 10_400,
    used = false,
    usedFrom = 0,
    log,
    rangeMax = Number.POSITIVE_INFINITY,
    receipt = {},
  } = says;
  const everyTwo = createBlockCalendar([{ fromBlock: 0n, ms: 2_000, at: time - 2 * head }]);
  const { timeOf = (block: number) => everyTwo.timeAt(BigInt(block)), calendar = everyTwo } = says;
  const [searched, headers, states]: [[number, number][], number[], number[]] = [[], [], []];
  const refuse = (text: string): never => {
    throw Object.assign(new Error(text), { code: -32_000 });
  };
  const answers: Record<string, (params: never) => unknown> = {
    eth_getBlockByNumber: ([at]: string[]) => {
      const number = at === "latest" ? head : Number(at);
      if (at !== "latest") headers.push(number);
      return { number: toHex(number), timestamp: toHex(timeOf(number)), transactions: [] };
    },
    eth_call: ([, at]: [unknown, Hex]) => {
      states.push(Number(at));
      if (usedFrom === null && Number(at) < head) refuse("missing trie node");
      return toHex(BigInt(used && Number(at) >= (usedFrom ?? 0)), { size: 32 });
    },
    eth_getLogs: ([{ fromBlock, toBlock }]: [{ fromBlock: Hex; toBlock: Hex }]) => {
      const [from, to] = [Number(fromBlock), Number(toBlock)];
      if (to - from >= rangeMax) refuse("too many blocks");
      searched.push([from, to]);
      if (log === undefined || log.block < from || log.block > to) return [];
      return [{ topics: [log.topic ?? usedTopic], transactionHash: transaction }];
    },
    eth_getTransactionReceipt: () => {
      if (receipt === "refused") return refuse("no");
      if (receipt === null) return null;
      const { before = [], after = [], amount = 5n, nonce: use = nonce, ...parties } = receipt;
      return {
        status: "0x1",
        from: stranger.replaceAll("c4", "C4"),
        blockNumber: toHex(log?.block ?? 10_100),
        transactionHash: transaction,
        logs: [...before, { use }, { amount, ...parties }, ...after].map(logOf),
      };
    },
  };
  const request = async ({ method, params }: { method: string; params: unknown }) => answers[method]?.(params as never);
  const transport = custom({ request }, { retryCount: 0 });
  return { chain: openTokenChain({ transport, asset, calendar }), searched, headers, states };
}
