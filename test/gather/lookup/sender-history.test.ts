import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import {
  alice,
  approvalForAllCall,
  approveCall,
  permit2,
  someone,
  token,
  transferCall,
} from "../../engine/assess/scene.ts";
import { startFactServer } from "../../support/fact-server.ts";
import { hashOf } from "../../support/sample.ts";
import { bob, explorer, historyAt, inner, moved, router, sent, spender } from "./listed-history.ts";

const calls = parseAbi([
  "function increaseAllowance(address spender, uint256 addedValue)",
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
]);
const increase = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: calls, functionName: "increaseAllowance", args: [to, amount] });
const permit2Approve = (amount: bigint) =>
  encodeFunctionData({ abi: calls, functionName: "approve", args: [token, spender, amount, 1] });

describe("the history of a sender", () => {
  it.each<[string, object[], Address[]]>([
    ["whom it paid", [sent(bob, { value: "5" })], [bob]],
    ["what it called", [sent(router, { raw_input: "0x12345678" })], [router]],
    ["whom it sent tokens to, not the token", [sent(token, { raw_input: transferCall(bob, 5n) })], [bob]],
    ["whom it approved, not the token", [sent(token, { raw_input: approveCall(spender, 5n) })], [spender]],
    ["whom it allowed more, not the token", [sent(token, { raw_input: increase(spender, 5n) })], [spender]],
    ["whom it approved at Permit2, not Permit2", [sent(permit2, { raw_input: permit2Approve(5n) })], [spender]],
    [
      "a contract that is not Permit2 and has its function",
      [sent(router, { raw_input: permit2Approve(5n) })],
      [router],
    ],
    ["whom it let move its NFTs", [sent(token, { raw_input: approvalForAllCall(spender, true) })], [spender]],
    ["what it created", [sent(null, { created_contract: { hash: router } })], [router]],
  ])("names %s", async (_name, transactions, expected) => {
    const { ask } = await explorer({ transactions });
    expect(await ask()).toMatchObject({
      status: "found",
      complete: true,
      counterparties: expected,
      through_code: false,
    });
  });

  it.each<[string, object[]]>([
    ["a call without value and data", [sent(bob)]],
    ["a transfer of nothing", [sent(token, { raw_input: transferCall(bob, 0n) })]],
    ["an approval of nothing", [sent(token, { raw_input: approveCall(spender, 0n) })]],
    ["an approval of nothing at Permit2", [sent(permit2, { raw_input: permit2Approve(0n) })]],
    ["a right that was taken back", [sent(token, { raw_input: approvalForAllCall(spender, false) })]],
    ["what failed", [sent(bob, { value: "5", status: "error" })]],
  ])("does not count %s", async (_name, transactions) => {
    const { ask } = await explorer({ transactions });
    expect(await ask()).toMatchObject({ status: "found", counterparties: [] });
  });

  it("counts token transfers of the account's own acts, and none that others wrote into a log", async () => {
    const own = sent(router, { raw_input: "0x12345678" });
    const lists = {
      transactions: [own],
      "token-transfers": [
        moved(own.hash, bob),
        moved(own.hash, spender, { value: "0" }),
        moved(hashOf(999), someone("thief")),
      ],
    };
    const { ask } = await explorer(lists);
    expect((await ask()).counterparties).toEqual([bob, router].sort());
  });

  it("keeps what was paid and when, for transfers of the account's own acts", async () => {
    const own = sent(token, { raw_input: transferCall(bob, 5n) });
    const row = {
      ...moved(own.hash, bob, { value: "1250000", decimals: "6" }),
      timestamp: "2026-01-02T03:04:05.000000Z",
    };
    const undated = moved(own.hash, bob);
    const { ask } = await explorer({ transactions: [own], "token-transfers": [row, undated] });
    expect((await ask()).payments).toEqual([{ amount: "1.25", time: "2026-01-02T03:04:05.000Z" }]);
  });

  it.each([
    [19, 19],
    [20, 20],
    [21, 20],
  ])("of %d payments keeps %d, the newest", async (paid, kept) => {
    const own = sent(token, { raw_input: transferCall(bob, 5n) });
    const rows = Array.from({ length: paid }, (_, i) => ({
      ...moved(own.hash, bob, { value: `${i + 1}`, decimals: "0" }),
      timestamp: "2026-01-02T03:04:05.000000Z",
    }));
    const { ask } = await explorer({ transactions: [own], "token-transfers": rows });
    expect((await ask()).payments?.map(({ amount }) => Number(amount))).toEqual(
      Array.from({ length: kept }, (_, i) => i + 1),
    );
  });

  it("counts NFTs, which have an id and no value", async () => {
    const own = sent(router, { raw_input: "0x12345678" });
    const { ask } = await explorer({
      transactions: [own],
      "token-transfers": [moved(own.hash, bob, { token_id: "7" })],
    });
    expect((await ask()).counterparties).toContain(bob);
  });

  it("counts what an account did through its code, and says that it has code", async () => {
    const account = someone("account");
    const from = { from: { hash: account } };
    const rows = [
      inner(bob, { value: "5", ...from }),
      inner(router, from),
      inner(spender, { success: false, ...from }),
    ];
    const { ask } = await explorer({ "internal-transactions": rows });
    expect(await ask({}, account)).toMatchObject({
      status: "found",
      through_code: true,
      counterparties: [bob, router].sort(),
    });
  });

  it("ends before the transaction: what is later, and the transaction itself, is no history", async () => {
    const transactions = [
      sent(someone("later"), { value: "5", block_number: 101 }),
      sent(someone("after"), { value: "5", block_number: 100, position: 4 }),
      sent(someone("itself"), { value: "5", block_number: 100, position: 3, hash: hashOf(7) }),
      sent(bob, { value: "5", block_number: 100, position: 2 }),
    ];
    const { ask, server } = await explorer({ transactions });
    expect(await ask({ nonce: 1 })).toMatchObject({ complete: true, counterparties: [bob], unordered: [] });
    expect(server.visits[0]).toContain("block_number=101");
  });

  it("does not decide the order of what it cannot place in the block", async () => {
    const { ask } = await explorer({
      transactions: [sent(bob, { value: "5", block_number: 100, position: undefined })],
    });
    expect(await ask({ nonce: 1 })).toMatchObject({ counterparties: [], unordered: [bob] });
  });

  it("starts from the newest where the server takes no place to start from", async () => {
    const own = sent(bob, { value: "5" });
    const server = await startFactServer((url) => {
      if (url.searchParams.has("block_number")) return { status: 422, body: { errors: [] } };
      return { body: { items: url.pathname.endsWith("/transactions") ? [own] : [], next_page_params: null } };
    });
    const look = historyAt(server.url);
    const place = { hash: hashOf(7), from: alice, nonce: 1, block: 100, index: 3 };
    expect(await look({ account: alice, place, signal: AbortSignal.timeout(1_000), time: () => "then" })).toMatchObject(
      {
        complete: true,
        counterparties: [bob],
      },
    );
  });

  it("is read once for one transaction, and a failure is not kept", async () => {
    const { server, ask } = await explorer({ transactions: [sent(bob, { value: "5" })] });
    server.fault = "shape";
    await ask();
    server.fault = null;
    await ask();
    await ask();
    expect(server.visits).toHaveLength(6);
  });
});
