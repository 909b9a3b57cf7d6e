import { describe, expect, it } from "vitest";
import {
  isAddress,
  isHex,
  isText,
  logFields,
  pick,
  quantityHex,
  readBlock,
  readReceipt,
  readRpcLog,
  readTransaction,
} from "../../../src/gather/network/rpc/rpc-objects.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { alice, bob, tokenAddress } from "../../support/rpc-server-chain.ts";
import { hashOf } from "../../support/sample.ts";

const hash = hashOf(1) as Hash;
const word = (digit: string) => `0x${digit.repeat(64)}`;

describe("a transaction of a node", () => {
  const core = { hash, from: alice, to: bob, value: "0x5", input: "0xabcd" };
  const beside = {
    ...{ type: "0x2", nonce: "0x1", gas: "0x5208", gasPrice: "0x9", transactionIndex: "0x3" },
    ...{ sourceHash: word("1"), mint: "0x1", blobVersionedHashes: [word("2")], isSystemTx: false },
  };

  it("keeps what the decoder reads as it was written, and nothing else", () => {
    expect(readTransaction({ ...core, ...beside, r: "0x1", chainId: "0x2105" }, hash)).toEqual({ ...core, ...beside });
    const upper = `0x${alice.slice(2).toUpperCase()}`;
    expect(readTransaction({ ...core, from: upper, isSystemTx: true }, hash)).toEqual({
      ...{ ...core, from: upper, isSystemTx: true },
    });
  });

  it.each([
    ["a value with leading zeros", { value: "0x05" }, core],
    ["a value in decimals", { value: "5" }, core],
    ["the hash in upper case", { hash: `0x${hash.slice(2).toUpperCase()}` }, core],
    ["no receiver", { to: null }, { ...core, to: null }],
    ["a receiver that is left out", { to: undefined }, { ...core, to: null }],
    ["calldata under its other name", { input: undefined, data: "0x12" }, { ...core, input: "0x12" }],
    ["calldata under both names", { data: "0x12" }, core],
    ["fields of another shape", { nonce: 1, isSystemTx: "yes", blobVersionedHashes: ["0x1"], gas: null }, core],
    ["an authorization list that is none", { authorizationList: {} }, core],
    ["an empty authorization list", { authorizationList: [] }, { ...core, authorizationList: [] }],
  ])("may have %s", (_name, parts, expected) => {
    expect(readTransaction({ ...core, ...parts }, hash)).toEqual(expected);
  });

  it.each([
    ["another hash", { hash: hashOf(2) }],
    ["no hash", { hash: undefined }],
    ["no sender", { from: undefined }],
    ["a sender that is no address", { from: "0x12" }],
    ["no calldata", { input: undefined }],
    ["half a byte of calldata", { input: "0xabc" }],
    ["no value", { value: undefined }],
    ["a value that is none", { value: "-1" }],
    ["a receiver that is no address", { to: "0x12" }],
  ])("is none with %s", (_name, parts) => {
    expect(readTransaction({ ...core, ...parts }, hash)).toBeUndefined();
  });

  it.each([null, undefined, "text", [core]])("is not %j", (value) => {
    expect(readTransaction(value, hash)).toBeUndefined();
  });

  it("keeps the authorizations that are whole, with the parts of their signature that are there", () => {
    const whole = { chainId: "0x2105", address: bob, nonce: "0x0", yParity: "0x1", r: word("3"), s: word("4") };
    const { yParity: _, r: __, s: ___, ...unsigned } = whole;
    const list = [
      { ...whole, v: "0x1" },
      { ...unsigned, r: 5 },
      { ...whole, chainId: undefined },
      { ...whole, address: "0x" },
      { ...whole, nonce: 0 },
      null,
    ];
    expect(readTransaction({ ...core, authorizationList: list }, hash)?.authorizationList).toEqual([whole, unsigned]);
  });
});

const log = { address: tokenAddress, topics: [word("1"), word("2")], data: "0x01", logIndex: "0x4" };

describe("a receipt of a node", () => {
  const fields = {
    ...{ from: alice, to: bob, contractAddress: null, status: "0x1", gasUsed: "0x5208", effectiveGasPrice: "0x7" },
    ...{ l1Fee: "0x1", operatorFeeScalar: "0x2", operatorFeeConstant: "0x3", daFootprintGasScalar: "0x4" },
  };

  it("keeps what the decoder reads as it was written, and nothing else", () => {
    const given = { ...fields, transactionHash: hash, blockNumber: "0x1", logs: [{ ...log, removed: false }] };
    expect(readReceipt(given, hash)).toEqual({ ...fields, logs: [log] });
  });

  it.each([
    ["without its hash", {}, {}],
    ["with its hash in upper case", { transactionHash: `0x${hash.slice(2).toUpperCase()}` }, {}],
    ["of a creation", { to: null, contractAddress: bob }, { to: null, contractAddress: bob }],
    ["with fields of another shape", { status: 1, from: "0x", to: "0x1", contractAddress: 5, gasUsed: null }, {}],
  ])("is read %s", (_name, parts, kept) => {
    expect(readReceipt({ ...parts, logs: [] }, hash)).toEqual({ ...kept, logs: [] });
  });

  it.each([
    ["another hash", { transactionHash: hashOf(2) }],
    ["a hash that is none", { transactionHash: null }],
    ["no logs", { logs: undefined }],
    ["logs that are no list", { logs: { 0: log } }],
    ["a log without its address", { logs: [log, { ...log, address: undefined }] }],
    ["a log that is none", { logs: [null, log] }],
  ])("is none with %s", (_name, parts) => {
    expect(readReceipt({ logs: [log], ...parts }, hash)).toBeUndefined();
  });

  it.each([null, undefined, "text", []])("is not %j", (value) => {
    expect(readReceipt(value, hash)).toBeUndefined();
  });
});

describe("a log of a node", () => {
  it.each([
    ["no topic", { topics: [] }, { ...log, topics: [] }],
    ["no data", { data: "0x" }, { ...log, data: "0x" }],
    ["an index that is no text", { logIndex: 4 }, { address: log.address, topics: log.topics, data: log.data }],
  ])("may have %s", (_name, parts, expected) => {
    expect(readRpcLog({ ...log, ...parts }, logFields)).toEqual(expected);
  });

  it.each([
    ["an address that is none", { address: "0x" }],
    ["topics that are no list", { topics: word("1") }],
    ["one topic that is no word", { topics: [word("1"), "0x1"] }],
    ["half a byte of data", { data: "0x1" }],
    ["no data", { data: undefined }],
  ])("is none with %s", (_name, parts) => {
    expect(readRpcLog({ ...log, ...parts }, logFields)).toBeUndefined();
  });
});

describe("a block of a node", () => {
  const block = { number: "0x64", hash: word("a"), timestamp: "0x6553f100" };

  it.each([
    ["the newest", block, {}, block],
    ["the one that was asked for", block, { number: "0x64", hash: word("a") }, block],
    ["with numbers that have leading zeros", { ...block, number: "0x0064", timestamp: "0x06553f100" }, {}, block],
    ["with more than is kept", { ...block, miner: alice }, {}, block],
    ["without its hash", { ...block, hash: undefined }, {}, { number: "0x64", timestamp: block.timestamp }],
    ["without its hash, which is known", { ...block, hash: null }, { hash: word("a") }, block],
    ["without its time", { ...block, timestamp: undefined }, {}, { number: "0x64", hash: block.hash }],
  ])("is read: %s", (_name, given, expected, read) => {
    expect(readBlock(given, expected as Parameters<typeof readBlock>[1])).toEqual(read);
  });

  it.each([
    ["of another number", block, { number: "0x65" }],
    ["of another hash", block, { number: "0x64", hash: word("b") }],
    ["without its number", { ...block, number: undefined }, {}],
    ["that is null", null, {}],
    ["that is a list", [block], {}],
  ])("is none %s", (_name, given, expected) => {
    expect(readBlock(given, expected as Parameters<typeof readBlock>[1])).toBeUndefined();
  });
});

it("tests of fields: what is text, an address, whole bytes", () => {
  const values = ["", "0x", "0xab", "0xabc", alice, 5, null, undefined];
  expect(values.filter(isText)).toEqual(["", "0x", "0xab", "0xabc", alice]);
  expect(values.filter(isHex)).toEqual(["0x", "0xab", alice]);
  expect(values.filter(isAddress)).toEqual([alice]);
  expect(pick({ a: "x", b: 5, c: "y" }, { a: isText, b: isText })).toEqual({ a: "x" });
  expect([0n, 10n, 255n].map(quantityHex)).toEqual(["0x0", "0xa", "0xff"]);
});
