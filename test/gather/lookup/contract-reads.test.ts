import { describe, expect, it } from "vitest";
import { byteSize } from "../../../src/gather/lookup/byte-size.ts";
import { openReads, settleReads, type TokenMemory } from "../../../src/gather/lookup/contract-reads.ts";
import { createTokenMemory } from "../../../src/gather/lookup/lookup.ts";
import {
  metadataReads,
  readsPerToken,
  tokenLifetime,
  unknownToken,
} from "../../../src/gather/lookup/token-metadata.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { TokenLookup } from "../../../src/model/case-file.ts";
import { pad } from "../../support/rpc-server-chain.ts";

const addressOf = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);
const [first, second, third] = [addressOf(1), addressOf(2), addressOf(3)];
const found: TokenLookup = { status: "found", source: "s", symbol: null, name: null, decimals: 6, standard: null };
const readOf = (n: number) => ({ to: addressOf(n), data: `0x0${n}` as Hex });

function memoryOf(known: Record<string, TokenLookup> = {}) {
  const kept = new Map(Object.entries(known));
  const memory: TokenMemory = { get: (token) => kept.get(token), set: (token, lookup) => void kept.set(token, lookup) };
  return { kept, memory };
}

describe("what a plan asks the chain", () => {
  it("is each unknown token once, in the order of addresses, then the reads in the order of the plan", () => {
    const { memory } = memoryOf({ [second]: found });
    const reads = [readOf(9), readOf(8)];
    const set = openReads({ tokens: [third, second, first, third], reads }, memory);
    expect(set).toEqual({
      reads: [...metadataReads(first), ...metadataReads(third), ...reads],
      asked: [first, third],
      known: { [second]: found },
      planned: reads,
      overflow: [],
    });
  });

  it("is settled token by token and read by read, and tokens are remembered", () => {
    const { memory, kept } = memoryOf({ [second]: found });
    const set = openReads({ tokens: [first, second, third], reads: [4, 5, 6, 7].map(readOf) }, memory);
    const decimals = (digits: Hex) => [null, null, pad(digits), null, null];
    const returns = [...decimals("0x6"), ...decimals("0x12"), pad("0x1"), null, "0x" as Hex];
    const tokens = { [first]: found, [second]: found, [third]: { ...found, decimals: 18 } };
    expect(settleReads(set, { returns, source: "s" }, memory)).toEqual({
      tokens,
      reads: [
        { status: "found", source: "s", ...readOf(4), result: pad("0x1") },
        { status: "absent", source: "s", ...readOf(5), result: null },
        { status: "absent", source: "s", ...readOf(6), result: null },
        { status: "unavailable", source: "multicall3", ...readOf(7), result: null },
      ],
    });
    expect(Object.fromEntries(kept)).toEqual(tokens);
    expect(set.known).toEqual({ [second]: found });
    expect(readsPerToken).toBe(5);
  });

  it("is unavailable where nobody answered", () => {
    const { memory } = memoryOf();
    const set = openReads({ tokens: [first], reads: [readOf(4)] }, memory);
    expect(settleReads(set, undefined, memory)).toEqual({
      tokens: { [first]: unknownToken("unavailable", "multicall3") },
      reads: [{ status: "unavailable", source: "multicall3", ...readOf(4), result: null }],
    });
  });
});

describe("the memory of tokens", () => {
  it("knows a token for hours, that it is none for a minute, and nothing of what was not answered", () => {
    const statuses = ["found", "absent", "unavailable", "inconclusive"] as const;
    expect(statuses.map(tokenLifetime)).toEqual([21_600_000, 60_000, 0, 0]);
    const clock = { time: 1_000, now: () => clock.time };
    const memory = createTokenMemory(clock);
    const none: TokenLookup = { ...found, status: "absent", decimals: null };
    memory.set(first, found);
    memory.set(second, none);
    memory.set(third, unknownToken("unavailable", "multicall3"));
    expect([first, second, third].map(memory.get)).toEqual([found, none, undefined]);
    clock.time += 59_999;
    expect(memory.get(second)).toEqual(none);
    clock.time += 2;
    expect([first, second].map(memory.get)).toEqual([found, undefined]);
    clock.time += 21_600_000;
    expect(memory.get(first)).toBeUndefined();
  });

  it("counts an entry by the length of its JSON", () => {
    expect(byteSize({})).toBe(2 * 2 + 256);
    expect(byteSize({ a: "bc" })).toBe(10 * 2 + 256);
  });
});
