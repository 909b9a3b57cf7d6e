import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createChainlinkPrice } from "../../../src/gather/lookup/price/price.ts";
import { CaseFileError, writeCase } from "../../../src/gather/recordings/case-format.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import {
  addTransaction,
  alice,
  callTrace,
  chainFixture,
  chainMethods,
  tokenAddress,
} from "../../support/rpc-server-chain.ts";
import { handClock, openGatherer } from "../../support/rpc-server-gatherer.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const hash = hashOf(1);
const minute = 60_000;
const feed = toAddress("0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70");

function tracedMethods(chain = chainFixture()) {
  return { ...chainMethods(chain), debug_traceTransaction: () => callTrace };
}

describe("a cold gathering", () => {
  it("takes two round trips and keeps what the decoder reads", async () => {
    const server = await startRpcServer({ methods: tracedMethods() });
    const read = { to: tokenAddress, data: "0x95d89b41" as Hex };
    const gatherer = openGatherer([server.url], {
      price: createChainlinkPrice(feed),
      planLookups: () => ({ tokens: [tokenAddress], reads: [read] }),
    });
    const found = await gatherer.gather(hash);
    expect(server.batches).toEqual([
      ["eth_chainId", "eth_getTransactionByHash", "eth_getTransactionReceipt", "debug_traceTransaction"],
      ["eth_getBlockByNumber", "eth_call", "eth_call", "eth_call", "eth_call", "eth_call"],
    ]);
    expect(Object.keys(found.transaction).sort()).toEqual(
      ["from", "gas", "gasPrice", "hash", "input", "nonce", "to", "transactionIndex", "type", "value"].sort(),
    );
    expect(found.receipt).not.toHaveProperty("logsBloom");
    expect(found.block).toEqual({ number: "0x64", hash: hashOf(0xb10c), timestamp: "0x6553f100" });
    expect(found.trace).toMatchObject({
      source: "debug_traceTransaction",
      root: { from: alice, calls: [{ value: "0x9" }] },
    });
    expect(found.tokens[tokenAddress]).toEqual({
      ...{ status: "found", source: "multicall3@100", symbol: "TKN", name: "Token", decimals: 6, standard: null },
    });
    expect(found.reads).toMatchObject([{ status: "found", source: "multicall3@100", ...read }]);
    // this chain has no such feed, which is an answer
    expect(found.price).toEqual({ status: "absent", source: `chainlink:${feed}`, eth_usd: null });
  });

  it("asks an endpoint for its chain id once", async () => {
    const chain = chainFixture();
    addTransaction(chain, hashOf(2));
    const server = await startRpcServer({ methods: tracedMethods(chain) });
    const gatherer = openGatherer([server.url]);
    await gatherer.gather(hash);
    await gatherer.gather(hashOf(2));
    expect(server.batches.map((batch) => batch.includes("eth_chainId"))).toEqual([true, false, false, false]);
    // the token is known by now
    expect(server.batches[3]).toEqual(["eth_getBlockByNumber"]);
  });

  it("uses latest state where the node has no other, in the same two trips", async () => {
    const server = await startRpcServer({ methods: tracedMethods(chainFixture({ past: null })) });
    const found = await openGatherer([server.url]).gather(hash);
    expect(server.batches).toHaveLength(2);
    expect(found.tokens[tokenAddress]).toMatchObject({ status: "found", source: "multicall3@latest", symbol: "TKN" });
  });

  it("is shared by concurrent callers, and goes on when one of them gives up", async () => {
    const server = await startRpcServer({ methods: tracedMethods() });
    const gatherer = openGatherer([server.url]);
    const gone = new AbortController();
    const [first, second] = [gatherer.gather(hash, gone.signal), gatherer.gather(hash)];
    gone.abort();
    await expect(first).rejects.toMatchObject({ code: "upstream_unavailable" });
    await expect(second).resolves.toMatchObject({ tx_hash: hash });
    expect(server.batches).toHaveLength(2);
  });

  it("ends when the gatherer is closed", async () => {
    const server = await startRpcServer({ methods: tracedMethods() });
    server.fault = "hang";
    const gatherer = openGatherer([server.url], { callTimeoutMs: 60_000, deadlineMs: 60_000 });
    const waiting = gatherer.gather(hash);
    gatherer.close();
    await expect(waiting).rejects.toMatchObject({ code: "upstream_unavailable" });
  });
});

describe("memory", () => {
  it("keeps a settled block for long", async () => {
    const clock = handClock();
    const server = await startRpcServer({ methods: tracedMethods() });
    const gatherer = openGatherer([server.url], { clock });
    await gatherer.gather(hash);
    clock.time += 23 * 60 * minute;
    await gatherer.gather(hash);
    expect(server.batches).toHaveLength(2);
    clock.time += 2 * 60 * minute;
    await gatherer.gather(hash);
    expect(server.batches).toHaveLength(4);
  });

  it("keeps a young block for seconds", async () => {
    const clock = handClock();
    const server = await startRpcServer({
      methods: tracedMethods(chainFixture({ blockTime: clock.time / 1000 - 60 })),
    });
    const gatherer = openGatherer([server.url], { clock });
    await gatherer.gather(hash);
    clock.time += 14_000;
    await gatherer.gather(hash);
    expect(server.batches).toHaveLength(2);
    clock.time += 2_000;
    await gatherer.gather(hash);
    expect(server.batches).toHaveLength(4);
  });

  it("keeps a not-found for seconds and an upstream failure not at all", async () => {
    const clock = handClock();
    const server = await startRpcServer({ methods: chainMethods(chainFixture()) });
    const gatherer = openGatherer([server.url], { clock });
    const unknown = hashOf(99);
    await expect(gatherer.gather(unknown)).rejects.toMatchObject({ code: "transaction_not_found" });
    await expect(gatherer.gather(unknown)).rejects.toMatchObject({ code: "transaction_not_found" });
    expect(server.batches).toHaveLength(1);
    clock.time += 5_000;
    server.fault = "http500";
    await expect(gatherer.gather(unknown)).rejects.toMatchObject({ code: "upstream_unavailable" });
    server.fault = null;
    await expect(gatherer.gather(unknown)).rejects.toMatchObject({ code: "transaction_not_found" });
    expect(server.batches).toHaveLength(3);
  });

  it("does not keep a case in which a source did not answer", async () => {
    const server = await startRpcServer({ methods: tracedMethods() });
    server.fault = (methods) => (methods.includes("eth_call") ? "http500" : null);
    const gatherer = openGatherer([server.url]);
    const poor = await gatherer.gather(hash);
    expect(poor.tokens[tokenAddress]).toMatchObject({ status: "unavailable", decimals: null });
    expect(poor.block).toEqual({ number: "0x64", hash: hashOf(0xb10c) });
    server.fault = null;
    expect((await gatherer.gather(hash)).tokens[tokenAddress]).toMatchObject({ status: "found", decimals: 6 });
  });

  it("asks again for a token that said nothing, after a minute", async () => {
    const clock = handClock();
    const chain = chainFixture({ contracts: new Map([[tokenAddress, () => null]]) });
    for (const n of [2, 3]) addTransaction(chain, hashOf(n));
    const server = await startRpcServer({ methods: tracedMethods(chain) });
    const gatherer = openGatherer([server.url], { clock });
    expect((await gatherer.gather(hash)).tokens[tokenAddress]?.status).toBe("absent");
    await gatherer.gather(hashOf(2));
    expect(server.batches[3]).not.toContain("eth_call");
    clock.time += 2 * minute;
    await gatherer.gather(hashOf(3));
    expect(server.batches[5]).toContain("eth_call");
  });
});

describe("what is no transaction in a block", () => {
  it("is pending without a receipt", async () => {
    const chain = chainFixture();
    chain.transactions.set(hashOf(2), {
      transaction: { ...chain.transactions.get(hash)?.transaction, hash: hashOf(2) },
      receipt: null,
    });
    const server = await startRpcServer({ methods: chainMethods(chain) });
    await expect(openGatherer([server.url]).gather(hashOf(2))).rejects.toMatchObject({
      ...{ code: "transaction_pending", retryAfterSeconds: 1 },
    });
  });

  it("is pending without a block number", async () => {
    const chain = chainFixture();
    addTransaction(chain, hashOf(2), { transaction: { blockNumber: null }, receipt: { blockNumber: null } });
    const server = await startRpcServer({ methods: chainMethods(chain) });
    await expect(openGatherer([server.url]).gather(hashOf(2))).rejects.toMatchObject({ code: "transaction_pending" });
  });
});

describe("recordings", () => {
  it("come before any endpoint", async () => {
    const server = await startRpcServer({ methods: tracedMethods() });
    const dir = mkdtempSync(join(tmpdir(), "cases-"));
    await writeCase(dir, caseFileOf(hash));
    const gatherer = openGatherer([server.url], { recordingsDir: dir });
    expect(await gatherer.gather(hash)).toEqual(caseFileOf(hash));
    expect(server.batches).toEqual([]);
    await expect(gatherer.gather(hashOf(5))).rejects.toMatchObject({ code: "transaction_not_found" });
    expect(server.batches).toHaveLength(1);
  });

  it("are refused when they are of another chain", async () => {
    const dir = mkdtempSync(join(tmpdir(), "cases-"));
    await writeCase(dir, { ...caseFileOf(hash), chain_id: 1 });
    const gatherer = openGatherer([], { recordingsDir: dir });
    await expect(gatherer.gather(hash)).rejects.toThrow(CaseFileError);
    await expect(gatherer.gather(hash)).rejects.toThrow(/\/chain_id is 1$/);
  });

  it("are all there is without endpoints", async () => {
    await expect(openGatherer([]).gather(hash)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("must be in a directory", () => {
    expect(() => openGatherer([], { recordingsDir: join(tmpdir(), "no such directory") })).toThrow(/ENOENT/);
  });
});

describe("the head", () => {
  it("is the newest block that an answer mentioned", async () => {
    const server = await startRpcServer({ methods: tracedMethods() });
    const gatherer = openGatherer([server.url]);
    expect(gatherer.head()).toBeNull();
    await gatherer.gather(hash);
    expect(gatherer.head()).toEqual({ number: 100, timestamp: 1_700_000_000 });
    expect(await gatherer.readHead()).toEqual({ number: 200, timestamp: 1_700_000_200 });
    server.fault = "http500";
    expect(await gatherer.readHead()).toEqual({ number: 200, timestamp: 1_700_000_200 });
    expect(gatherer.head()).toEqual({ number: 200, timestamp: 1_700_000_200 });
  });
});
