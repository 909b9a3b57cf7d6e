import { keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import type { Address } from "../../src/kernel/address.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import { createProxyReader } from "../../src/lookup/risk/proxy.ts";
import { createPublishedSource, lookUpVerification } from "../../src/lookup/risk/verification.ts";
import type { VerifyQuestion } from "../../src/model/lookup-plan.ts";
import { createBlockscout } from "../../src/network/blockscout/blockscout.ts";
import type { ReadState, StateRead } from "../../src/network/rpc/state-reader.ts";
import { createSourcify } from "../../src/network/sourcify/sourcify.ts";
import { someone, word } from "../assess/scene.ts";
import { labels } from "../property/world.ts";
import { startFactServer } from "../support/fact-server.ts";

const proxies = createProxyReader(labels.proxies);
const contract = someone("contract");
const logic = someone("logic");
const plain = "0x6001600155";
const safeCode = "0x60806040a619486e00";

interface World {
  codes: Record<Address, Hex>;
  storage?: Record<string, Hex>;
  calls?: Record<string, Hex | null>;
  at?: "block" | "latest";
}

/** The state of a chain, and how often it was asked. */
function stateOf({ codes, storage = {}, calls = {}, at = "block" }: World) {
  const trips: StateRead[][] = [];
  const read = (one: StateRead): Hex | null => {
    if (one.kind === "code") return codes[one.address] ?? "0x";
    if (one.kind === "storage") return storage[`${one.address}${one.slot}`] ?? word(0n);
    return calls[`${one.to}${one.data.slice(0, 10)}`] ?? null;
  };
  const readState: ReadState = async (reads) => {
    trips.push([...reads]);
    return { at, results: reads.map(read) };
  };
  return { readState, trips };
}

async function servers(published: readonly Address[], seen: readonly Address[] = published) {
  const sourcify = await startFactServer((url) => {
    const address = url.pathname.split("/").at(-1) as Address;
    const match = published.includes(address) ? "match" : null;
    return { status: match === null ? 404 : 200, body: { match, chainId: "8453", address } };
  });
  const blockscout = await startFactServer((url) => {
    const address = url.pathname.split("/").at(-1) as Address;
    return seen.includes(address) ? { body: { is_verified: true } } : { body: { deployed_bytecode: plain } };
  });
  const clock = { now: () => time.now };
  const time = { now: 1_000 };
  const ask = createPublishedSource(
    [
      createSourcify(sourcify.url, { chainId: 8453, clock }),
      createBlockscout(blockscout.url, { pageTimeoutMs: 1_000, clock }),
    ],
    clock,
  );
  const look = async (world: World, question: Partial<VerifyQuestion> = {}) => {
    const { readState, trips } = stateOf(world);
    const questions = [{ address: contract, selector: null, owner: null, ...question }];
    const signal = AbortSignal.timeout(2_000);
    const answers = await lookUpVerification(questions, ask, {
      block: 100,
      readState,
      proxies,
      signal,
      time: () => "then",
    });
    return { ...answers[contract], trips: trips.length };
  };
  return { sourcify, blockscout, look, time };
}

const slot = (name: string): Hex => toHex(BigInt(keccak256(toHex(name))) - 1n, { size: 32 });
const clone = (to: Address): Hex => `0x363d3d373d3d3d363d73${to.slice(2)}5af43d82803e903d91602b57fd5bf3`;

describe("what runs at an address", () => {
  it.each<[string, World, object]>([
    ["a contract", { codes: { [contract]: plain } }, { code: "contract", via: [], logic: [contract] }],
    [
      "a clone (EIP-1167)",
      { codes: { [contract]: clone(logic), [logic]: plain } },
      { via: ["eip1167"], logic: [logic] },
    ],
    [
      "a clone with PUSH0 (ERC-7511)",
      { codes: { [contract]: `0x365f5f375f5f365f73${logic.slice(2)}5af43d5f5f3e5f3d91602a57fd5bf3`, [logic]: plain } },
      { via: ["eip1167"], logic: [logic] },
    ],
    [
      "a proxy of EIP-1967",
      {
        codes: { [contract]: plain, [logic]: plain },
        storage: { [`${contract}${slot("eip1967.proxy.implementation")}`]: word(logic) },
      },
      { via: ["eip1967"], logic: [logic] },
    ],
    [
      "a proxy of EIP-1822",
      {
        codes: { [contract]: plain, [logic]: plain },
        storage: { [`${contract}${keccak256(toHex("PROXIABLE"))}`]: word(logic) },
      },
      { via: ["eip1822"], logic: [logic] },
    ],
    [
      "a proxy of ZeppelinOS, as USDC is one",
      {
        codes: { [contract]: plain, [logic]: plain },
        storage: { [`${contract}${keccak256(toHex("org.zeppelinos.proxy.implementation"))}`]: word(logic) },
      },
      { via: ["zeppelin"], logic: [logic] },
    ],
    [
      "a Safe",
      { codes: { [contract]: safeCode, [logic]: plain }, storage: { [`${contract}${word(0n)}`]: word(logic) } },
      { via: ["safe"], logic: [logic] },
    ],
    [
      "an account that delegates (EIP-7702)",
      { codes: { [contract]: `0xef0100${logic.slice(2)}`, [logic]: plain } },
      { code: "delegated", via: ["eip7702"], logic: [logic] },
    ],
    [
      "a clone of a proxy",
      {
        codes: { [contract]: clone(someone("middle")), [someone("middle")]: plain, [logic]: plain },
        storage: { [`${someone("middle")}${slot("eip1967.proxy.implementation")}`]: word(logic) },
      },
      { via: ["eip1167", "eip1967"], logic: [logic] },
    ],
  ])("is found for %s", async (_name, world, expected) => {
    const { look } = await servers([logic, contract]);
    expect(await look(world)).toMatchObject({ status: "found", ...expected });
  });

  it("is found behind a beacon, in one more trip", async () => {
    const beacon = someone("beacon");
    const { look } = await servers([logic]);
    const world = {
      codes: { [contract]: plain, [logic]: plain } as Record<Address, Hex>,
      storage: { [`${contract}${slot("eip1967.proxy.beacon")}`]: word(beacon) },
      calls: { [`${beacon}0x5c60da1b`]: word(logic) },
    };
    expect(await look(world)).toMatchObject({ status: "found", via: ["beacon"], logic: [logic], trips: 3 });
    expect(await look({ ...world, calls: {} })).toMatchObject({ status: "inconclusive" });
  });

  it("is the facet of the called selector for a diamond; a diamond that does not tell is not decided", async () => {
    const { look } = await servers([logic]);
    const world = { codes: { [contract]: plain, [logic]: plain } as Record<Address, Hex> };
    const asked = { selector: "0x12345678" as const };
    const found = await look({ ...world, calls: { [`${contract}0xcdffacc6`]: word(logic) } }, asked);
    expect(found).toMatchObject({ status: "found", via: ["diamond"], logic: [logic] });
    const silent = await look({ ...world, calls: { [`${contract}0xcdffacc6`]: word(0n) } }, asked);
    expect(silent).toMatchObject({ status: "inconclusive", via: ["diamond"] });
  });

  it("stays undecided in a circle of proxies", async () => {
    const { look } = await servers([logic]);
    expect(await look({ codes: { [contract]: clone(logic), [logic]: clone(contract) } })).toMatchObject({
      status: "inconclusive",
    });
  });

  it("is nothing for an account without code", async () => {
    const { look, sourcify } = await servers([]);
    expect(await look({ codes: {} })).toMatchObject({ status: "absent", code: "none" });
    expect(sourcify.visits).toEqual([]);
  });

  it("stays undecided where only the newest state could be read and could have changed since", async () => {
    const { look } = await servers([logic, contract]);
    const storage = { [`${contract}${slot("eip1967.proxy.implementation")}`]: word(logic) };
    expect(await look({ codes: {}, at: "latest" })).toMatchObject({ status: "inconclusive", code: "none" });
    expect(await look({ codes: { [contract]: plain, [logic]: plain }, storage, at: "latest" })).toMatchObject({
      status: "inconclusive",
    });
    expect(await look({ codes: { [contract]: plain }, at: "latest" })).toMatchObject({ status: "found" });
  });

  it("names an owner only of a Safe", async () => {
    const { look } = await servers([logic, contract]);
    const calls = { [`${contract}0x2f54bf6e`]: word(1n) };
    const storage = { [`${contract}${word(0n)}`]: word(logic) };
    const asked = { owner: someone("alice") };
    expect(await look({ codes: { [contract]: safeCode, [logic]: plain }, storage, calls }, asked)).toMatchObject({
      owned: true,
    });
    expect(await look({ codes: { [contract]: plain }, calls }, asked)).toMatchObject({ owned: false });
  });

  it("is unavailable when the chain did not answer", async () => {
    const { sourcify } = await servers([]);
    const ask = async () => ({ status: "found" as const, source: "x" });
    const context = {
      block: 1,
      readState: async () => undefined,
      proxies,
      signal: AbortSignal.timeout(1_000),
      time: () => "then",
    };
    const questions = [{ address: contract, selector: null, owner: null }];
    expect(await lookUpVerification(questions, ask, context)).toMatchObject({
      [contract]: { status: "unavailable", code: null },
    });
    expect(sourcify.visits).toEqual([]);
  });
});

describe("whether source is published", () => {
  const world = { codes: { [contract]: plain } as Record<Address, Hex> };

  it("is asked of Sourcify first, and of Blockscout only when it says no", async () => {
    const known = await servers([contract]);
    expect(await known.look(world)).toMatchObject({ status: "found" });
    expect(known.blockscout.visits).toEqual([]);
    const elsewhere = await servers([], [contract]);
    expect(await elsewhere.look(world)).toMatchObject({ status: "found" });
    const nowhere = await servers([]);
    expect(await nowhere.look(world)).toMatchObject({ status: "absent", logic: [contract] });
    expect([...nowhere.sourcify.visits, ...nowhere.blockscout.visits]).toEqual([
      `/v2/contract/8453/${contract}`,
      `/api/v2/smart-contracts/${contract}`,
    ]);
  });

  it("is not denied while one of the two is silent", async () => {
    const { sourcify, blockscout, look } = await servers([]);
    sourcify.fault = "500";
    expect(await look(world)).toMatchObject({ status: "unavailable" });
    sourcify.fault = null;
    blockscout.fault = "garbage";
    expect(await look(world)).toMatchObject({ status: "unavailable" });
    blockscout.fault = null;
    expect(await look(world)).toMatchObject({ status: "absent" });
  });

  it("is remembered: for a day when it is, for minutes when it is not, never when nobody knew", async () => {
    const { sourcify, blockscout, look, time } = await servers([]);
    await look(world);
    await look(world);
    expect(sourcify.visits).toHaveLength(1);
    time.now += 10 * 60_000 + 1;
    await look(world);
    expect([sourcify.visits.length, blockscout.visits.length]).toEqual([2, 2]);
  });

  it("is not denied by a 404 that does not speak of the contract", async () => {
    const gateway = await startFactServer(() => ({ status: 404, body: { message: "no such route" } }));
    const clock = { now: () => 1 };
    const ask = createPublishedSource([createSourcify(gateway.url, { chainId: 8453, clock })], clock);
    expect(await ask(contract, AbortSignal.timeout(1_000))).toMatchObject({ status: "unavailable" });
    const nobody = createPublishedSource([], clock);
    expect(await nobody(contract, AbortSignal.timeout(1_000))).toMatchObject({ status: "unavailable" });
  });
});
