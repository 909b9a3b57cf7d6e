import { describe, expect, it } from "vitest";
import { byteSize } from "../../../src/gather/lookup/byte-size.ts";
import { createTokenMemory } from "../../../src/gather/lookup/lookup.ts";
import { createSenderHistory } from "../../../src/gather/lookup/risk/sender-history.ts";
import { createPublishedSource } from "../../../src/gather/lookup/risk/verification.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { limits, serviceLimits } from "../../../src/kernel/limits.ts";
import type { TokenLookup } from "../../../src/model/case-file.ts";
import { hashOf } from "../../support/sample.ts";

const addressOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}` as Address;
const clock = { now: () => 1_700_000_000_000 };
const signal = new AbortController().signal;

describe("what lookups remember is bounded by bytes", () => {
  it("of tokens, however long their names are", () => {
    const memory = createTokenMemory(clock);
    const name = "\u202e".repeat(limits.nameCharsMax);
    const lookup: TokenLookup = { status: "found", source: "x", symbol: name, name, decimals: 18, standard: null };
    const fit = Math.floor(serviceLimits.tokenCacheBytes / byteSize(lookup));
    for (let number = 0; number < fit * 2; number++) memory.set(addressOf(number), lookup);
    const kept = Array.from({ length: fit * 2 }, (_, number) => memory.get(addressOf(number))).filter(Boolean);
    expect(kept).toHaveLength(fit);
    expect(memory.get(addressOf(fit * 2 - 1))).toBe(lookup);
  });

  it("of published source code, however many contracts are asked for", async () => {
    const asked: Address[] = [];
    const server = { name: "server", isVerified: async (address: Address) => asked.push(address) > 0 };
    const ask = createPublishedSource([server], clock);
    const fit = Math.floor(serviceLimits.publishedCacheBytes / byteSize({ status: "found", source: "server" }));
    for (let number = 0; number <= fit; number++) await ask(addressOf(number), signal);
    asked.length = 0;
    await ask(addressOf(fit), signal);
    await ask(addressOf(0), signal);
    // The last one is remembered, the first one had to go.
    expect(asked).toEqual([addressOf(0)]);
  });

  it("of histories, however many parties they name", async () => {
    const account = addressOf(1);
    const asked: string[] = [];
    const rows = Array.from({ length: 500 }, (_, number) => ({
      ...{ hash: hashOf(number), block_number: 1, position: number, from: { hash: account } },
      to: { hash: addressOf(number + 2) },
    }));
    const blockscout = {
      name: "explorer",
      readAccountList: async ({ list }: { list: string }) => {
        asked.push(list);
        return { rows: list === "transactions" ? rows : [], ended: true };
      },
    };
    const cacheBytes = 500_000;
    const options = { pages: 10, readGrantee: () => undefined, clock, cacheBytes };
    const lookUp = createSenderHistory(blockscout as never, options);
    const ask = (number: number) => {
      const place = { hash: hashOf(10_000 + number), from: account, nonce: 1, block: 9, index: null };
      return lookUp({ account, place, signal, time: () => "" });
    };
    const fit = Math.floor(cacheBytes / byteSize(await ask(0)));
    for (let number = 1; number <= fit; number++) await ask(number);
    asked.length = 0;
    await ask(fit);
    expect(asked).toHaveLength(0);
    await ask(0);
    expect(asked).toHaveLength(3);
  });
});
