import fc from "fast-check";
import { encodeAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { openReads, settleReads, type TokenMemory } from "../../../src/gather/lookup/contract-reads.ts";
import { metadataReads, readTokenMetadata } from "../../../src/gather/lookup/token-metadata.ts";
import { decodeReads, encodeReads } from "../../../src/gather/network/rpc/multicall.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { pad, tokenAddress } from "../../support/rpc-server-chain.ts";

const string = (text: string) => encodeAbiParameters([{ type: "string" }], [text]);
const rawString = (bytes: Buffer) => encodeAbiParameters([{ type: "bytes" }], [`0x${bytes.toString("hex")}`]);
const word = (value: bigint) => pad(`0x${value.toString(16)}`);
const bytes32 = (text: string): Hex => `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
const read = (...returns: (Hex | null)[]) => readTokenMetadata(returns, "test");

describe("metadataReads", () => {
  it("asks for what ERC-20, ERC-721 and ERC-1155 define", () => {
    // selectors as in the EIPs; 0x01ffc9a7 is ERC-165's supportsInterface
    expect(metadataReads(tokenAddress).map(({ data }) => data.slice(0, 18))).toEqual([
      ...["0x95d89b41", "0x06fdde03", "0x313ce567", "0x01ffc9a780ac58cd", "0x01ffc9a7d9b67a26"],
    ]);
  });
});

describe("symbol and name", () => {
  it.each([
    ["a string", string("USDC"), "USDC"],
    ["a string of other scripts", string("円ᎠΩ🚀"), "円ᎠΩ🚀"],
    ["an empty string", string(""), ""],
    ["a byte order mark, which is kept", string("\uFEFFX"), "\uFEFFX"],
    ["bytes32, as early tokens return", bytes32("MKR"), "MKR"],
    ["bytes32 without a zero byte", bytes32("A".repeat(32)), "A".repeat(32)],
    ["invalid UTF-8", rawString(Buffer.from([0x41, 0xff, 0x42])), "A\uFFFDB"],
    ["nothing", "0x" as Hex, null],
    ["a revert", null, null],
    ["a number", word(1n), null],
    ["an empty word", word(0n), null],
    ["a length beyond the data", `0x${word(32n).slice(2)}${word(99n).slice(2)}` as Hex, null],
    [
      "a length as long as the data",
      `${string("USDC").slice(0, 66)}${word(32n).slice(2)}${bytes32("T".repeat(32)).slice(2)}` as Hex,
      "T".repeat(32),
    ],
    [
      "a length one byte longer",
      `${string("USDC").slice(0, 66)}${word(33n).slice(2)}${bytes32("T".repeat(32)).slice(2)}` as Hex,
      null,
    ],
    ["an absurd length", `0x${word(32n).slice(2)}${"ff".repeat(32)}` as Hex, null],
    ["an offset beyond the data", `0x${word(4096n).slice(2)}${word(1n).slice(2)}41` as Hex, null],
    ["fewer bytes than a word", "0x41" as Hex, null],
  ])("reads %s", (_name, data, expected) => {
    expect(read(data, null, null, null, null).symbol).toBe(expected);
    expect(read(null, data, null, null, null).name).toBe(expected);
  });

  it("cuts what is absurdly long, between characters, one beyond what is shown", () => {
    expect(read(string("🚀".repeat(500))).symbol).toBe("🚀".repeat(limits.nameCharsMax + 1));
    expect(read(string("a".repeat(100_000))).symbol).toHaveLength(limits.nameCharsMax + 1);
  });
});

describe("decimals", () => {
  it.each([
    ["six", word(6n), 6],
    ["none at all", word(0n), 0],
    ["the most a 256-bit amount can have", word(77n), 77],
    ["more than that", word(78n), null],
    ["no uint8", word(256n), null],
    ["the largest word", `0x${"ff".repeat(32)}` as Hex, null],
    ["a string, which begins with the number 32", string("18"), null],
    ["a short answer", "0x12" as Hex, null],
    ["nothing", "0x" as Hex, null],
    ["a revert", null, null],
  ])("reads %s", (_name, data, expected) => {
    expect(read(string("T"), null, data, null, null).decimals).toBe(expected);
  });
});

describe("the standard", () => {
  it.each([
    ["erc721", word(1n), word(0n), "erc721"],
    ["erc1155", null, word(1n), "erc1155"],
    ["neither", word(0n), word(0n), null],
    ["both, which only a fallback says", word(1n), word(1n), null],
    ["no boolean", word(2n), null, null],
    ["a long answer", string("x"), null, null],
  ])("of a contract that answers %s", (_name, erc721, erc1155, expected) => {
    expect(read(null, null, null, erc721, erc1155).standard).toBe(expected);
  });
});

describe("the status", () => {
  it("is found when the contract said anything, absent when nothing", () => {
    expect(read(null, null, word(18n), null, null).status).toBe("found");
    expect(read(null, "0x", word(300n), word(0n), null).status).toBe("absent");
  });

  it("holds for any bytes: no text is longer than the limit and decimals never exceed 77", () => {
    const data = fc.uint8Array({ maxLength: 300 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
    fc.assert(
      fc.property(fc.array(fc.option(data), { minLength: 5, maxLength: 5 }), (returns) => {
        const lookup = readTokenMetadata(returns, "test");
        for (const text of [lookup.symbol, lookup.name]) {
          expect([...(text ?? "")].length).toBeLessThanOrEqual(limits.nameCharsMax);
          expect(text?.isWellFormed() ?? true).toBe(true);
        }
        expect(lookup.decimals ?? 0).toBeLessThanOrEqual(77);
      }),
    );
  });
});

describe("a multicall", () => {
  it("is of aggregate3 and refuses answers that are not", () => {
    const reads = [{ to: tokenAddress, data: "0x95d89b41" as Hex }];
    expect(encodeReads(reads).slice(0, 10)).toBe("0x82ad56cb");
    for (const answer of ["0x", "0x1234", "nonsense", null, word(32n), `0x${"ff".repeat(96)}`]) {
      expect(decodeReads(answer, 1)).toBeUndefined();
    }
    const answer = encodeAbiParameters(
      [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }],
      [[[true, "0x01"] as const, [false, "0x02"] as const]],
    );
    expect(decodeReads(answer, 2)).toEqual(["0x01", null]);
    expect(decodeReads(answer, 3)).toBeUndefined();
  });
});

describe("a plan beyond the limits", () => {
  const memory: TokenMemory = { get: () => undefined, set: () => undefined };
  const addressOf = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);

  it("is cut, and says what was cut", () => {
    const tokens = Array.from({ length: limits.tokensMax + 1 }, (_, i) => addressOf(i));
    const reads = Array.from({ length: limits.readsMax + 1 }, (_, i) => ({ to: addressOf(i), data: "0x01" as Hex }));
    const set = openReads({ tokens: [...tokens, ...tokens], reads }, memory);
    expect(set.reads).toHaveLength(limits.tokensMax * 5 + limits.readsMax);
    const settled = settleReads(set, { returns: set.reads.map(() => "0x" as Hex), source: "test" }, memory);
    const tally = Object.groupBy(Object.values(settled.tokens), ({ status }) => status);
    expect([tally.absent?.length, tally.inconclusive?.length]).toEqual([limits.tokensMax, 1]);
    expect(settled.reads.map(({ status }) => status)).toEqual([
      ...Array(limits.readsMax).fill("absent"),
      "inconclusive",
    ]);
    expect(settled.reads.at(-1)?.to).toBe(addressOf(limits.readsMax));
  });

  it("without an answer is unavailable, not absent", () => {
    const set = openReads({ tokens: [tokenAddress], reads: [{ to: tokenAddress, data: "0x01" }] }, memory);
    const settled = settleReads(set, undefined, memory);
    expect(settled.tokens[tokenAddress]?.status).toBe("unavailable");
    expect(settled.reads).toMatchObject([{ status: "unavailable", result: null }]);
  });
});
