import fc from "fast-check";
import { decodeFunctionData, encodeAbiParameters, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import {
  type ChainlinkPrice,
  createChainlinkPrice,
  type PriceAnswers,
} from "../../../src/gather/lookup/price/price.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import { callTrace, chainFixture, chainMethods, pad } from "../../support/rpc-server-chain.ts";
import { openGatherer } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";

const feed = toAddress("0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70");
const time = 1_700_000_000;
const eight = pad("0x8");
const words = ["uint80", "int256", "uint256", "uint256", "uint80"].map((type) => ({ type }));

function round(parts: { id?: bigint; answer?: bigint; updatedAt: number }): Hex {
  const { id = (5n << 64n) | 7n, answer = 205_012_345_678n, updatedAt } = parts;
  return encodeAbiParameters(words, [id, answer, BigInt(updatedAt), BigInt(updatedAt), id]);
}

const feedAbi = parseAbi(["function getRoundData(uint80 id)", "function latestRoundData()", "function decimals()"]);

/** A feed whose phases hold the times of their rounds, from round 1 on. The price of a round is its phase and number. */
function feedOf(phases: Record<number, number[]>) {
  let trips = 0;
  const last = Math.max(...Object.keys(phases).map(Number));
  const roundOf = (phase: number, number: number): Hex | null => {
    const updatedAt = phases[phase]?.[number - 1];
    if (updatedAt === undefined) return null;
    const id = (BigInt(phase) << 64n) | BigInt(number);
    return round({ id, answer: BigInt(phase) * 10n ** 15n + BigInt(number) * 10n ** 8n, updatedAt });
  };
  const call = (data: Hex): Hex | null => {
    const { functionName, args } = decodeFunctionData({ abi: feedAbi, data });
    if (functionName === "decimals") return eight;
    if (functionName === "latestRoundData") return roundOf(last, phases[last]?.length ?? 0);
    return roundOf(Number(args[0] >> 64n), Number(args[0] & (2n ** 64n - 1n)));
  };
  const read: PriceAnswers["read"] = async (reads) => {
    trips++;
    expect(reads.length).toBeLessThan(400);
    return reads.map(({ data }) => call(data));
  };
  return { call, read, latest: roundOf(last, phases[last]?.length ?? 0) as Hex, trips: () => trips };
}

/** Works without the state of the block: only the feed's history is left. */
function settleFrom(source: ReturnType<typeof feedOf>, blockTime: number) {
  const { latest, read } = source;
  const answers = ["failed", latest, eight] as const;
  return createChainlinkPrice(feed).settle({ answers, blockTime, read, signal: AbortSignal.timeout(10_000) });
}

const noRead: PriceAnswers["read"] = () => Promise.reject(new Error("asked for history"));

function settle(answers: PriceAnswers["answers"], blockTime: number | null = time) {
  return createChainlinkPrice(feed).settle({ answers, blockTime, read: noRead, signal: AbortSignal.timeout(10_000) });
}

const evenly = (count: number, start: number, step: number) =>
  Array.from({ length: count }, (_, i) => start + i * step);

describe("the price at the block", () => {
  it("is exact", async () => {
    const answers = [round({ updatedAt: time - 600 }), "failed", eight] as const;
    expect(await settle(answers)).toEqual({
      status: "found",
      source: `chainlink:${feed}@block`,
      eth_usd: "2050.12345678",
    });
    expect(await settle([round({ updatedAt: time }), "failed", eight])).toMatchObject({ status: "found" });
    expect(await settle([round({ updatedAt: time - 86_400 }), "failed", eight])).toMatchObject({ status: "found" });
  });

  it("follows the feed's decimals and never assumes them", async () => {
    const price = [round({ updatedAt: time, answer: 5n * 10n ** 18n }), "failed"] as const;
    expect(await settle([...price, pad("0x12")])).toMatchObject({ eth_usd: "5" });
    for (const decimals of ["failed", "reverted", pad("0x4e"), "0x12"] as const) {
      expect(await settle([...price, decimals])).toMatchObject({ status: "unavailable", eth_usd: null });
    }
  });

  it.each([
    ["older than a day", { updatedAt: time - 86_401 }],
    ["zero", { updatedAt: time, answer: 0n }],
    ["negative", { updatedAt: time, answer: -1n }],
  ])("is inconclusive when it is %s", async (_name, parts) => {
    expect(await settle([round(parts), "failed", eight])).toMatchObject({ status: "inconclusive", eth_usd: null });
  });

  it.each([
    ["no answer", ["failed", "failed", "failed"], time, "unavailable"],
    ["a feed that is not there", ["reverted", "reverted", "reverted"], time, "absent"],
    ["answers that are no rounds", ["0x01", "0x", eight], time, "unavailable"],
    ["a round that does not exist", [round({ updatedAt: 0 }), "failed", eight], time, "unavailable"],
    ["an unknown block time", [round({ updatedAt: time }), "failed", eight], null, "unavailable"],
  ] as const)("with %s is not found", async (_name, answers, blockTime, status) => {
    expect(await settle(answers, blockTime)).toMatchObject({ status, eth_usd: null });
  });

  it("asks for the decimals until they were told", async () => {
    const price = createChainlinkPrice(feed);
    expect(price.calls().map(({ at }) => at)).toEqual(["block", "latest", "latest"]);
    const rest = { blockTime: time, read: noRead, signal: AbortSignal.timeout(10_000) };
    await price.settle({ ...rest, answers: [round({ updatedAt: time }), "failed", eight] });
    expect(price.calls()).toHaveLength(2);
    expect(await price.settle({ ...rest, answers: [round({ updatedAt: time }), "failed"] })).toMatchObject({
      eth_usd: "2050.12345678",
    });
  });
});

describe("the price in the feed's history", () => {
  const long = feedOf({ 1: [time], 2: evenly(150_000, time, 600) });

  it("is that of the last round before the block", async () => {
    const source = feedOf({ 3: evenly(10, time, 100) });
    expect(await settleFrom(source, time + 449)).toEqual({
      ...{ status: "found", source: `chainlink:${feed}@round ${(3n << 64n) | 5n}`, eth_usd: "30000005" },
    });
    expect(await settleFrom(source, time + 500)).toMatchObject({ eth_usd: "30000006" });
    expect(await settleFrom(source, time)).toMatchObject({ eth_usd: "30000001" });
    expect(await settleFrom(source, time + 5_000)).toMatchObject({ eth_usd: "30000010" });
  });

  it("is taken when a node answers for the block with a round that came after it", async () => {
    const { latest, read } = feedOf({ 1: evenly(10, time, 100) });
    const price = createChainlinkPrice(feed);
    const signal = AbortSignal.timeout(10_000);
    const found = await price.settle({ answers: [latest, latest, eight], blockTime: time + 250, read, signal });
    expect(found).toMatchObject({ status: "found", eth_usd: "10000003" });
  });

  it("takes three trips in years of rounds", async () => {
    const before = long.trips();
    expect(await settleFrom(long, time + 600 * 77_776 + 5)).toMatchObject({ eth_usd: "20077777" });
    expect(long.trips() - before).toBe(3);
  });

  it("reaches into earlier phases", async () => {
    const source = feedOf({
      1: evenly(5_000, time, 600),
      2: evenly(9_000, time + 4e6, 600),
      3: evenly(50, time + 1e7, 600),
    });
    expect(await settleFrom(source, time + 600 * 1_233)).toMatchObject({ eth_usd: "10001234" });
    expect(await settleFrom(source, time + 4e6 + 600 * 8_191)).toMatchObject({ eth_usd: "20008192" });
    expect(await settleFrom(source, time + 1e7 + 30)).toMatchObject({ eth_usd: "30000001" });
    expect(source.trips()).toBeLessThanOrEqual(12);
  });

  it("is absent before the first round, and inconclusive in a gap of more than a day", async () => {
    const source = feedOf({ 1: [time, time + 300_000] });
    expect(await settleFrom(source, time - 1)).toMatchObject({ status: "absent", eth_usd: null });
    expect(await settleFrom(source, time + 200_000)).toMatchObject({ status: "inconclusive", eth_usd: null });
  });

  it("is unavailable when the search gets no answer", async () => {
    const { latest } = feedOf({ 1: evenly(10, time, 100) });
    const price = createChainlinkPrice(feed, { historyMs: 20 });
    const read: PriceAnswers["read"] = (_reads, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    const found = await price.settle({
      ...{ answers: ["failed", latest, eight], blockTime: time + 50, read, signal: new AbortController().signal },
    });
    expect(found).toMatchObject({ status: "unavailable", eth_usd: null });
  });

  it("agrees with looking at every round, in at most four trips", async () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 3_000 });
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(1_000), async (gaps, permille) => {
        let at = time;
        const times = gaps.map((gap) => {
          at += gap;
          return at;
        });
        const source = feedOf({ 2: times });
        const asked = (times[0] ?? 0) + Math.floor(((at - (times[0] ?? 0)) * permille) / 1_000);
        const expected = times.findLastIndex((t) => t <= asked) + 1;
        expect(await settleFrom(source, asked)).toMatchObject({ status: "found", eth_usd: `${20_000_000 + expected}` });
        expect(source.trips()).toBeLessThanOrEqual(4);
      }),
      { numRuns: 60 },
    );
  });
});

describe("with a node", () => {
  // Fits the gatherer's interface without knowing it.
  const price: ChainlinkPrice = createChainlinkPrice(feed);

  it("comes with the two trips where the node has the block's state", async () => {
    const { call } = feedOf({ 1: evenly(10, time - 950, 100) });
    const chain = chainFixture({ contracts: new Map([[feed, call]]) });
    const server = await startRpcServer({
      methods: { ...chainMethods(chain), debug_traceTransaction: () => callTrace },
    });
    const found = await openGatherer([server.url], { price }).gather(hashOf(1));
    expect(found.price).toEqual({ status: "found", source: `chainlink:${feed}@block`, eth_usd: "10000010" });
    expect(server.batches).toHaveLength(2);
  });

  it("comes from the history, through Multicall3, where it has not", async () => {
    const { call } = feedOf({ 1: evenly(1_000, time - 950, 100) });
    const chain = chainFixture({ contracts: new Map([[feed, call]]), past: null });
    const server = await startRpcServer({
      methods: { ...chainMethods(chain), debug_traceTransaction: () => callTrace },
    });
    const found = await openGatherer([server.url], { price: createChainlinkPrice(feed) }).gather(hashOf(1));
    expect(found.price).toMatchObject({ status: "found", eth_usd: "10000010" });
    expect(server.batches.length).toBeLessThanOrEqual(5);
    expect(server.batches.slice(2).flat()).toEqual(server.batches.slice(2).map(() => "eth_call"));
  });
});
