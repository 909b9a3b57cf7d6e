import { describe, expect, it } from "vitest";
import { caseFromReceipt } from "../../../src/gather/receipt/case-from-receipt.ts";
import { toQuantity, toRpcBlock, toRpcReceipt, toRpcTransaction } from "../../../src/gather/receipt/rpc-form.ts";

const hash = `0x${"7".repeat(64)}`;
const other = `0x${"8".repeat(64)}`;
const alice = `0x${"a1".repeat(20)}`;
const bob = `0x${"b0".repeat(20)}`;

describe("a quantity", () => {
  it.each([
    [0n, "0x0"],
    [26n, "0x1a"],
    [-1n, undefined],
    [0, "0x0"],
    [26, "0x1a"],
    [-1, undefined],
    [1.5, undefined],
    [2 ** 53, undefined],
    ["0x1a", "0x1a"],
    [null, undefined],
    [{}, undefined],
  ])("of %s is %s", (value, quantity) => {
    expect(toQuantity(value)).toBe(quantity);
  });
});

describe("a transaction in the form of JSON-RPC", () => {
  it("has all fields that are read, under their own names", () => {
    const texts = {
      hash,
      from: alice,
      to: null,
      sourceHash: hash,
      isSystemTx: false,
      blobVersionedHashes: [hash],
      blockHash: hash,
    };
    const given = { value: 1n, nonce: 2, gasPrice: 4n, mint: 6n, blockNumber: 7, chainId: 8453 };
    expect(toRpcTransaction({ ...texts, ...given, data: "0x12", gasLimit: 3n, index: 5, more: 1, type: 2 })).toEqual({
      ...{ ...texts, input: "0x12", value: "0x1", nonce: "0x2", gas: "0x3", gasPrice: "0x4", transactionIndex: "0x5" },
      ...{ mint: "0x6", blockNumber: "0x7", chainId: "0x2105", type: "0x2" },
    });
    expect(toRpcTransaction({ input: "0x1", data: "0x2", gas: 1, gasLimit: 2, transactionIndex: 3, index: 4 })).toEqual(
      {
        ...{ input: "0x1", gas: "0x1", transactionIndex: "0x3", type: undefined },
      },
    );
  });

  it.each([
    [{ type: "legacy" }, "0x0"],
    [{ type: "eip2930" }, "0x1"],
    [{ type: "eip1559" }, "0x2"],
    [{ type: "eip4844" }, "0x3"],
    [{ type: "eip7702" }, "0x4"],
    [{ type: "deposit" }, "0x7e"],
    [{ type: "0x5" }, "0x5"],
    [{ type: 126 }, "0x7e"],
    [{ type: "deposit", typeHex: "0x7f" }, "0x7f"],
  ])("%j has the type %s", (given, type) => {
    expect(toRpcTransaction(given).type).toBe(type);
  });

  it.each<[object | string, unknown]>([
    [
      { address: bob, chainId: 8453, nonce: 1n, r: "0x1", s: "0x2", yParity: 0 },
      { address: bob, chainId: "0x2105", nonce: "0x1", r: "0x1", s: "0x2", yParity: "0x0" },
    ],
    [
      { contractAddress: bob, chainId: 0n, nonce: 0n, signature: { r: "0x1", s: "0x2", yParity: 1 } },
      { address: bob, chainId: "0x0", nonce: "0x0", r: "0x1", s: "0x2", yParity: "0x1" },
    ],
    [{ address: alice, contractAddress: bob }, { address: alice }],
    ["odd", "odd"],
  ])("reads an authorization %#", (given, expected) => {
    expect(toRpcTransaction({ authorizationList: [given] }).authorizationList).toEqual([expected]);
    expect(toRpcTransaction({ authorizationList: given })).not.toHaveProperty("authorizationList");
  });
});

describe("a receipt in the form of JSON-RPC", () => {
  it("has the names of JSON-RPC for what ethers calls otherwise", () => {
    const fees = { gasUsed: 1, l1Fee: 3, operatorFeeScalar: 4, operatorFeeConstant: 5, daFootprintGasScalar: 6 };
    const log = { address: bob, topics: [hash], data: "0x", more: 1 };
    const told = { address: bob, topics: [hash], data: "0x" };
    const logs = [log, { ...log, index: 1 }, { ...log, logIndex: 2n, index: 9 }, { ...log, index: -1 }, "odd"];
    const given = { hash, from: alice, to: bob, contractAddress: null, blockHash: other, blockNumber: 7, ...fees };
    expect(toRpcReceipt({ ...given, gasPrice: 2n, status: 1, logs })).toEqual({
      ...{ transactionHash: hash, from: alice, to: bob, contractAddress: null, blockHash: other, blockNumber: "0x7" },
      ...{
        gasUsed: "0x1",
        effectiveGasPrice: "0x2",
        l1Fee: "0x3",
        operatorFeeScalar: "0x4",
        operatorFeeConstant: "0x5",
      },
      ...{ daFootprintGasScalar: "0x6", status: "0x1" },
      logs: [told, { ...told, logIndex: "0x1" }, { ...told, logIndex: "0x2" }, told, "odd"],
    });
    expect(toRpcReceipt({ hash, transactionHash: other, gasPrice: 1, effectiveGasPrice: 2 })).toMatchObject({
      ...{ transactionHash: other, effectiveGasPrice: "0x2" },
    });
  });

  it.each([
    ["success", "0x1"],
    ["reverted", "0x0"],
    ["0x1", "0x1"],
    [0, "0x0"],
    [undefined, undefined],
  ])("with status %s says %s", (status, told) => {
    expect(toRpcReceipt({ status, logs: {} })).toMatchObject({ status: told, logs: {} });
  });

  it("has a block likewise", () => {
    expect(toRpcBlock({ number: 1n, timestamp: 2, hash, more: 1 })).toEqual({ number: "0x1", timestamp: "0x2", hash });
    expect(toRpcBlock({ number: 1n })).toEqual({ number: "0x1" });
  });
});

describe("a case of what was given", () => {
  const transaction = { hash, from: alice, to: bob, value: 0, input: "0x" };
  const receipt = { transactionHash: hash, status: 1, logs: [], blockNumber: 26, blockHash: other };
  const made = (more: object = {}, of: object = {}, told: object = {}) =>
    caseFromReceipt({ transaction: { ...transaction, ...of }, receipt: { ...receipt, ...told }, ...more });
  const refused = (code: string, message: string) => expect.objectContaining({ name: "CaseInputError", code, message });

  it("says that nothing was asked, and has the block of the receipt", () => {
    const { receipt: _, transaction: __, ...rest } = made();
    expect(rest).toEqual({
      ...{ version: 2, chain_id: 8453, tx_hash: hash, gathered_at: "1970-01-01T00:00:00Z", tokens: {}, reads: [] },
      ...{ block: { number: "0x1a", hash: other }, trace: { source: "none", reason: "not given" } },
      price: { status: "unavailable", source: "not given", eth_usd: null },
    });
    expect(made({}, { blockNumber: "0x1a", blockHash: other.toUpperCase().replace("X", "x") }).block).toEqual({
      ...{ number: "0x1a", hash: other },
    });
    expect(
      made({}, { blockNumber: 6, blockHash: hash }, { blockNumber: undefined, blockHash: undefined }).block,
    ).toEqual({
      ...{ number: "0x6", hash },
    });
    expect(made({ block: null, trace: null }).block).toEqual({ number: "0x1a", hash: other });
    expect(made({ block: { number: 26, hash: other, timestamp: 5 } }).block).toEqual({
      ...{ number: "0x1a", hash: other, timestamp: "0x5" },
    });
  });

  it("has the trace in either form", () => {
    const frame = { type: "CALL", from: alice, to: bob, value: "0x0", input: "0x" };
    expect(made({ trace: frame }).trace).toMatchObject({ source: "debug_traceTransaction", root: frame });
    const action = { callType: "call", from: alice, to: bob, value: "0x0", input: "0x", gas: "0x1" };
    const flat = [{ type: "call", action, result: { gasUsed: "0x1", output: "0x" }, subtraces: 0, traceAddress: [] }];
    expect(made({ trace: flat }).trace).toMatchObject({ source: "trace_transaction", root: { from: alice, to: bob } });
  });

  it.each([
    [{ decimals: 0 }, 0],
    [{ decimals: 255n }, 255],
    [{ decimals: null }, null],
    [{}, null],
  ])("takes a token of %s", (given, decimals) => {
    const tokens = {
      [bob.toUpperCase().replace("0X", "0x")]: { symbol: "S", name: "N", standard: "erc721" as const, ...given },
    };
    expect(made({ tokens }).tokens).toEqual({
      [bob]: { status: "found", source: "given", symbol: "S", name: "N", decimals, standard: "erc721" },
    });
  });

  it("says what is wrong", () => {
    expect(() => made({}, { hash: "0x" })).toThrow(
      refused("invalid_transaction", "The transaction needs hash, from, to, value and input."),
    );
    expect(() => made({}, { chainId: 8454 })).toThrow(
      refused("wrong_chain", "The transaction is of chain 8454; Base is 8453."),
    );
    expect(made({}, { chainId: 8453 }).tx_hash).toBe(hash);
    expect(() => made({}, {}, { transactionHash: other })).toThrow(
      refused("wrong_transaction", `The receipt is of ${other}, and the transaction is ${hash}.`),
    );
    expect(made({}, {}, { transactionHash: undefined }).tx_hash).toBe(hash);
    expect(() => made({}, {}, { logs: undefined })).toThrow(
      refused("invalid_receipt", "The receipt needs its logs, each with address, topics and data."),
    );
    expect(() => made({}, {}, { blockNumber: null })).toThrow(
      refused("not_in_block", "The transaction is not in a block yet."),
    );
    expect(() => made({ block: { number: 8 } })).toThrow(
      refused("invalid_block", "The block is not block 26 of the receipt."),
    );
    expect(() => made({ trace: {} })).toThrow(
      refused("invalid_trace", `The trace is no call tree of a transaction from ${alice}.`),
    );
    for (const decimals of [-1, 256, 1.5, 256n])
      expect(() => made({ tokens: { [bob]: { decimals } } })).toThrow(
        refused("invalid_token", `The token ${bob} needs an address, and decimals from 0 to 255.`),
      );
    expect(() => made({ tokens: { USDC: {} } })).toThrow(
      refused("invalid_token", "The token USDC needs an address, and decimals from 0 to 255."),
    );
  });
});
