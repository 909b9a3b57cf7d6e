import { describe, expect, it, onTestFinished } from "vitest";
import { openLookup } from "../../../src/gather/lookup/lookup.ts";
import { openNetwork } from "../../../src/gather/network/network.ts";
import { createPreviewer } from "../../../src/gather/preview/preview.ts";
import { readPreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { RpcFault, type RpcMethods, type RpcServer, startRpcServer } from "../../support/rpc-server.ts";
import { alice, bob, multicallAddress } from "../../support/rpc-server-chain.ts";
import { hashOf } from "../../support/sample.ts";
import { engine } from "./preview-world.ts";

const frame = { type: "CALL", from: alice, to: bob, value: "0x5", gas: "0x5208", gasUsed: "0x5208", input: "0x" };

/** A node like geth: it knows the newest block and accounts, and the methods that a test adds. */
function startNode(methods: RpcMethods): Promise<RpcServer> {
  return startRpcServer({
    methods: {
      eth_chainId: () => "0x2105",
      eth_getBlockByNumber: (tag: string) => ({
        ...{ number: tag === "latest" ? "0xc8" : tag, hash: hashOf(0xc8), timestamp: "0x65000000" },
        ...{ baseFeePerGas: "0x4c4b40", gasLimit: "0x11e1a300", mixHash: hashOf(7), miner: bob },
      }),
      eth_getTransactionCount: () => "0x7",
      eth_getBalance: () => "0xde0b6b3a7640000",
      eth_getCode: () => "0x",
      ...methods,
    },
  });
}

async function previewOver(...nodes: RpcServer[]) {
  const rpcUrls = nodes.map(({ url }) => url);
  const network = openNetwork({ chainId: 8453, rpcUrls, callTimeoutMs: 2_000, blockscoutUrl: null });
  const lookUp = openLookup({ network, multicall: multicallAddress, price: null, lookUpRisk: null, clock: Date });
  const plan = (draft: Parameters<typeof engine.planLookups>[0]) => engine.planLookups(draft);
  const stages = { plan, lookUp, decide: engine.decide };
  const previewer = createPreviewer({
    pool: network.pool,
    stages,
    l1FeeOracle: null,
    calendar: engine.labels.calendar,
    deadlineMs: 10_000,
  });
  onTestFinished(() => {
    previewer.close();
    network.close();
  });
  const ask = async (value = "5") =>
    (await previewer.preview(readPreviewRequest({ from: alice, to: bob, value }))).preview;
  return { ask, health: () => network.health() };
}

const methodsOf = ({ batches }: RpcServer) => batches.flat().filter((name) => /debug|simulate/.test(name));

describe("endpoints", () => {
  it("that trace are asked in two manners, pinned to the newest block", async () => {
    const asked: unknown[][] = [];
    const node = await startNode({
      debug_traceCall: (...params: unknown[]) => {
        asked.push(params);
        return frame;
      },
    });
    const { ask, health } = await previewOver(node);
    expect(await ask()).toMatchObject({
      outcome: "success",
      simulation: { method: "debug_traceCall", block_number: 200 },
    });
    const [real, bare] = asked as [[Record<string, string>, string, Record<string, never>], typeof asked];
    expect(real?.[1]).toBe("0xc8");
    expect(real?.[0]).toMatchObject({ nonce: "0x7", gas: "0x989680", maxPriorityFeePerGas: "0xf4240" });
    expect(real?.[2]).toMatchObject({
      tracerConfig: { withLog: true },
      blockOverrides: { number: "0xc9", time: "0x65000002", feeRecipient: bob, prevRandao: hashOf(7) },
    });
    expect(bare?.[0]).not.toHaveProperty("maxFeePerGas");
    // It has no eth_simulateV1, and is not asked for it again.
    expect(methodsOf(node)).toHaveLength(4);
    await ask("6");
    expect(methodsOf(node).slice(4)).toEqual(["debug_traceCall", "debug_traceCall"]);
    expect(health()[0]?.troubles).toMatchObject([{ capability: "eth_simulateV1", reason: "missing" }]);
  });

  it("that can do neither make way for one that can", async () => {
    const [poor, rich] = [await startNode({}), await startNode({ debug_traceCall: () => frame })];
    const { ask } = await previewOver(poor, rich);
    expect(await ask()).toMatchObject({ outcome: "success", simulation: { method: "debug_traceCall" } });
  });

  it("that can do neither are answered from the calldata if there is no other endpoint", async () => {
    const { ask } = await previewOver(await startNode({}));
    const told = await ask();
    expect(told).toMatchObject({ outcome: "not_simulated", simulation: { method: "none", block_number: 200 } });
    expect(told.notes.map(({ code }) => code)).toEqual(["method_missing", "method_missing", "not_simulated"]);
  });

  it.each([
    ["no call tree", () => ({ type: "CALL" })],
    ["the tree of somebody else", () => ({ ...frame, from: bob })],
    [
      "an error of its own",
      () => {
        throw new RpcFault(-32603, "internal error");
      },
    ],
  ])("that answer %s are not believed", async (_, debug_traceCall) => {
    const node = await startNode({
      debug_traceCall,
      eth_simulateV1: () => [{ calls: [{ status: "0x1", logs: "none" }] }],
    });
    const told = await (await previewOver(node)).ask();
    expect(told.outcome).toBe("not_simulated");
    expect(told.notes.map(({ code }) => code)).toEqual(["method_failed", "method_failed", "not_simulated"]);
  });

  it.each([
    [-38010, "nonce too low", "nonce was used"],
    [-38013, "intrinsic gas too low", "before any code runs"],
    [-38014, "insufficient funds for gas * price + value", "cannot pay"],
    [-32003, "Out of gas: gas required exceeds allowance: insufficient funds", "cannot pay"],
    [-32000, "max fee per gas less than block base fee", "lower than the base fee"],
    [-38025, "max initcode size exceeded", "code of the new contract is too long"],
  ])("that refuse with %i reject", async (code, message, reason) => {
    const refuse = () => {
      throw new RpcFault(code, message);
    };
    const told = await (await previewOver(await startNode({ debug_traceCall: refuse, eth_simulateV1: refuse }))).ask();
    expect(told.outcome).toBe("rejected");
    expect(told.summary).toContain(reason);
    expect(told.notes[0]?.code).toBe("rejected");
  });

  it("give upstream_unavailable if none answers", async () => {
    const node = await startNode({});
    node.fault = "http500";
    const { ask } = await previewOver(node);
    await expect(ask()).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("that simulate too slowly give the calldata", async () => {
    const node = await startNode({});
    node.fault = (names) => (names.includes("debug_traceCall") ? "hang" : null);
    const told = await (await previewOver(node)).ask();
    expect(told.outcome).toBe("not_simulated");
    expect(told.notes.map(({ code }) => code)).toEqual(["method_failed", "method_failed", "not_simulated"]);
  });

  it("that fail between the two trips make way for the next", async () => {
    const [broken, well] = [await startNode({}), await startNode({ debug_traceCall: () => frame })];
    broken.fault = (names) => (names.includes("debug_traceCall") ? "http500" : null);
    expect(await (await previewOver(broken, well)).ask()).toMatchObject({ outcome: "success" });
  });
});
