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
const payment = { payer, nonce, payTo, amount: 5n, validBefore, openedAt: 9_000, openedBlock: 10_000 };
const usedTopic = toEventSelector("AuthorizationUsed(address,bytes32)");

interface ChainSays {
  /** Time and number of the newest block. */
  time: number;
  head?: number;
  used?: boolean;
  /** Block and first topic of the log that tells of the use. */
  log?: { block: number; topic?: Hex };
  receipt?: { status?: Hex; token?: Hex; from?: Hex; to?: Hex; amount?: bigint; more?: bigint };
}

/** A chain that answers what the test says, with a block every two seconds. Notes which blocks were searched for logs. */
function chainOf({ time, head = 10_400, used = false, log, receipt = {} }: ChainSays) {
  const searched: [number, number][] = [];
  const timeOf = (number: number) => toHex(time - 2 * (head - number));
  const answers: Record<string, (params: never) => unknown> = {
    eth_getBlockByNumber: ([at]: string[]) => {
      const number = at === "latest" ? head : Number(at);
      return { number: toHex(number), timestamp: timeOf(number), transactions: [] };
    },
    eth_call: () => toHex(BigInt(used), { size: 32 }),
    eth_getLogs: ([{ fromBlock, toBlock }]: [{ fromBlock: Hex; toBlock: Hex }]) => {
      const [from, to] = [Number(fromBlock), Number(toBlock)];
      searched.push([from, to]);
      if (log === undefined || log.block < from || log.block > to) return [];
      return [{ topics: [log.topic ?? usedTopic], transactionHash: transaction }];
    },
    eth_getTransactionReceipt: () => {
      const { status = "0x1", token = asset, from = payer, to = payTo, amount = 5n, more } = receipt;
      const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from, to } });
      const amounts = more === undefined ? [amount] : [amount, more];
      const datas = amounts.map((one) => encodeAbiParameters([{ type: "uint256" }], [one]));
      const place = { blockNumber: toHex(log?.block ?? 0), transactionHash: transaction, logIndex: "0x0" };
      return {
        status,
        from: stranger.replaceAll("c4", "C4"),
        ...place,
        logs: datas.map((data) => ({ address: token, topics, data, ...place })),
      };
    },
  };
  const transport = custom({ request: async ({ method, params }) => answers[method]?.(params as never) });
  return { chain: openTokenChain({ transport, asset }), searched };
}

const read = (says: ChainSays, row: Partial<typeof payment> | { openedBlock: null } = {}) =>
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
    await expect(read({ time: 11_000, head: 9_999 })).rejects.toMatchObject({ code: "payments_unavailable" });
    expect(await read({ time: validBefore, head: 10_000 })).toEqual({ state: "open" });
    expect(await read({ time: validBefore, head: 0 }, { openedBlock: null })).toEqual({ state: "open" });
  });
});

describe("an authorization that is used", () => {
  it("is settled by the transfer to us, told with its sender and depth", async () => {
    const settled = { state: "settled", transaction, sender: stranger, depth: 300 };
    expect(await read({ time: 9_900, used: true, log: { block: 10_100 } })).toEqual(settled);
    // The payer may pay us something else in the same transaction.
    expect(await read({ time: 9_900, used: true, log: { block: 10_100 }, receipt: { more: 9n } })).toEqual(settled);
  });

  const canceled = { state: "lost", reason: "authorization_canceled" };
  it.each<[string, Omit<ChainSays, "time" | "used">]>([
    ["it was canceled", { log: { block: 10_100, topic: toEventSelector("AuthorizationCanceled(address,bytes32)") } }],
    ["the transaction failed", { log: { block: 10_100 }, receipt: { status: "0x0" } }],
    ["another token moved", { log: { block: 10_100 }, receipt: { token: stranger } }],
    ["another amount moved", { log: { block: 10_100 }, receipt: { amount: 4n } }],
    ["somebody else paid", { log: { block: 10_100 }, receipt: { from: stranger } }],
    ["somebody else was paid", { log: { block: 10_100 }, receipt: { to: stranger } }],
  ])("is lost when %s", async (_name, says) => {
    expect(await read({ time: 9_900, used: true, ...says })).toEqual(canceled);
  });

  it("is unclear for an hour when no log tells of it", async () => {
    expect(await read({ time: validBefore + 3_600, used: true })).toEqual({ state: "unclear" });
    expect(await read({ time: validBefore + 3_601, used: true })).toEqual(canceled);
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

  it("is sought by time where the block is not known, and from the first block at the earliest", async () => {
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

describe("what a chain says of a payer", () => {
  const away = { code: "payments_unavailable", retryAfterSeconds: 5 };

  /** A chain with the answer of each method; what has none fails. Notes what it is asked. */
  function chainWith(answers: Record<string, (params: unknown[]) => unknown>) {
    const asked: unknown[][] = [];
    const transport = custom(
      {
        request: async ({ method, params }: { method: string; params: unknown[] }) => {
          asked.push([method, ...(params ?? [])]);
          const answer = answers[method];
          if (answer === undefined) throw Object.assign(new Error("no"), { code: -32_000 });
          return answer(params);
        },
      },
      { retryCount: 0 },
    );
    return { chain: openTokenChain({ transport, asset }), asked };
  }
  const block = () => ({ number: "0x4d", timestamp: "0x1", transactions: [] });

  it("is the use of the authorization and the balance, at one block", async () => {
    const { chain, asked } = chainWith({
      eth_getBlockByNumber: block,
      eth_call: ([call]) => toHex((call as { data: string }).data.startsWith("0x70a08231") ? 500n : 1n, { size: 32 }),
    });
    expect(await chain.look({ payer, nonce })).toEqual({ block: 77, used: true, balance: 500n });
    const calls = asked.slice(1) as [string, { to: Hex; data: Hex }, Hex][];
    expect(calls.map(([method, { to }, at]) => [method, to, at])).toEqual(Array(2).fill(["eth_call", asset, "0x4d"]));
    const words = [payer, nonce].map((word) => pad(word as Hex).slice(2));
    expect(new Set(calls.map(([, { data }]) => data.slice(10)))).toEqual(new Set([words.join(""), words[0]]));
  });

  it("is whether its contract signed, where it is one", async () => {
    const signed = { address: payer, message: "text", signature: "0xabab" as Hex };
    const none = chainWith({ eth_getCode: () => "0x" });
    expect(await none.chain.isSignedBy(signed)).toBe(false);
    expect(none.asked).toEqual([["eth_getCode", payer, "latest"]]);
    const yes = chainWith({ eth_getCode: () => "0x01", eth_call: () => "0x01" });
    expect(await yes.chain.isSignedBy(signed)).toBe(true);
    const no = chainWith({ eth_getCode: () => "0x01", eth_call: () => "0x00" });
    expect(await no.chain.isSignedBy(signed)).toBe(false);
  });

  it("is its newest block, and what it has for gas", async () => {
    const { chain, asked } = chainWith({ eth_getBlockByNumber: block, eth_getBalance: () => "0x7" });
    expect([await chain.head(), await chain.gasBalance(payer)]).toEqual([77, 7n]);
    expect(asked).toEqual([
      ["eth_getBlockByNumber", "latest", false],
      ["eth_getBalance", payer, "latest"],
    ]);
  });

  it("is nothing while no endpoint answers", async () => {
    const { chain } = chainWith({});
    const signed = { address: payer, message: "text", signature: "0xabab" as Hex };
    const asking = [chain.look({ payer, nonce }), chain.head(), chain.gasBalance(payer), chain.isSignedBy(signed)];
    for (const one of [...asking, chain.readAuthorization(payment)]) await expect(one).rejects.toMatchObject(away);
    const silent = chainWith({ eth_getBlockByNumber: block }).chain.look({ payer, nonce });
    await expect(silent).rejects.toMatchObject(away);
  });

  it("is sought by payer and nonce among uses and cancellations", async () => {
    const { chain, asked } = chainWith({
      ...{ eth_getBlockByNumber: () => ({ ...block(), number: "0x2800" }), eth_getLogs: () => [] },
      eth_call: () => toHex(1n, { size: 32 }),
    });
    await chain.readAuthorization(payment);
    const canceled = toEventSelector("AuthorizationCanceled(address,bytes32)");
    const topics = [[usedTopic, canceled], pad(payer), nonce];
    expect(asked.at(-1)).toEqual(["eth_getLogs", { address: asset, topics, fromBlock: "0x2701", toBlock: "0x2800" }]);
  });
});
