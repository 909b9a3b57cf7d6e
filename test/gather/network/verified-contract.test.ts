import { describe, expect, it } from "vitest";
import { createBlockscout } from "../../../src/gather/network/blockscout/blockscout.ts";
import { createSourcify } from "../../../src/gather/network/sourcify/sourcify.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { startFactServer } from "../../support/fact-server.ts";
import { alice, bob } from "../../support/rpc-server-chain.ts";
import { handClock } from "../../support/rpc-server-gatherer.ts";
import { json, origin, scriptFetch, soon } from "./scripted-fetch.ts";

const clock = { now: () => 1_000 };

describe("whether source is published", () => {
  const ask = async (kind: "blockscout" | "sourcify", status: number, body: unknown) => {
    const server = await startFactServer(() => ({ status, body }));
    const client =
      kind === "blockscout"
        ? createBlockscout(server.url, { chainId: 8453, key: null, pageTimeoutMs: 1_000, clock })
        : createSourcify(server.url, { chainId: 8453, clock });
    return client.isVerified(alice as Address, soon());
  };

  it.each<[number, unknown, boolean | undefined]>([
    [200, { is_verified: true }, true],
    [200, { is_verified: false }, false],
    [200, { deployed_bytecode: "0x" }, false],
    [200, { creation_bytecode: "0x" }, false],
    [200, { is_verified: null, deployed_bytecode: "0x" }, false],
    [200, { is_verified: "yes", deployed_bytecode: "0x" }, undefined],
    [200, { is_verified: "yes" }, undefined],
    [200, {}, undefined],
    [404, { is_verified: true }, undefined],
  ])("by Blockscout, with status %d and %j: %s", async (status, body, verified) => {
    expect(await ask("blockscout", status, body)).toBe(verified);
  });

  it.each<[number, object, boolean | undefined]>([
    [200, { match: "match" }, true],
    [200, { match: "exact_match" }, true],
    [200, { match: "partial" }, undefined],
    [200, { match: null }, false],
    [404, { match: null }, false],
    [404, { match: "match" }, undefined],
    [400, { match: null }, undefined],
    [200, { match: "match", address: bob }, undefined],
  ])("by Sourcify, with status %d and %j: %s", async (status, body, verified) => {
    expect(await ask("sourcify", status, { address: alice, ...body })).toBe(verified);
  });
});

describe("a server of sources", () => {
  const server = scriptFetch();

  it("tells name and ABI of a contract, and what runs behind it", async () => {
    const sourcify = createSourcify(origin, { chainId: 8453, clock: handClock() });
    const proxyResolution = { implementations: [{ address: bob }] };
    server.answer = () => json({ abi: [1], compilation: { name: "A" }, proxyResolution });
    expect(await sourcify.readContract(alice as Address, soon())).toEqual({ name: "A", abi: [1], implementation: bob });
    expect(server.asked).toEqual([`/v2/contract/8453/${alice}?fields=abi,compilation,proxyResolution`]);
    server.answer = () => json({ abi: [1] }, 404);
    expect(await sourcify.readContract(alice as Address, soon())).toBeUndefined();
    server.answer = () => json({ message: "no" }, 400);
    expect(await sourcify.isVerified(alice as Address, soon())).toBeUndefined();
    server.answer = () => json({}, 429);
    expect(await sourcify.isVerified(alice as Address, soon())).toBeUndefined();
  });
});
