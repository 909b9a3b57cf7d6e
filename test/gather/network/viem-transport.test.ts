import { createPublicClient, erc20Abi } from "viem";
import { base } from "viem/chains";
import { describe, expect, it, onTestFinished } from "vitest";
import { openNetwork } from "../../../src/gather/network/network.ts";
import { RpcFault, type RpcMethods, type RpcServer, startRpcServer } from "../../support/rpc-server.ts";
import { alice, chainFixture, chainMethods, tokenAddress } from "../../support/rpc-server-chain.ts";
import { handClock } from "../../support/rpc-server-gatherer.ts";

function startNode(methods: RpcMethods = {}, chainId = 8453): Promise<RpcServer> {
  const balance = () => "0x5";
  return startRpcServer({
    methods: { ...chainMethods(chainFixture({ chainId })), eth_getBalance: balance, ...methods },
  });
}

function openClient(...nodes: { url: string }[]) {
  const clock = handClock();
  const network = openNetwork({
    ...{ chainId: 8453, rpcUrls: nodes.map(({ url }) => url), callTimeoutMs: 300, blockscoutUrl: null, clock },
  });
  onTestFinished(network.close);
  const client = createPublicClient({ chain: base, transport: network.transport });
  return { network, clock, client, readBalance: () => client.getBalance({ address: alice }) };
}

const asked = ({ batches }: RpcServer) => batches.flat().filter((method) => method === "eth_getBalance").length;

describe("a viem client over the pool", () => {
  it.each([
    ["http500", "server_error"],
    ["hang", "timeout"],
    ["garbage", "garbage"],
    ["ratelimit", "busy"],
  ] as const)(
    "goes on to the second endpoint when the first one's fault is %s, and the first one rests for everybody",
    async (fault, reason) => {
      const [bad, good] = [await startNode(), await startNode()];
      bad.fault = fault;
      const { network, clock, readBalance } = openClient(bad, good);
      expect([await readBalance(), await readBalance()]).toEqual([5n, 5n]);
      expect([asked(bad), asked(good)]).toEqual([1, 2]);
      expect(network.health()[0]?.troubles).toMatchObject([{ capability: "all", reason }]);
      await network.head.read();
      expect(bad.batches).toHaveLength(1);
      bad.fault = null;
      clock.time += 10_001;
      expect(await readBalance()).toBe(5n);
      expect(asked(bad)).toBe(2);
    },
  );

  it("goes on when an endpoint answers with an error that is not the chain's", async () => {
    const behind = await startNode({
      eth_getBalance: () => {
        throw new RpcFault(-32000, "header not found");
      },
    });
    const good = await startNode();
    const { network, readBalance } = openClient(behind, good);
    expect(await readBalance()).toBe(5n);
    expect(network.health().map(({ troubles }) => troubles)).toEqual([[], []]);
  });

  it("takes a revert for the answer, and asks no other endpoint", async () => {
    const [first, second] = [await startNode(), await startNode()];
    const { client } = openClient(first, second);
    const call = client.readContract({ address: tokenAddress, abi: erc20Abi, functionName: "totalSupply" });
    await expect(call).rejects.toMatchObject({ cause: { name: "ContractFunctionRevertedError" } });
    expect(second.batches).toEqual([]);
  });

  it("never asks an endpoint of another chain", async () => {
    const [wrong, right] = [await startNode({ eth_getBalance: () => "0x9" }, 1), await startNode()];
    const { readBalance } = openClient(wrong, right);
    expect([await readBalance(), await readBalance()]).toEqual([5n, 5n]);
    expect(wrong.batches).toHaveLength(1);
  });

  it("rejects with the error of the first endpoint that told one, without naming it", async () => {
    const refusing = await startNode({
      eth_getBalance: () => {
        throw new RpcFault(-32005, "limit exceeded");
      },
    });
    const { readBalance } = openClient({ url: "http://127.0.0.1:1" }, refusing);
    const error = await readBalance().catch((thrown: Error) => thrown);
    expect(String(error)).toContain("limit exceeded");
    expect(String(error)).not.toContain("127.0.0.1");
  });

  it("rejects if no endpoint answers", async () => {
    const { readBalance } = openClient({ url: "http://127.0.0.1:1" });
    await expect(readBalance()).rejects.toThrow("no endpoint answers");
  });
});
