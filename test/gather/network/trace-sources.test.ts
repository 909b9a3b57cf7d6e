import { describe, expect, it } from "vitest";
import { RpcFault, startRpcServer } from "../../support/rpc-server.ts";
import {
  alice,
  bob,
  callTrace,
  flatTrace,
  startTraceNode as startNode,
  tokenAddress,
} from "../../support/rpc-server-chain.ts";
import { openGatherer } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";

const hash = hashOf(1);

describe("the call tree", () => {
  it("comes from trace_transaction in the second trip where the debug method is missing, later in the first", async () => {
    const node = await startNode({ trace_transaction: () => flatTrace });
    const gatherer = openGatherer([node.url]);
    const found = await gatherer.gather(hash);
    expect(node.batches).toHaveLength(2);
    expect(found.trace).toEqual({
      source: "trace_transaction",
      root: {
        ...{ type: "CALL", from: alice, to: tokenAddress, value: "0x0", input: "0xa9059cbb", output: "0x" },
        calls: [{ type: "CALL", from: tokenAddress, to: bob, value: "0x9", input: "0x", output: "0x" }],
      },
    });
    expect((await gatherer.gather(hashOf(2))).trace.source).toBe("trace_transaction");
    expect(node.batches[2]).toContain("trace_transaction");
    expect(node.batches[3]).not.toContain("trace_transaction");
  });

  it("may fail alone: the call's own error is not the endpoint's", async () => {
    const node = await startNode({
      debug_traceTransaction: () => {
        throw new RpcFault(-32000, "execution timeout");
      },
      trace_transaction: () => flatTrace,
    });
    const gatherer = openGatherer([node.url]);
    expect((await gatherer.gather(hash)).trace.source).toBe("trace_transaction");
    await gatherer.gather(hashOf(2));
    // A timeout of the method says nothing about the next transaction.
    expect(node.batches[2]).not.toContain("trace_transaction");
  });

  it("comes from another endpoint that has it, beside the second trip", async () => {
    const plain = await startNode();
    const tracing = await startNode({ debug_traceTransaction: () => callTrace });
    const found = await openGatherer([plain.url, tracing.url]).gather(hash);
    expect(found.trace.source).toBe("debug_traceTransaction");
    expect([plain.batches.length, tracing.batches.length]).toEqual([2, 1]);
  });

  it("of another sender is not taken", async () => {
    const node = await startNode({ debug_traceTransaction: () => ({ ...callTrace, from: bob }) });
    expect((await openGatherer([node.url]).gather(hash)).trace.source).toBe("none");
  });

  it("is done without where asking for it hangs the endpoint", async () => {
    const node = await startNode({ debug_traceTransaction: () => callTrace });
    node.fault = (methods) => (methods.includes("debug_traceTransaction") ? "hang" : null);
    const found = await openGatherer([node.url], { callTimeoutMs: 400 }).gather(hash);
    expect(found.trace).toEqual({ source: "none", reason: "the trace sources did not answer" });
    expect(found.tokens[tokenAddress]?.status).toBe("found");
  });

  it("is done without where the other form hangs the endpoint", async () => {
    const node = await startNode({ trace_transaction: () => flatTrace });
    node.fault = (methods) => (methods.includes("trace_transaction") ? "hang" : null);
    const found = await openGatherer([node.url], { callTimeoutMs: 400 }).gather(hash);
    expect(found.trace.source).toBe("none");
    expect(found.tokens[tokenAddress]?.status).toBe("found");
  });

  it("is not looked for when 21000 gas show that no code ran", async () => {
    const node = await startNode({ trace_transaction: () => flatTrace }, { gasUsed: "0x5208", logs: [] });
    const explorer = await startRpcServer({ methods: {} });
    const found = await openGatherer([node.url], { blockscoutUrl: explorer.url }).gather(hash);
    expect(found.trace).toEqual({ source: "none", reason: "plain transfer: 21000 gas" });
    expect(node.batches[1]).not.toContain("trace_transaction");
    expect(explorer.visits).toEqual([]);
  });
});

describe("a method that an endpoint lacks", () => {
  it.each([
    [-32601, "the method debug_traceTransaction does not exist/is not available", true],
    [-32004, "unsupported", true],
    [-32000, "debug_traceTransaction is not available on the free plan, upgrade", true],
    [-32600, "This method is restricted", true],
    [-32000, "execution timeout", false],
    [-32000, "transaction not found", false],
    [-32000, "required historical state unavailable", false],
  ])("is known by code %i and words %s", async (code, message, missing) => {
    const node = await startNode({
      debug_traceTransaction: () => {
        throw new RpcFault(code, message);
      },
      trace_transaction: () => flatTrace,
    });
    const gatherer = openGatherer([node.url]);
    await gatherer.gather(hash);
    await gatherer.gather(hashOf(2));
    expect(node.batches[2]?.includes("trace_transaction")).toBe(missing);
  });
});
