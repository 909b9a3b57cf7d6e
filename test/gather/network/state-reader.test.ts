import { describe, expect, it } from "vitest";
import { createEndpointPool } from "../../../src/gather/network/rpc/endpoint-pool.ts";
import { createStateReader, type StateRead } from "../../../src/gather/network/rpc/state-reader.ts";
import { RpcFault, type RpcMethods, startRpcServer } from "../../support/rpc-server.ts";
import { alice, bob, chainFixture, chainMethods, pad, tokenAddress } from "../../support/rpc-server-chain.ts";
import { handClock } from "../../support/rpc-server-gatherer.ts";
import { ok, refused, scriptedPool } from "../../support/scripted-pool.ts";

const reads: StateRead[] = [
  { kind: "code", address: alice },
  { kind: "storage", address: alice, slot: pad("0x1") },
  { kind: "call", to: tokenAddress, data: "0x313ce567" },
  { kind: "call", to: bob, data: "0x12345678" },
];

const whole: RpcMethods = {
  eth_getCode: (_address: string, tag: string) => (tag === "0x64" ? "0x6001" : "0x6002"),
  eth_getStorageAt: () => pad("0x7"),
};
const pruned: RpcMethods = {
  eth_getCode: (_address: string, tag: string) => {
    if (tag !== "latest") throw new RpcFault(-32000, "missing trie node");
    return "0x6002";
  },
  eth_getStorageAt: whole.eth_getStorageAt as () => string,
};

async function build(...nodes: RpcMethods[]) {
  const servers = await Promise.all(
    nodes.map((methods) => startRpcServer({ methods: { ...chainMethods(chainFixture()), ...methods } })),
  );
  const pool = createEndpointPool(
    servers.map(({ url }) => url),
    { chainId: 8453, callTimeoutMs: 1_000, clock: handClock() },
  );
  const read = createStateReader(pool);
  return { servers, read: (list: readonly StateRead[] = reads) => read(list, 100, AbortSignal.timeout(2_000)) };
}

describe("the state at a block", () => {
  it("is read in one trip; a call that reverts is an answer", async () => {
    const { servers, read } = await build(whole);
    expect(await read()).toEqual({ at: "block", results: ["0x6001", pad("0x7"), pad("0x6"), null] });
    expect(servers[0]?.batches).toHaveLength(1);
  });

  it("comes from the next endpoint when the first has it no more", async () => {
    const { read } = await build(pruned, whole);
    expect(await read()).toMatchObject({ at: "block", results: ["0x6001", pad("0x7"), pad("0x6"), null] });
  });

  it("is the newest one, and says so, if no endpoint has the older one any more", async () => {
    const { read } = await build(pruned);
    expect(await read()).toMatchObject({ at: "latest", results: ["0x6002", pad("0x7"), pad("0x6"), null] });
  });

  it("is undefined if no endpoint answers", async () => {
    const { servers, read } = await build(whole);
    for (const fault of ["http500", "garbage", "drop"] as const) {
      (servers[0] as (typeof servers)[number]).fault = fault;
      expect(await read()).toBeUndefined();
    }
  });

  it("does not follow from a refusal to show code or storage, in any words", async () => {
    const refuse = () => {
      throw new RpcFault(3, "execution reverted");
    };
    for (const method of ["eth_getCode", "eth_getStorageAt"]) {
      const { read } = await build({ ...whole, [method]: refuse });
      expect(await read()).toBeUndefined();
    }
    const broken = await build({ ...whole, eth_call: () => "0x123" });
    expect(await broken.read()).toBeUndefined();
  });

  it("is asked at the block first, in the words of each kind of read", async () => {
    const { pool, asked } = scriptedPool(() => [ok("0x01"), ok("0x02"), ok("0x03"), refused("no", 3)]);
    const answer = await createStateReader(pool)(reads, 255, AbortSignal.timeout(2_000));
    expect(answer).toEqual({ at: "block", results: ["0x01", "0x02", "0x03", null] });
    expect(asked).toEqual([
      {
        node: 0,
        calls: [
          { method: "eth_getCode", params: [alice, "0xff"] },
          { method: "eth_getStorageAt", params: [alice, pad("0x1"), "0xff"] },
          { method: "eth_call", params: [{ to: tokenAddress, data: "0x313ce567" }, "0xff"] },
          { method: "eth_call", params: [{ to: bob, data: "0x12345678" }, "0xff"] },
        ],
      },
    ]);
  });

  it.each([
    [12, [12]],
    [13, [12, 1]],
    [24, [12, 12]],
    [25, [12, 12, 1]],
  ])("of %d reads goes out in batches of %j, whose answers stay in order", async (count, sizes) => {
    const { pool, asked } = scriptedPool((calls) => calls.map(({ params }) => ok(params[0])));
    const addressed = Array.from({ length: count }, (_, i) => ({
      kind: "code" as const,
      address: `0x${String(i).padStart(40, "0")}` as typeof alice,
    }));
    const answer = await createStateReader(pool)(addressed as StateRead[], 1, AbortSignal.timeout(2_000));
    expect(answer?.results).toEqual(addressed.map(({ address }) => address));
    expect(asked.map(({ calls }) => calls.length)).toEqual(sizes);
  });

  it("goes out in batches that public endpoints take", async () => {
    const { servers, read } = await build(whole);
    const many = Array.from({ length: 30 }, (): StateRead => ({ kind: "code", address: alice }));
    expect((await read(many))?.results).toHaveLength(30);
    expect(Math.max(...(servers[0]?.batches ?? []).map((batch) => batch.length))).toBeLessThanOrEqual(13);
    expect(await read([])).toEqual({ at: "block", results: [] });
  });
});
