import type { Hex } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBlockCalendar } from "../../../src/kernel/block-calendar.ts";
import type { Parts } from "../../../src/serve/access/parts.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, openMeteredServer } from "../../support/metered-server.ts";
import { type Meddle, startRelay } from "../../support/rpc-relay.ts";
import { claim, settling, signedPayment, startFacilitator } from "./doubted-payment.ts";

const day = 86_400;

/** Rows as older versions wrote them: without the block at which they were opened. */
const forgetBlock = (parts: Parts): Parts => {
  const { openPayment } = parts.ledger;
  const open: typeof openPayment = (row, balance) => openPayment({ ...row, openedBlock: null }, balance);
  return { ...parts, ledger: { ...parts.ledger, openPayment: open } };
};

/** An endpoint that has no state but that of the newest block. */
const stateless =
  (chain: TestChain): Meddle =>
  async ({ method, params }) => {
    if (method !== "eth_call" || params[1] === "latest" || params[1] === "pending") return undefined;
    const newest = await chain.reader.getBlockNumber({ cacheTime: 0 });
    return BigInt(String(params[1])) < newest ? { error: { code: -32_000, message: "missing trie node" } } : undefined;
  };

/** An endpoint that shows the logs of ten blocks at once. */
const narrow: Meddle = ({ method, params }) => {
  const [range] = params as [{ fromBlock?: string; toBlock?: string }];
  if (method !== "eth_getLogs" || Number(range.toBlock) - Number(range.fromBlock) < 10) return undefined;
  return { error: { code: -32_005, message: "a range may have 10 blocks" } };
};

const slowSeconds = 40;

/** A chain that changes from a block every two seconds to five blocks a second, as Base did with Denim. */
describe.skipIf(findAnvil() === undefined)("payments where a second has five blocks", { timeout: 300_000 }, () => {
  let chain: TestChain;
  let relay: Awaited<ReturnType<typeof startRelay>>;
  let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
  let service: MeteredServer;
  /** Settlements that the facilitator was asked for, and has not sent. */
  let held: (() => Promise<object>)[];

  beforeEach(async () => {
    chain = await startChain({ genesis: Math.floor(Date.now() / 1000) - slowSeconds });
    relay = await startRelay(chain.url);
    facilitator = await startFacilitator(chain);
    held = [];
    facilitator.answerWith(
      settling(async (_path, real) => {
        held.push(real);
        return claim(false, "");
      }),
    );
  });
  afterEach(async () => {
    await service?.close();
    await facilitator?.stop();
    await relay?.stop();
    await chain?.stop();
  });

  /**
   * A payment for which the facilitator says that it sent nothing, right before blocks become faster. It is sent with `take`.
   */
  async function openPayment(change: (parts: Parts) => Parts = (parts) => parts) {
    const { timestamp: begin } = await chain.reader.getBlock({ blockNumber: 0n });
    const at = Number(begin);
    const boundary = { fromBlock: BigInt(slowSeconds / 2), ms: 200, at: at + slowSeconds };
    service = await openMeteredServer({
      ...{ rpcUrl: relay.url, facilitator: { kind: "http", url: facilitator.url }, beatMs: 20, change },
      calendar: createBlockCalendar([{ fromBlock: 0n, ms: 2_000, at }, boundary]),
      settings: { freeCallsPerDay: 0 },
    });
    await chain.pass(slowSeconds, 2_000);
    const payment = await signedPayment({ chain, service: () => service });
    expect(await payment.send()).toMatchObject({ status: 503, error: "settlement_pending" });
    expect(await payment.state()).toBe("settling");
    return payment;
  }
  const take = async () => held.shift()?.();
  const outcomes = async () => (await service.access.reconcile(0)).map(({ outcome }) => outcome as string);

  async function passDay(): Promise<void> {
    await chain.control.increaseTime({ seconds: day });
    await chain.control.mine({ blocks: 1 });
    await chain.pass(4, 200);
  }

  it.each<[string, ((parts: Parts) => Parts) | undefined, ((chain: TestChain) => Meddle) | null]>([
    ["", undefined, null],
    [", by an endpoint without old states", undefined, stateless],
    [", by an endpoint that shows few blocks at once", undefined, () => narrow],
    [", from a row of an older version", forgetBlock, null],
    [", from a row of an older version, by an endpoint without old states", forgetBlock, stateless],
  ])("one that nobody wrote down is found a day later%s", async (_name, change, meddle) => {
    const payment = await openPayment(change);
    await chain.pass(20, 200);
    await take();
    await chain.pass(20, 200);
    await passDay();
    relay.meddleWith(meddle?.(chain) ?? null);
    expect(await outcomes()).toEqual(["settled"]);
    expect(await outcomes()).toEqual(["confirmed"]);
    expect(await payment.send()).toMatchObject({ status: 200 });
    expect([await payment.state(), await payment.paid()]).toEqual(["confirmed", 20_000n]);
  });

  it("one that nobody took is lost a day later", async () => {
    const payment = await openPayment();
    await passDay();
    expect(await outcomes()).toEqual(["lost"]);
    expect(await payment.send()).toMatchObject({ status: 402, error: "payment_expired" });
    expect(await payment.paid()).toBe(0n);
  });

  it("one is confirmed after a minute of the chain, not after 30 blocks", async () => {
    const payment = await openPayment();
    await take();
    expect(await outcomes()).toEqual(["settled"]);
    const { transaction } = { ...(await payment.row()) };
    const { blockNumber } = await chain.reader.getTransactionReceipt({ hash: transaction as Hex });
    const { timestamp } = await chain.reader.getBlock({ blockNumber });
    const age = async () => Number((await chain.reader.getBlock()).timestamp - timestamp);
    await chain.pass(40, 200);
    // Where the machine is slow, the clock of the node may have gone on for longer.
    expect(await outcomes()).toEqual((await age()) < 60 ? [] : ["confirmed"]);
    await chain.pass(Math.max(1, 60 - (await age())), 200);
    await outcomes();
    expect(await payment.state()).toBe("confirmed");
  });
});
