import { encodeFunctionData, erc20Abi } from "viem";
import { describe, expect, it } from "vitest";
import {
  partiesOfTransaction,
  partyIn,
  paymentOf,
  receiverOfTransfer,
} from "../../../src/gather/lookup/risk/own-act.ts";
import { createSenderHistory } from "../../../src/gather/lookup/risk/sender-history.ts";
import type { Blockscout } from "../../../src/gather/network/blockscout/blockscout.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { TransactionPlace } from "../../../src/model/lookup-plan.ts";
import { hashOf } from "../../support/sample.ts";

const addressOf = (digits: string) => `0x${digits.repeat(20)}` as Address;
const [alice, bob, spender, token] = [addressOf("a1"), addressOf("b2"), addressOf("c3"), addressOf("d4")];
const transferCall = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
const pullCall = (from: Address, to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [from, to, amount] });
const zero = `0x${"0".repeat(40)}`;
const hash = (address: string) => ({ hash: address });

/** Calls that begin with 0xaaaaaaaa give the spender a right, those with 0xbbbbbbbb take one back. */
const readGrantee = (to: Address, input: Hex) => {
  expect(to).toBe(token);
  return input.startsWith("0xaaaaaaaa") ? spender : input.startsWith("0xbbbbbbbb") ? null : undefined;
};

describe("the parties of a transaction", () => {
  it.each<[string, object, Address[]]>([
    ["a payment", { to: hash(bob), value: "5" }, [bob]],
    ["a payment with three bytes of data", { to: hash(bob), value: "5", raw_input: "0x123456" }, [bob]],
    ["no value, and three bytes", { to: hash(bob), value: "0", raw_input: "0x123456" }, []],
    ["no value that is named", { to: hash(bob) }, []],
    ["a value that is none", { to: hash(bob), value: "x" }, []],
    ["a call", { to: hash(token), raw_input: "0x12345678" }, [token]],
    ["a call with value", { to: hash(token), value: "5", raw_input: "0x12345678" }, [token]],
    ["a right", { to: hash(token), raw_input: "0xaaaaaaaa" }, [spender]],
    ["a right with value", { to: hash(token), value: "5", raw_input: "0xaaaaaaaa" }, [spender, token]],
    ["a right that is taken back", { to: hash(token), raw_input: "0xbbbbbbbb" }, []],
    ["the same with value", { to: hash(token), value: "5", raw_input: "0xbbbbbbbb" }, [token]],
    ["a transfer", { to: hash(token), raw_input: transferCall(bob, 1n) }, [bob]],
    ["a transfer of nothing", { to: hash(token), raw_input: transferCall(bob, 0n) }, []],
    ["a transfer to nobody", { to: hash(token), raw_input: transferCall(zero as Address, 1n) }, []],
    ["a transfer from somebody", { to: hash(token), raw_input: pullCall(alice, bob, 1n) }, [bob]],
    ["a transfer of nothing from somebody", { to: hash(token), raw_input: pullCall(alice, bob, 0n) }, []],
    ["half a transfer", { to: hash(token), raw_input: transferCall(bob, 1n).slice(0, 20) }, [token]],
    ["what failed", { to: hash(bob), value: "5", status: "error" }, []],
    ["what failed, in other words", { to: hash(bob), value: "5", result: "error" }, []],
    ["a creation", { to: null, created_contract: hash(bob) }, [bob]],
    ["a creation of nothing", { to: null }, []],
    ["a payment to nobody", { to: hash(zero), value: "5" }, []],
  ])("of %s", (_name, row, parties) => {
    expect(partiesOfTransaction(row as never, readGrantee)).toEqual(parties);
  });

  it("are addresses as the explorer writes them", () => {
    expect(partyIn(hash(bob.toUpperCase().replace("0X", "0x")))).toBe(bob);
    expect([undefined, null, bob, hash("0x"), hash(zero)].map(partyIn)).toEqual(Array(5).fill(undefined));
  });
});

describe("a listed token transfer", () => {
  it.each<[object, Address | undefined]>([
    [{ total: { value: "1" } }, bob],
    [{ total: { value: "0" } }, undefined],
    [{ total: { value: "0", token_id: "7" } }, undefined],
    [{ total: { token_id: "7" } }, bob],
    [{ total: { value: "x" } }, undefined],
    [{ total: null }, undefined],
    [{}, undefined],
  ])("%j is to %s", (row, receiver) => {
    expect(receiverOfTransfer({ to: hash(bob), ...row })).toBe(receiver);
  });

  const timestamp = "2026-01-02T03:04:05.000000Z";
  it.each<[string, object, string | undefined]>([
    ["six places", { total: { value: "1500000", decimals: "6" } }, "1.5"],
    ["no place", { total: { value: "15", decimals: "0" } }, "15"],
    ["as many places as there may be", { total: { value: "1", decimals: "77" } }, `0.${"0".repeat(76)}1`],
    ["more places", { total: { value: "1", decimals: "78" } }, undefined],
    ["no places named", { total: { value: "1" } }, undefined],
    ["no value", { total: { decimals: "6" } }, undefined],
    ["no time", { total: { value: "1", decimals: "0" }, timestamp: undefined }, undefined],
    ["no such time", { total: { value: "1", decimals: "0" }, timestamp: "once" }, undefined],
    ["a time as a number", { total: { value: "1", decimals: "0" }, timestamp: 5 }, undefined],
  ])("is a payment with %s", (_name, row, amount) => {
    const payment = amount === undefined ? undefined : { amount, time: "2026-01-02T03:04:05.000Z" };
    expect(paymentOf({ timestamp, ...row })).toEqual(payment);
  });
});

describe("what counts of a history", () => {
  const place = { hash: hashOf(7), from: alice, nonce: 0, block: 100, index: 3 };
  const at = { block_number: 50, position: 0, from: hash(alice) };
  let nextHash = 100;
  const paid = (to: Address, parts: object = {}) => ({
    hash: hashOf(nextHash++),
    ...at,
    to: hash(to),
    value: "5",
    ...parts,
  });
  const called = (to: Address | null, parts: object = {}) => ({
    ...{ transaction_hash: hashOf(nextHash++), block_number: 50, transaction_index: 0, from: hash(alice) },
    ...{ to: to === null ? null : hash(to), type: "call", success: true, ...parts },
  });

  interface Lists {
    transactions?: object[];
    "token-transfers"?: object[];
    "internal-transactions"?: object[];
    /** Lists with more pages than are read, and lists that did not come. */
    endless?: string;
    silent?: string;
  }

  async function ask(lists: Lists, asked: Partial<TransactionPlace> = {}, account = alice) {
    const starts: object[] = [];
    const blockscout = {
      ...{ name: "explorer", wantsKey: { history: () => false } },
      readAccountList: async ({ list, start, pages }: { list: keyof Lists; start: object; pages: number }) => {
        starts.push({ list, pages, ...start });
        if (list === lists.silent) return undefined;
        return { rows: lists[list] ?? [], ended: list !== lists.endless };
      },
    } as unknown as Blockscout;
    const look = createSenderHistory(blockscout, { pages: 2, readGrantee: () => undefined, clock: { now: () => 1 } });
    const told = await look({
      account,
      place: { ...place, ...asked },
      signal: new AbortController().signal,
      time: () => "then",
    });
    return { told, starts };
  }
  const base = { source: "explorer", time: "then" };
  const whole = { ...base, status: "found", complete: true, through_code: false, counterparties: [], unordered: [] };

  it("is asked from the block after the transaction, backwards", async () => {
    const { told, starts } = await ask({});
    const from = { block_number: "101", index: "0", items_count: "50", pages: 2 };
    expect(starts).toEqual([
      { list: "transactions", ...from },
      { list: "token-transfers", ...from },
      { list: "internal-transactions", ...from, transaction_index: "0" },
    ]);
    expect(told).toEqual(whole);
  });

  it.each(["transactions", "token-transfers", "internal-transactions"])("is all of it: %s", async (list) => {
    const lists = { transactions: [paid(bob)] };
    expect((await ask({ ...lists, silent: list })).told).toEqual({ ...whole, status: "unavailable", complete: false });
    const partial = { ...whole, status: "inconclusive", complete: false, counterparties: [bob] };
    expect((await ask({ ...lists, endless: list }, { nonce: 1 })).told).toEqual(partial);
  });

  it.each<[string, object, "counterparties" | "unordered" | null]>([
    ["a block before", { block_number: 99 }, "counterparties"],
    ["under its other name", { block_number: undefined, block: 99 }, "counterparties"],
    ["the same block, before", { block_number: 100, position: 2 }, "counterparties"],
    ["under its other name", { block_number: 100, position: undefined, transaction_index: 2 }, "counterparties"],
    ["the same block, at the place", { block_number: 100, position: 3 }, null],
    ["the same block, somewhere", { block_number: 100, position: undefined }, "unordered"],
    ["a block after", { block_number: 101 }, null],
    ["no block", { block_number: undefined }, null],
    ["the transaction itself", { hash: hashOf(7) }, null],
    ["somebody else", { from: hash(bob) }, null],
  ])("is what came before: %s", async (_name, parts, where) => {
    const { told } = await ask({ transactions: [paid(bob, parts)] });
    expect(told).toEqual({ ...whole, ...(where === null ? {} : { [where]: [bob] }) });
  });

  it("is what an account of code was called to do, with the tokens that moved", async () => {
    const calls = [called(spender), called(spender, { type: "delegatecall" })];
    const moved = calls.map((call, i) => ({
      ...{ transaction_hash: (call as { transaction_hash: string }).transaction_hash, block_number: 50 },
      ...{ from: hash(alice), to: hash([bob, token][i] as Address), total: { value: "1", decimals: "0" } },
    }));
    const stray = { ...moved[0], transaction_hash: hashOf(9), to: hash(addressOf("e5")) };
    const lists = { "internal-transactions": calls, "token-transfers": [...moved, stray] };
    const { told } = await ask(lists, { from: bob });
    expect(told).toMatchObject({ through_code: true, counterparties: [bob, spender, token] });
  });

  it("knows no order in the block of a transaction whose place is not known", async () => {
    const transactions = [
      paid(bob, { block_number: 100, position: 2 }),
      paid(spender, { block_number: 100, position: 2 }),
    ];
    const { told } = await ask({ transactions: [...transactions, paid(spender)] }, { index: null });
    expect(told).toEqual({ ...whole, counterparties: [spender], unordered: [bob] });
  });

  it.each<[string, object, Address[]]>([
    ["a call", {}, [bob]],
    ["a call of a kind that is not told", { type: undefined }, [bob]],
    ["a creation", { to: null, created_contract: hash(spender) }, [spender]],
    ["a delegate call", { type: "delegatecall" }, []],
    ["a static call", { type: "staticcall" }, []],
    ["a call that failed", { success: false }, []],
    ["a call of nobody", { to: null }, []],
  ])("through code: %s", async (_name, parts, counterparties) => {
    const { told } = await ask({ "internal-transactions": [called(bob, parts)] });
    expect(told).toEqual({ ...whole, through_code: true, counterparties });
  });

  it("through code, is what the account itself did before", async () => {
    const rows = [called(bob, { from: hash(spender) }), called(bob, { block_number: 101 })];
    expect((await ask({ "internal-transactions": rows })).told).toEqual(whole);
  });

  it.each(["transaction_hash", "tx_hash", "transaction"])("joins transfers to acts by %s", async (name) => {
    const act = paid(bob);
    const row = { from: hash(alice), to: hash(spender), total: { value: "1", decimals: "0" } };
    const named = { [name]: name === "transaction" ? { hash: act.hash } : act.hash };
    const lists = { transactions: [act], "token-transfers": [{ ...row, ...named }] };
    expect((await ask(lists)).told.counterparties).toEqual([bob, spender].sort());
    const others = [
      { ...row, ...named, from: hash(bob) },
      { ...row, tx_hash: hashOf(1) },
    ];
    expect((await ask({ ...lists, "token-transfers": others })).told.counterparties).toEqual([bob]);
  });

  it.each<[string, Lists, Partial<TransactionPlace>, Address, boolean]>([
    ["as many as the nonce says", { transactions: [paid(bob)] }, { nonce: 1 }, alice, true],
    ["fewer", { transactions: [paid(bob)] }, { nonce: 2 }, alice, false],
    ["none, of a new account", {}, { nonce: 0 }, alice, true],
    ["none, without a nonce", {}, { nonce: null }, alice, false],
    ["one, without a nonce", { transactions: [paid(bob)] }, { nonce: null }, alice, true],
    ["none, of another account", {}, { nonce: 0 }, bob, false],
    [
      "one call, of another account",
      { "internal-transactions": [called(spender, { from: hash(bob) })] },
      { nonce: 9 },
      bob,
      true,
    ],
  ])("is complete or not: %s", async (_name, lists, asked, account, complete) => {
    const { told } = await ask(lists, asked, account);
    expect([told.complete, told.status]).toEqual([complete, complete ? "found" : "inconclusive"]);
  });
});
