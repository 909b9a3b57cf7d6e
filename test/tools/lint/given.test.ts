import { encodeAbiParameters, encodePacked, getCreate2Address, type Hex, keccak256, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { build } from "./given-example.ts";

const [alice, bob] = ["0xa11ce000000000000000000000000000000a11ce", "0xb0b0000000000000000000000000000000000b0b"];
const [pool, secondPool, factory] = [
  "0xa238dd80c259a72e81d7e4664a9801593f98d1c5",
  "0x6cb442acf35158d5eda88fe602221b67b400be3e",
  "0x420dd381b31aef6683db6b902084cb0ffece40da",
];
const word = (hex: string) => `0x${hex.replace("0x", "").padStart(64, "0")}`;
const read = (to: string, data: string, result: string) => ({
  status: "found",
  source: "example",
  to,
  data,
  result: word(result),
});

describe("the case of an example", () => {
  it("without anything is a creation by alice that succeeds and moves nothing", () => {
    const hash = "0x1a9defd29c0b7c6d02bae577aa5d92a51f3241d17edee541af10753a9d01dd9c";
    expect(build({})).toEqual({
      version: 2,
      chain_id: 8453,
      tx_hash: hash,
      gathered_at: "2025-01-01T00:00:00Z",
      transaction: { hash, from: alice, to: null, value: "0x0", input: "0x", type: "0x2" },
      receipt: { status: "0x1", gasUsed: "0x5208", contractAddress: `0x${hash.slice(26)}`, logs: [] },
      block: { number: "0x1312d00", timestamp: "0x66aa0000" },
      trace: { source: "internal_transfers", provider: "example", internal_transfers: [] },
      tokens: {},
      reads: [],
      price: { status: "absent", source: "example", eth_usd: null },
    });
    expect(build({ to: null })).toEqual(build({}));
  });

  it.each<[Record<string, unknown>, string | undefined]>([
    [{ to: "bob" }, "0x5208"],
    [{ to: "bob", gas_used: 5 }, "0x5"],
    [{ to: "bob", data: "0x12" }, undefined],
    [{ to: "bob", logs: [{ transfer: { token: "USDC", from: "alice", to: "bob", amount: 1 } }] }, undefined],
    [{ to: "bob", native: [{ from: "alice", to: "bob", amount: 1 }] }, undefined],
  ])("%j burns gas of %s", (given, gas) => {
    expect(build(given).receipt.gasUsed).toBe(gas);
  });

  it("has the given value, envelope, status, mint and tokens", () => {
    const { transaction, receipt, tokens, trace } = build({
      from: "pool",
      to: "pool.1",
      value: "12",
      type: "legacy",
      mint: "0x1f",
      status: "reverted",
      native: [{ from: "pool", to: "bob", amount: "0x10" }],
      tokens: { bob: { symbol: "FOO" }, [factory as string]: null, alice: { name: "A", decimals: 0 } },
      logs: [{ Paid: { at: "fresh" } }],
    });
    expect(transaction).toEqual({
      ...{ hash: transaction.hash, from: pool, to: secondPool, value: "0xc", input: "0x", type: "0x0", mint: "0x1f" },
    });
    expect(receipt).toEqual({ status: "0x0", contractAddress: null, logs: [] });
    expect(tokens).toEqual({
      [bob as string]: {
        ...{ status: "found", source: "example", name: null, decimals: null },
        symbol: "FOO",
        standard: null,
      },
      [factory as string]: {
        ...{ status: "found", source: "example", name: null, decimals: null },
        symbol: null,
        standard: null,
      },
      [alice as string]: {
        ...{ status: "found", source: "example", name: "A", decimals: 0 },
        symbol: null,
        standard: null,
      },
    });
    expect(trace).toEqual({
      source: "internal_transfers",
      provider: "example",
      internal_transfers: [{ type: "call", from: pool, to: bob, value: "16", success: true }],
    });
  });

  it.each([
    [undefined, [], "0x2"],
    [undefined, [{ delegate: "bob" }], "0x4"],
    ["deposit", [], "0x7e"],
    ["0x1", [], "0x1"],
    ["legacy", [{ delegate: "bob" }], "0x0"],
  ])("of type %j with authorizations %j has the envelope %s", (type, authorizations, envelope) => {
    const { transaction } = build({ to: "bob", authorizations, ...(type !== undefined && { type }) });
    expect(transaction.type).toBe(envelope);
    expect(transaction.authorizationList?.length).toBe(authorizations.length === 0 ? undefined : 1);
  });

  it("has authorizations of this chain, of nonce 0 and signed, when nothing else is said", () => {
    const { transaction } = build({
      authorizations: [null, { chain: 0, delegate: "bob", nonce: 3, signed: false }, { signed: true }],
    });
    const [plain, other, signed] = transaction.authorizationList ?? [];
    expect(plain).toEqual({
      chainId: "0x2105",
      address: `0x${"0".repeat(40)}`,
      nonce: "0x0",
      yParity: expect.stringMatching(/^0x[01]$/),
      r: expect.stringMatching(/^0x[0-9a-f]{60,64}$/),
      s: expect.stringMatching(/^0x[0-9a-f]{60,64}$/),
    });
    expect(other).toEqual({ chainId: "0x0", address: bob, nonce: "0x3" });
    expect(signed).toEqual(plain);
  });
});

describe("members that an example names", () => {
  it("are proven by what a registry answers", () => {
    const { transaction, reads } = build({ to: "listed", from: "own" });
    const [listed, own] = [transaction.to as string, transaction.from];
    expect(reads).toEqual([
      read(factory as string, `0x988b1fa7${word(own).slice(2)}`, own),
      read(factory as string, `0x5b16ebb7${word(listed).slice(2)}`, "1"),
    ]);
  });

  it("are derived from answers of their own, another for each number", () => {
    const { transaction, reads } = build({ to: "derived.3", from: "derived" });
    const [third, first] = [transaction.to as string, transaction.from];
    expect(reads).toEqual([
      read(first, "0x0dfe1681", "0"),
      read(first, "0xddca3f43", "0"),
      read(third, "0x0dfe1681", "3"),
      read(third, "0xddca3f43", "3"),
    ]);
    const derived = (salt: Hex) =>
      getCreate2Address({ from: factory as Hex, salt: keccak256(salt), bytecodeHash: `0x${"12".repeat(32)}` });
    const answer = ["0x0000000000000000000000000000000000000003", 3] as const;
    expect([third, build({ to: "padded.3" }).transaction.to]).toEqual(
      [
        derived(encodePacked(["address", "uint24"], answer)),
        derived(encodeAbiParameters(parseAbiParameters("address, uint24"), answer)),
      ].map((address) => address.toLowerCase()),
    );
  });

  it("are announced by their factory, once each, unless the example does so", () => {
    const created = "0x54bbf8798f9913c568581c9234b9fa1054737fca8e200f7477ec153deb4e4148";
    const log = (address: string) => ({
      address: factory,
      topics: [created, word("")],
      data: encodeAbiParameters(
        parseAbiParameters("address, uint256[], uint8[2], bytes4, string, (bool on, bytes data)"),
        [address as Hex, [], [0, 0], "0x00000000", "", { on: false, data: "0x" }],
      ),
    });
    const { transaction, receipt } = build({ from: "fresh", to: "fresh.2", logs: [{ Paid: { at: "fresh" } }] });
    expect(receipt.logs.slice(0, -1)).toEqual([log(transaction.from), log(transaction.to as string)]);
    const told = build({ to: "fresh", logs: [{ Created: { at: "factory", owner: "alice", pool: "fresh" } }] });
    expect(told.receipt.logs.map(({ topics }) => topics)).toEqual([[created, word(alice as string)]]);
    const both = [{ Paid: { at: "pool" } }, { Created: { at: "factory", owner: "alice", pool: "fresh" } }];
    expect(build({ to: "fresh", logs: both }).receipt.logs).toHaveLength(2);
    const other = build({ to: "fresh", logs: [{ Created: { at: "factory", owner: "alice", pool: "bob" } }] });
    expect(other.receipt.logs.map(({ topics }) => topics[1])).toEqual([word(""), word(alice as string)]);
  });

  it("of other files have the file before them", () => {
    const names = ["market/pool.1", "market/listed", "listed", "other/pool", "pool.2"];
    const found = names.map((to) => {
      try {
        return build({ to }).transaction.to;
      } catch {
        return null;
      }
    });
    const listed = "0xe7a113698cb8015f7ff6e45ea4124228941dcccb";
    expect(found).toEqual([secondPool, listed, listed, null, null]);
  });
});
