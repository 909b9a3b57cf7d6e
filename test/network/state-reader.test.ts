import { describe, expect, it } from "vitest";
import { createEndpointPool } from "../../src/network/rpc/endpoint-pool.ts";
import { createStateReader, type StateRead } from "../../src/network/rpc/state-reader.ts";
import { RpcFault, type RpcMethods, startRpcServer } from "../support/rpc-server.ts";
import { alice, bob, chainFixture, chainMethods, pad, tokenAddress } from "../support/rpc-server-chain.ts";
import { handClock } from "../support/rpc-server-gatherer.ts";

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

  it("is the newest, and said to be, when nobody has it any more", async () => {
    const { read } = await build(pruned);
    expect(await read()).toMatchObject({ at: "latest", results: ["0x6002", pad("0x7"), pad("0x6"), null] });
  });

  it("is undefined when nobody answers", async () => {
    const { servers, read } = await build(whole);
    for (const fault of ["http500", "garbage", "drop"] as const) {
      (servers[0] as (typeof servers)[number]).fault = fault;
      expect(await read()).toBeUndefined();
    }
  });

  it("goes out in batches that public endpoints take", async () => {
    const { servers, read } = await build(whole);
    const many = Array.from({ length: 30 }, (): StateRead => ({ kind: "code", address: alice }));
    expect((await read(many))?.results).toHaveLength(30);
    expect(Math.max(...(servers[0]?.batches ?? []).map((batch) => batch.length))).toBeLessThanOrEqual(13);
    expect(await read([])).toEqual({ at: "block", results: [] });
  });
});
