import { describe, expect, it } from "vitest";
import { createProxyReader } from "../../../src/gather/lookup/risk/proxy.ts";
import {
  createPublishedSource,
  lookUpVerification,
  type PublishedAnswer,
} from "../../../src/gather/lookup/risk/verification.ts";
import { createSourcify } from "../../../src/gather/network/sourcify/sourcify.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { startFactServer } from "../../support/fact-server.ts";
import { contract, plain, sourceServers } from "./source-servers.ts";

const addressOf = (digits: string) => `0x${digits.repeat(20)}` as Address;
const [first, second, third] = [addressOf("a1"), addressOf("b2"), addressOf("c3")];
const signal = new AbortController().signal;

/** Servers with these answers, one after the other, and a clock that can be set. */
function published(...says: (boolean | undefined)[]) {
  const clock = { time: 1_000, now: () => clock.time };
  const visits: string[] = [];
  const servers = says.map((answer, i) => ({
    name: `server ${i}`,
    isVerified: async (address: Address, given: AbortSignal) => {
      expect([address, given]).toEqual([first, signal]);
      visits.push(`server ${i}`);
      return answer;
    },
  }));
  return { clock, visits, ask: createPublishedSource(servers, clock) };
}

describe("published source", () => {
  it.each<[string, (boolean | undefined)[], PublishedAnswer, number]>([
    ["of no server", [], { status: "unavailable", source: "none" }, 0],
    ["of the first", [true, true], { status: "found", source: "server 0" }, 1],
    ["of the second", [false, true], { status: "found", source: "server 1" }, 2],
    ["of the second, the first being silent", [undefined, true], { status: "found", source: "server 1" }, 2],
    ["of none of them", [false, false], { status: "absent", source: "server 0, server 1" }, 2],
    ["of one that is silent", [false, undefined], { status: "unavailable", source: "server 1" }, 2],
    ["of silent ones", [undefined, undefined], { status: "unavailable", source: "server 0, server 1" }, 2],
  ])("%s", async (_name, says, answer, asked) => {
    const { ask, visits } = published(...says);
    expect(await ask(first, signal)).toEqual(answer);
    expect(visits).toEqual(["server 0", "server 1"].slice(0, asked));
  });

  it.each<[string, boolean | undefined, number]>([
    ["found for a day", true, 86_400_000],
    ["absent for ten minutes", false, 600_000],
  ])("is kept: %s", async (_name, answer, ms) => {
    const { ask, visits, clock } = published(answer);
    const told = await ask(first, signal);
    clock.time += ms - 1;
    expect(await ask(first, signal)).toBe(told);
    expect(visits).toHaveLength(1);
    clock.time += 2;
    expect(await ask(first, signal)).toEqual(told);
    expect(visits).toHaveLength(2);
  });

  it("tells that a silent server wants a key", async () => {
    const [keyed, silent, other] = [true, false, undefined].map((wants, i) => ({
      ...{ name: `server ${i}`, isVerified: async () => undefined },
      ...(wants === undefined ? {} : { wantsKey: { contracts: () => wants } }),
    }));
    const ask = (...servers: unknown[]) => createPublishedSource(servers as never, { now: () => 1 })(first, signal);
    expect(await ask(other, keyed)).toEqual({
      ...{ status: "unavailable", source: "server 2, server 0", reason: "key_missing" },
    });
    expect(await ask(silent, other)).toEqual({ status: "unavailable", source: "server 1, server 2" });
  });

  it("is asked for anew where a server was silent", async () => {
    const { ask, visits } = published(undefined);
    await ask(first, signal);
    await ask(first, signal);
    expect(visits).toHaveLength(2);
  });
});

it("each address is judged by the code that runs there, and answers are dated", async () => {
  const codes: Record<Address, string> = { [first]: "0x60", [second]: "0x", [third]: `0x3636${first.slice(2)}` };
  const context = {
    ...{ block: 1, signal, time: () => "then" },
    proxies: createProxyReader([{ kind: "eip1167", code: "0x3636{target}" }]),
    readState: async (reads: readonly { address?: Address }[]) => {
      return { at: "block", results: reads.map(({ address }) => codes[address as Address]) };
    },
  } as never;
  const asked: Address[] = [];
  const ask = async (address: Address): Promise<PublishedAnswer> => {
    asked.push(address);
    return { status: "absent", source: "server" };
  };
  const questions = [first, second, third].map((address) => ({ address, selector: null, owner: null }));
  const base = { time: "then", owned: false, via: [] };
  expect(await lookUpVerification(questions, ask, context)).toEqual({
    [first]: { ...base, status: "absent", source: "server", code: "contract", logic: [first] },
    [second]: { ...base, status: "absent", source: "rpc", code: "none", logic: [second] },
    [third]: { ...base, status: "absent", source: "server", code: "contract", logic: [first], via: ["eip1167"] },
  });
  expect(asked).toEqual([first, first]);
});

describe("whether source is published", () => {
  const world = { codes: { [contract]: plain } as Record<Address, Hex> };

  it("is asked of Sourcify first, and of Blockscout only when it says no", async () => {
    const known = await sourceServers([contract]);
    expect(await known.look(world)).toMatchObject({ status: "found" });
    expect(known.blockscout.visits).toEqual([]);
    const elsewhere = await sourceServers([], [contract]);
    expect(await elsewhere.look(world)).toMatchObject({ status: "found" });
    const nowhere = await sourceServers([]);
    expect(await nowhere.look(world)).toMatchObject({ status: "absent", logic: [contract] });
    expect([...nowhere.sourcify.visits, ...nowhere.blockscout.visits]).toEqual([
      `/v2/contract/8453/${contract}`,
      `/api/v2/smart-contracts/${contract}`,
    ]);
  });

  it("is not denied while one of the two is silent", async () => {
    const { sourcify, blockscout, look } = await sourceServers([]);
    sourcify.fault = "500";
    expect(await look(world)).toMatchObject({ status: "unavailable" });
    sourcify.fault = null;
    blockscout.fault = "garbage";
    expect(await look(world)).toMatchObject({ status: "unavailable" });
    blockscout.fault = null;
    expect(await look(world)).toMatchObject({ status: "absent" });
  });

  it("is remembered: for a day when it is, for minutes when it is not, never when nobody knew", async () => {
    const { sourcify, blockscout, look, time } = await sourceServers([]);
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
