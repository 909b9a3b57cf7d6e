import { custom, encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex, pad, toEventSelector, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { openTokenChain } from "../../src/access/payment/token-chain.ts";
import { hashOf } from "../support/sample.ts";

const asset: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const payer: Hex = `0x${"a1".repeat(20)}`;
const payTo: Hex = `0x${"b0".repeat(20)}`;
const stranger: Hex = `0x${"c4".repeat(20)}`;
const nonce = hashOf(5);
const transaction = hashOf(6);
const validBefore = 10_000;
const opened = { openedAt: 9_000, openedBlock: 10_000, transaction: null };
const payment = { payer, nonce, payTo, amount: 5n, validBefore, ...opened };
const usedTopic = toEventSelector("AuthorizationUsed(address,bytes32)");

interface ChainSays {
  /** Time and number of the newest block. */
  time: number;
  head?: number;
  used?: boolean;
  /** The block from which on the authorization is used. Null: the chain has no state of old blocks. */
  usedFrom?: number | null;
  /** Block and first topic of the log that tells of the use. */
  log?: { block: number; topic?: Hex };
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

type LogSays = { use: Hex } | { amount: bigint; token?: Hex; from?: Hex; to?: Hex };

/** A log as a receipt has it. */
function logOf(says: LogSays) {
  const place = { blockNumber: "0x1", transactionHash: transaction, logIndex: "0x0" };
  if ("use" in says) return { ...place, address: asset, topics: [usedTopic, pad(payer), says.use], data: "0x" };
  const { amount, token = asset, from = payer, to = payTo } = says;
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from, to } });
  return { ...place, address: token, topics, data: encodeAbiParameters([{ type: "uint256" }], [amount]) };
}

/** A chain that answers as the test says, with a block every two seconds. It notes which blocks were searched for logs. */
function chainOf({ time, head = 10_400, used = false, usedFrom = 0, log, receipt = {} }: ChainSays) {
  const searched: [number, number][] = [];
  const timeOf = (number: number) => toHex(time - 2 * (head - number));
  const answers: Record<string, (params: never) => unknown> = {
    eth_getBlockByNumber: ([at]: string[]) => {
      const number = at === "latest" ? head : Number(at);
      return { number: toHex(number), timestamp: timeOf(number), transactions: [] };
    },
    eth_call: ([, at]: [unknown, Hex]) => {
      if (usedFrom === null && Number(at) < head)
        throw Object.assign(new Error("missing trie node"), { code: -32_000 });
      return toHex(BigInt(used && Number(at) >= (usedFrom ?? 0)), { size: 32 });
    },
    eth_getLogs: ([{ fromBlock, toBlock }]: [{ fromBlock: Hex; toBlock: Hex }]) => {
      const [from, to] = [Number(fromBlock), Number(toBlock)];
      searched.push([from, to]);
      if (log === undefined || log.block < from || log.block > to) return [];
      return [{ topics: [log.topic ?? usedTopic], transactionHash: transaction }];
    },
    eth_getTransactionReceipt: () => {
      if (receipt === "refused") throw Object.assign(new Error("no"), { code: -32_000 });
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
  return { chain: openTokenChain({ transport, asset }), searched };
}

const read = (says: ChainSays, row: { openedBlock?: null; transaction?: Hex } = {}) =>
  chainOf(says).chain.readAuthorization({ ...payment, ...row });

describe("an authorization that is not used", () => {
  it.each([
    [validBefore - 1, { state: "open" }],
    [validBefore + 30, { state: "open" }],
    [validBefore + 31, { state: "lost", reason: "payment_expired" }],
  ])("at %d seconds of the chain", async (time, state) => {
    expect(await read({ time })).toEqual(state);
  });

  it("is not judged by an endpoint that is behind the block at which it was opened", async () => {
    await expect(read({ time: 9_900, head: 9_999 })).rejects.toMatchObject({ code: "payments_unavailable" });
    await expect(read({ time: validBefore + 30, head: 9_999 })).rejects.toMatchObject({ code: "payments_unavailable" });
    expect(await read({ time: validBefore, head: 10_000 })).toEqual({ state: "open" });
    expect(await read({ time: validBefore, head: 0 }, { openedBlock: null })).toEqual({ state: "open" });
  });
});

describe("an authorization whose row has a wrong block, as an endpoint gave it", () => {
  const late = { ...payment, validBefore: 2_000_000 };
  const says = { time: 2_000_100, head: 500_000 };
  const far = { ...late, openedBlock: 1e12 };

  it("is judged after it expired by the chain's time, even if its block lies in the future", async () => {
    const before = chainOf({ ...says, time: 2_000_030 }).chain;
    await expect(before.readAuthorization(far)).rejects.toMatchObject({ code: "payments_unavailable" });
    const lost = { state: "lost", reason: "payment_expired" };
    expect(await chainOf({ ...says, time: 2_000_031 }).chain.readAuthorization(far)).toEqual(lost);
    const seen = chainOf({ ...says, used: true, log: { block: 499_950 } });
    expect(await seen.chain.readAuthorization(far)).toMatchObject({ state: "settled", transaction, sender: stranger });
  });

  it("is searched from the time since which it could be used, no matter which block the row has", async () => {
    // One day before the authorization expires, counted with one block for each second, and a small margin.
    const earliest = says.head - 86_500 - 150;
    for (const [openedBlock, from] of [
      [1e12, earliest],
      [0, earliest],
      [499_000, 498_985],
    ] as const) {
      const { chain, searched } = chainOf({ ...says, used: true, log: { block: says.head } });
      expect(await chain.readAuthorization({ ...late, openedBlock })).toMatchObject({ state: "settled" });
      expect(searched[0]?.[0]).toBe(from);
    }
  });
});

it("the search for a use ends, no matter which blocks an endpoint gives", async () => {
  const { chain, searched } = chainOf({ time: 8e9, head: 4e9, used: true });
  const row = { ...payment, validBefore: 6e9, openedBlock: 1e9 };
  expect(await chain.readAuthorization(row)).toEqual({ state: "unclear" });
  expect(searched).toHaveLength(64);
});

describe("an authorization that is used", () => {
  const canceled = { state: "lost", reason: "authorization_canceled" };

  it("is settled by the transfer to us, told with its sender, its depth and the time of the chain", async () => {
    const settled = { state: "settled", transaction, sender: stranger, depth: 300, time: 9_900 };
    expect(await read({ time: 9_900, used: true, log: { block: 10_100 } })).toEqual(settled);
    // The payer may also pay us for something else in the same transaction.
    const other: LogSays[] = [{ use: hashOf(9) }, { amount: 9n }];
    const mixed = { before: [{ amount: 3n, token: stranger }, ...other], after: other };
    expect(await read({ time: 9_900, used: true, log: { block: 10_100 }, receipt: mixed })).toEqual(settled);
  });

  it("is settled by its own transfer alone: one transfer pays for one authorization", async () => {
    const log = { block: 10_100 };
    // The same transaction uses two authorizations: one pays us, and the other pays nobody.
    const nothing = { before: [{ use: hashOf(9) }, { amount: 5n }], amount: 0n, to: payer };
    expect(await read({ time: 9_900, used: true, log, receipt: nothing })).toEqual(canceled);
    const late = { amount: 0n, to: payer, after: [{ use: hashOf(9) }, { amount: 5n }] };
    expect(await read({ time: 9_900, used: true, log, receipt: late })).toEqual(canceled);
  });

  it("is read from the transaction that is known to have used it, no matter which logs the endpoint has", async () => {
    const settled = { state: "settled", transaction, sender: stranger, depth: 300, time: 90_000 };
    const known = chainOf({ time: 90_000, used: true });
    expect(await known.chain.readAuthorization({ ...payment, transaction })).toEqual(settled);
    expect(known.searched).toEqual([]);
    // Where that transaction is gone or concerns another authorization, the logs decide.
    expect(await read({ time: 9_900, used: true, receipt: null }, { transaction })).toEqual({ state: "unclear" });
    const elsewhere = chainOf({ time: 9_900, used: true, receipt: { nonce: hashOf(9) } });
    expect(await elsewhere.chain.readAuthorization({ ...payment, transaction })).toEqual({ state: "unclear" });
    expect(elsewhere.searched).toHaveLength(1);
  });

  it("is unclear if a log shows a use that the receipt does not show", async () => {
    for (const receipt of [null, { nonce: hashOf(9) }])
      expect(await read({ time: 9_900, used: true, log: { block: 10_100 }, receipt })).toEqual({ state: "unclear" });
  });

  it("is not judged by an endpoint that refuses to show the receipt", async () => {
    const { chain } = chainOf({ time: 9_900, used: true, log: { block: 10_100 }, receipt: "refused" });
    await expect(chain.readAuthorization(payment)).rejects.toMatchObject({ code: "payments_unavailable" });
  });

  it.each<[string, Omit<ChainSays, "time" | "used">]>([
    ["it was canceled", { log: { block: 10_100, topic: toEventSelector("AuthorizationCanceled(address,bytes32)") } }],
    ["another token moved", { log: { block: 10_100 }, receipt: { token: stranger } }],
    ["another amount moved", { log: { block: 10_100 }, receipt: { amount: 4n } }],
    ["somebody else paid", { log: { block: 10_100 }, receipt: { from: stranger } }],
    ["somebody else was paid", { log: { block: 10_100 }, receipt: { to: stranger } }],
  ])("is lost when %s", async (_name, says) => {
    expect(await read({ time: 9_900, used: true, ...says })).toEqual(canceled);
  });

  it("is unclear for ever when no log tells of a use while it was valid", async () => {
    expect(await read({ time: validBefore, used: true })).toEqual({ state: "unclear" });
    // Two hours after the authorization expired. In the block in which it expired it was already used, or the chain does not know.
    const later = { time: validBefore + 7_200, head: 13_600, used: true };
    expect(await read(later)).toEqual({ state: "unclear" });
    expect(await read({ ...later, usedFrom: null })).toEqual({ state: "unclear" });
  });

  it("is lost when it was used only after it could pay", async () => {
    const later = { time: validBefore + 7_200, head: 13_600, used: true };
    expect(await read({ ...later, usedFrom: 11_985 })).toEqual(canceled);
    expect(await read({ ...later, usedFrom: 11_984 })).toEqual({ state: "unclear" });
  });

  it("is sought from 15 blocks before it was opened, 2,000 blocks at a time, until it could not be used any more", async () => {
    const near = chainOf({ time: 9_900, used: true, head: 13_000 });
    await near.chain.readAuthorization(payment);
    expect(near.searched).toEqual([
      [9_985, 11_984],
      [11_985, 13_000],
    ]);
    const exact = chainOf({ time: 9_900, used: true, head: 11_985 });
    await exact.chain.readAuthorization(payment);
    expect(exact.searched).toEqual([
      [9_985, 11_984],
      [11_985, 11_985],
    ]);
    // Block 11,984 is 30 seconds after the end, and then 32.
    const open = chainOf({ time: validBefore + 30 + 2 * (20_000 - 11_984), used: true, head: 20_000 });
    await open.chain.readAuthorization(payment);
    expect(open.searched).toHaveLength(2);
    const over = chainOf({ time: validBefore + 32 + 2 * (20_000 - 11_984), used: true, head: 20_000 });
    await over.chain.readAuthorization(payment);
    expect(over.searched).toHaveLength(1);
  });

  it("is searched by time if the block is not known, and from the first block at the earliest", async () => {
    const timed = chainOf({ time: 9_801, used: true });
    await timed.chain.readAuthorization({ ...payment, openedBlock: null, openedAt: 9_000 });
    expect(timed.searched[0]).toEqual([10_400 - 401 - 150, 10_400]);
    const ahead = chainOf({ time: 9_000, used: true });
    await ahead.chain.readAuthorization({ ...payment, openedBlock: null, openedAt: 9_900 });
    expect(ahead.searched[0]).toEqual([10_400 - 150, 10_400]);
    const young = chainOf({ time: 9_000, used: true, head: 20 });
    await young.chain.readAuthorization({ ...payment, openedBlock: 15 });
    expect(young.searched).toEqual([[0, 20]]);
    const second = chainOf({ time: 9_000, used: true, head: 20 });
    await second.chain.readAuthorization({ ...payment, openedBlock: 16 });
    expect(second.searched).toEqual([[1, 20]]);
  });
});
