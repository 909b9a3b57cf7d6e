import { describe, expect, it } from "vitest";
import { type RpcServer, type ServerFault, startRpcServer } from "../../support/rpc-server.ts";
import { callTrace, chainFixture, chainMethods, tokenAddress } from "../../support/rpc-server-chain.ts";
import { handClock, openGatherer } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";

const hash = hashOf(1);

async function startNode(parts: Parameters<typeof chainFixture>[0] = {}): Promise<RpcServer> {
  return startRpcServer({ methods: { ...chainMethods(chainFixture(parts)), debug_traceTransaction: () => callTrace } });
}

describe("failover", () => {
  const faults: ServerFault[] = ["garbage", "ratelimit", "http500", "refuse-batch", "drop", "hang", "stall"];
  it.each(faults)("goes on to the second endpoint when the first one's fault is %s", async (fault) => {
    const [bad, good] = [await startNode(), await startNode()];
    bad.fault = fault;
    const found = await openGatherer([bad.url, good.url], { callTimeoutMs: 400 }).gather(hash);
    expect(found.trace.source).toBe("debug_traceTransaction");
    expect(found.tokens[tokenAddress]?.status).toBe("found");
    expect(bad.batches).toHaveLength(1);
    expect(good.batches).toHaveLength(2);
  });

  it("goes on when no server is there", async () => {
    const good = await startNode();
    const found = await openGatherer(["http://127.0.0.1:1", good.url]).gather(hash);
    expect(found.tx_hash).toBe(hash);
  });

  it("goes on in the second trip, from where the first one was answered", async () => {
    const [first, second] = [await startNode(), await startNode()];
    first.fault = (methods) => (methods.includes("eth_call") ? "http500" : null);
    const found = await openGatherer([first.url, second.url]).gather(hash);
    expect(found.tokens[tokenAddress]?.status).toBe("found");
    expect([first.batches.length, second.batches.length]).toEqual([2, 1]);
  });

  it("asks a failing endpoint last, until some time has passed", async () => {
    const clock = handClock();
    const chain = { blockTime: clock.time / 1000 - 60 };
    const [bad, good] = [await startNode(chain), await startNode(chain)];
    bad.fault = "http500";
    const gatherer = openGatherer([bad.url, good.url], { clock });
    await gatherer.gather(hash);
    clock.time += 8_000;
    await gatherer.gather(hash).catch(() => undefined);
    expect(bad.batches).toHaveLength(1);
    clock.time += 8_000;
    await gatherer.gather(hash);
    expect(bad.batches).toHaveLength(2);
  });

  it("fails within the deadline when every endpoint hangs, and leaves the gatherer well", async () => {
    const [first, second] = [await startNode(), await startNode()];
    first.fault = second.fault = "hang";
    const gatherer = openGatherer([first.url, second.url], { callTimeoutMs: 120, deadlineMs: 300 });
    const start = performance.now();
    await expect(gatherer.gather(hash)).rejects.toMatchObject({ code: "upstream_unavailable", retryAfterSeconds: 5 });
    expect(performance.now() - start).toBeLessThan(2_000);
    first.fault = second.fault = null;
    await expect(gatherer.gather(hash)).resolves.toMatchObject({ tx_hash: hash });
  });

  it("tells what it has when the deadline comes in the second trip", async () => {
    const node = await startNode();
    node.fault = (methods) => (methods.includes("eth_call") ? "hang" : null);
    const found = await openGatherer([node.url], { callTimeoutMs: 5_000, deadlineMs: 500 }).gather(hash);
    expect(found.tokens[tokenAddress]).toMatchObject({ status: "unavailable", decimals: null });
    expect(found.block).not.toHaveProperty("timestamp");
  });
});

describe("the chain id", () => {
  it("is checked: an endpoint of another chain is refused and not asked again", async () => {
    const clock = handClock();
    const [wrong, right] = [await startNode({ chainId: 1 }), await startNode({ blockTime: clock.time / 1000 })];
    const gatherer = openGatherer([wrong.url, right.url], { clock });
    await gatherer.gather(hash);
    clock.time += 60_000;
    await gatherer.gather(hash);
    expect([wrong.batches.length, right.batches.length]).toEqual([1, 4]);
  });

  it("of the only endpoint being wrong is an upstream failure, never a not-found", async () => {
    const wrong = await startNode({ chainId: 1 });
    const gatherer = openGatherer([wrong.url]);
    for (const asked of [hash, hashOf(77)]) {
      await expect(gatherer.gather(asked)).rejects.toMatchObject({ code: "upstream_unavailable" });
    }
    expect(wrong.batches).toHaveLength(1);
  });
});

describe("not found", () => {
  const unknown = hashOf(77);

  it("needs a clean answer: failures alone are no not-found", async () => {
    const node = await startNode();
    node.fault = "ratelimit";
    await expect(openGatherer([node.url]).gather(unknown)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("is told when one endpoint says so and the others fail", async () => {
    const [bad, good] = [await startNode(), await startNode()];
    bad.fault = "http500";
    const gatherer = openGatherer([bad.url, good.url]);
    await expect(gatherer.gather(unknown)).rejects.toMatchObject({ code: "transaction_not_found" });
  });

  it("of one endpoint is overruled by another that knows", async () => {
    const empty = await startRpcServer({
      methods: {
        ...chainMethods(chainFixture()),
        eth_getTransactionByHash: () => null,
        eth_getTransactionReceipt: () => null,
      },
    });
    const good = await startNode();
    await expect(openGatherer([empty.url, good.url]).gather(hash)).resolves.toMatchObject({ tx_hash: hash });
  });

  it("is not what a node means that has the receipt but not the transaction", async () => {
    const odd = await startRpcServer({
      methods: { ...chainMethods(chainFixture()), eth_getTransactionByHash: () => null },
    });
    await expect(openGatherer([odd.url]).gather(hash)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("is not what a transaction of another hash means", async () => {
    const other = chainFixture().transactions.get(hash)?.transaction;
    const mixed = await startRpcServer({
      methods: { ...chainMethods(chainFixture()), eth_getTransactionByHash: () => other },
    });
    await expect(openGatherer([mixed.url]).gather(unknown)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });
});

describe("a block", () => {
  it("of another hash is not the transaction's: its time is left out and the case is not kept", async () => {
    const reorganized = { number: "0x64", hash: hashOf(0xbad), timestamp: "0x1" };
    const node = await startRpcServer({
      methods: {
        ...chainMethods(chainFixture()),
        debug_traceTransaction: () => callTrace,
        eth_getBlockByNumber: () => reorganized,
      },
    });
    const gatherer = openGatherer([node.url]);
    expect((await gatherer.gather(hash)).block).toEqual({ number: "0x64", hash: hashOf(0xb10c) });
    await gatherer.gather(hash);
    expect(node.batches).toHaveLength(4);
  });
});
