import { describe, expect, it } from "vitest";
import { type ResolvedCode, resolveCode } from "../../../src/gather/lookup/risk/code-resolution.ts";
import { createProxyReader } from "../../../src/gather/lookup/risk/proxy.ts";
import type { StateRead } from "../../../src/gather/network/rpc/state-reader.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";

const addressOf = (n: number) => `0x${n.toString(16).padStart(2, "0").repeat(20)}` as Address;
const [first, second, third, other] = [addressOf(1), addressOf(2), addressOf(3), addressOf(9)];
const zero: Hex = `0x${"0".repeat(64)}`;
const word = (address: Address): Hex => `0x${address.slice(2).padStart(64, "0")}`;
const slots = { target: `0x${"51".repeat(32)}`, beacon: `0x${"52".repeat(32)}` } as const;
const proxies = createProxyReader([
  { kind: "eip1167", code: "0x3636{target}" },
  { kind: "eip1967", slot: slots.target },
  { kind: "beacon", slot: slots.beacon, asks: "function implementation() view returns (address)" },
  { kind: "diamond", asks: "function facetAddress(bytes4 selector) view returns (address)" },
]);
const code = "0x6001";
const selector = "0x12345678";

interface Chain {
  codes?: Record<Address, Hex>;
  targets?: Record<Address, Address>;
  beacons?: Record<Address, Address>;
  /** The result of a call to an address: its facet or its implementation. */
  calls?: Record<Address, Hex>;
  at?: "block" | "latest";
  /** How many trips are answered. */
  trips?: number;
}

async function resolve(chain: Chain, ...questions: { address: Address; selector?: Hex }[]) {
  const trips: Address[][] = [];
  const wordOf = (address: Address | undefined) => (address === undefined ? zero : word(address));
  const read = (one: StateRead): Hex | null => {
    if (one.kind === "code") return chain.codes?.[one.address] ?? code;
    if (one.kind === "call") return chain.calls?.[one.to] ?? null;
    return wordOf((one.slot === slots.target ? chain.targets : chain.beacons)?.[one.address]);
  };
  const resolved = await resolveCode(
    questions.map((question) => ({ selector: null, owner: null, ...question })),
    {
      block: 100,
      signal: new AbortController().signal,
      proxies,
      readState: async (reads, block) => {
        expect(block).toBe(100);
        trips.push([...new Set(reads.map((one) => (one.kind === "call" ? one.to : one.address)))]);
        return trips.length > (chain.trips ?? 99) ? undefined : { at: chain.at ?? "block", results: reads.map(read) };
      },
    },
  );
  return { resolved: Object.fromEntries(resolved) as Record<Address, ResolvedCode>, trips };
}

const here = (logic: Address, via: ResolvedCode["via"] = [], certain = true): ResolvedCode => {
  return { code: "contract", logic: [logic], via, owned: false, certain };
};
/** Each address of the row points to the next. */
const row = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [addressOf(i + 1), addressOf(i + 2)]));

describe("the code that runs at an address", () => {
  it("is asked of nobody where nothing is asked", async () => {
    expect(await resolve({})).toEqual({ resolved: {}, trips: [] });
  });

  it("is found for all in as many trips as the longest way has steps", async () => {
    const found = await resolve(
      { targets: { [first]: second, [second]: third } },
      { address: first },
      { address: other },
    );
    expect(found).toEqual({
      resolved: { [first]: here(third, ["eip1967", "eip1967"]), [other]: here(other) },
      trips: [[first, other], [second], [third]],
    });
  });

  it.each([
    [3, true, 4],
    [4, true, 5],
    [5, false, 5],
    [6, false, 5],
  ])("behind %d proxies is certain: %s", async (count, certain, asked) => {
    const { resolved, trips } = await resolve({ targets: row(count) }, { address: first });
    const via = Array<"eip1967">(Math.min(count, 5)).fill("eip1967");
    expect(resolved).toEqual({ [first]: here(addressOf(Math.min(count, 5) + 1), via, certain) });
    expect(trips).toHaveLength(asked);
  });

  it("is where the beacon says", async () => {
    const chain = { beacons: { [first]: second }, calls: { [second]: word(third) } };
    expect(await resolve(chain, { address: first })).toEqual({
      resolved: { [first]: here(third, ["beacon"]) },
      trips: [[first], [second], [third]],
    });
    expect(await resolve({ beacons: { [first]: second } }, { address: first })).toEqual({
      resolved: { [first]: here(second, ["beacon"], false) },
      trips: [[first], [second]],
    });
  });

  it("is the facet of what was called, through a proxy, too", async () => {
    const chain = { targets: { [first]: second }, calls: { [second]: word(third) } };
    const called = { address: first, selector: selector as Hex };
    // The proxy itself is not a diamond. The contract that it points to is asked for the same function.
    expect((await resolve(chain, called)).resolved).toEqual({ [first]: here(third, ["eip1967", "diamond"]) });
    expect((await resolve(chain, { address: first })).resolved).toEqual({ [first]: here(second, ["eip1967"]) });
    const silent = { calls: { [first]: zero } };
    expect((await resolve(silent, called)).resolved).toEqual({ [first]: here(first, ["diamond"], false) });
  });

  it("is asked for no function where a beacon told the address", async () => {
    const chain = { beacons: { [first]: second }, calls: { [second]: word(third), [third]: word(other) } };
    const { resolved } = await resolve(chain, { address: first, selector });
    expect(resolved).toEqual({ [first]: here(third, ["beacon"]) });
  });

  it("is none of those whose way was not answered to its end", async () => {
    const chain = { targets: { [first]: second }, trips: 1 };
    expect(await resolve(chain, { address: first }, { address: other })).toEqual({
      resolved: { [other]: here(other) },
      trips: [[first, other], [second]],
    });
    expect((await resolve({ trips: 0 }, { address: first })).resolved).toEqual({});
  });
});

describe("the newest state", () => {
  const clone: Hex = `0x3636${second.slice(2)}`;
  it.each<[string, Chain, ResolvedCode]>([
    ["says what code is that is no proxy", {}, here(first)],
    ["says where a clone leads", { codes: { [first]: clone } }, here(second, ["eip1167"])],
    ["does not say where a proxy led", { targets: { [first]: second } }, here(second, ["eip1967"], false)],
    ["does not say that there was no code", { codes: { [first]: "0x" } }, { ...here(first, [], false), code: "none" }],
    ["does not say so behind a clone", { codes: { [first]: clone, [second]: "0x" } }, here(second, ["eip1167"], false)],
  ])("%s", async (_name, chain, expected) => {
    const { resolved } = await resolve({ ...chain, at: "latest" }, { address: first });
    expect(resolved).toEqual({ [first]: expected });
    const then = await resolve({ ...chain, at: "block" }, { address: first });
    expect(then.resolved).toEqual({ [first]: { ...expected, certain: true } });
  });
});
