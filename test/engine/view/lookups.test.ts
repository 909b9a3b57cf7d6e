import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, multicall3Abi, toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/engine/spine.ts";
import { openViewLookup } from "../../../src/gather/lookup/view/view-lookup.ts";
import { openNetwork } from "../../../src/gather/network/network.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { labels, ruleset } from "../../property/world.ts";
import { alice, bob, caseOf, token, transferLog, usdc } from "../../support/case-of.ts";
import { RpcFault, startRpcServer } from "../../support/rpc-server.ts";
import { compileSchema } from "../../support/schema.ts";

const multicall = toAddress("0xca11bde05977b3631167028862be2a173976ca11");
const feed = labels.feed(usdc)?.feed as Address;
const time = 1_700_000_000;
const isCase = compileSchema("view");

interface State {
  /** Base units by lower-case token; `ether` for ether. */
  before: Record<string, bigint>;
  after: Record<string, bigint>;
  round?: { answer: bigint; updatedAt: number };
  /** The only block whose state the node has. It gives this state for every block. */
  only?: number;
}

/** A node with Multicall3, a feed and balances in blocks 6 and 7. */
function nodeOf({ before, after, round = { answer: 99_990_000n, updatedAt: time - 60 }, only }: State) {
  const answer = (to: string, data: Hex, block: number): Hex => {
    const balances = block === 7 ? after : before;
    const selector = data.slice(0, 10);
    const word = (value: bigint) => encodeAbiParameters([{ type: "uint256" }], [value]);
    if (to === feed && selector === toFunctionSelector("decimals()")) return word(8n);
    if (to === feed) {
      const types = ["uint80", "int256", "uint256", "uint256", "uint80"].map((type) => ({ type }));
      return encodeAbiParameters(types, [1n, round.answer, 1n, BigInt(round.updatedAt), 1n]);
    }
    if (selector === toFunctionSelector("getBlockNumber()")) return word(BigInt(block));
    return word(balances[to === multicall ? "ether" : to] ?? 0n);
  };
  return {
    eth_chainId: () => "0x2105",
    eth_call: ({ data }: { data: Hex }, tag: Hex) => {
      const asked = Number(tag);
      if (asked !== 7 && asked !== 6) throw new RpcFault(-32000, "missing trie node");
      const { args } = decodeFunctionData({ abi: multicall3Abi, data });
      const [calls] = args as unknown as [{ target: string; callData: Hex }[]];
      const result = calls.map(({ target, callData }) => {
        return { success: true, returnData: answer(target.toLowerCase(), callData, only ?? asked) };
      });
      return encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result });
    },
  };
}

const file: CaseFile = caseOf({
  block: { number: "0x7", timestamp: `0x${time.toString(16)}` },
  transaction: { to: usdc },
  receipt: { logs: [transferLog(usdc, alice, bob, 5_000_000n), transferLog(token, alice, bob, 7n)] },
});

async function viewWith(state: State, prices?: (url: URL) => { status: number; body: unknown }) {
  const server = await startRpcServer({ methods: nodeOf(state), ...(prices && { explorer: prices }) });
  const pricesUrl = prices === undefined ? null : server.url;
  const options = { chainId: 8453, rpcUrls: [server.url], callTimeoutMs: 2_000, blockscoutUrl: null, pricesUrl };
  const network = openNetwork(options);
  const lookUp = openViewLookup({ network, multicall, feedOf: labels.feed, deadlineMs: 5_000 });
  const completed = await lookUp(file, { account: bob, tokens: [usdc, token] });
  network.close();
  return { completed, viewed: decide(completed, ruleset, labels).view(bob), server };
}

describe("the view of an account", () => {
  it("has the price of a feed at the block, and says that the balances agree", async () => {
    const { viewed, server } = await viewWith({ before: { [usdc]: 1n }, after: { [usdc]: 5_000_001n, [token]: 7n } });
    expect(isCase(viewed), JSON.stringify(isCase.errors)).toBe(true);
    expect(viewed).toMatchObject({ role: "counterparty", paid_gas_usd: 0 });
    expect(viewed.balance_changes).toMatchObject([
      { token: "USDC", delta: "5", usd: 4.9995, price_source: `chainlink:${feed}@block`, balance_check: "equal" },
      { delta: "7", usd: null, price_source: null, balance_check: "equal" },
    ]);
    expect(server.batches).toEqual([["eth_chainId", "eth_call", "eth_call"]]);
  });

  it("says where a token keeps its balances otherwise", async () => {
    // A fee of 1 % on each transfer.
    const { viewed } = await viewWith({ before: {}, after: { [usdc]: 4_950_000n, [token]: 7n } });
    expect(viewed.balance_changes.map(({ balance_check }) => balance_check)).toEqual(["differs", "equal"]);
  });

  it.each([
    ["is older than a day", { answer: 1n, updatedAt: time - 86_401 }],
    ["is younger than the block", { answer: 1n, updatedAt: time + 1 }],
    ["is not positive", { answer: 0n, updatedAt: time }],
  ])("has no price where the feed's round %s", async (_why, round) => {
    const { viewed, completed } = await viewWith({ before: {}, after: {}, round });
    expect(completed.view?.prices[usdc]).toMatchObject({ status: "inconclusive", usd: null });
    expect(viewed.balance_changes[0]).toMatchObject({ usd: null, price_source: null });
  });

  it("believes no balance of a state that is not the block's", async () => {
    const { viewed } = await viewWith({ before: {}, after: { [usdc]: 1n }, only: 9 });
    expect(viewed.balance_changes.map(({ balance_check }) => balance_check)).toEqual(["not_checked", "not_checked"]);
  });

  it("asks the price API for tokens without a feed, and takes a price of that day that it is sure of", async () => {
    const answers: [object, string | null][] = [
      [{ price: 2.5e-7, timestamp: time - 100, confidence: 0.99 }, "0.00000025"],
      [{ price: 3, timestamp: time - 90_000, confidence: 0.99 }, null],
      [{ price: 3, timestamp: time, confidence: 0.5 }, null],
      [{ price: -3, timestamp: time }, null],
    ];
    for (const [coin, usd] of answers) {
      const { completed, server } = await viewWith({ before: {}, after: {} }, () => {
        return { status: 200, body: { coins: { [`base:${token}`]: coin } } };
      });
      expect(completed.view?.prices[token]).toMatchObject({ status: usd === null ? "absent" : "found", usd });
      expect(server.visits).toEqual([`/prices/historical/${time}/base:${token}`]);
    }
  });

  it("is told without prices where nobody answers", async () => {
    const { completed, viewed } = await viewWith({ before: {}, after: {} }, () => ({ status: 500, body: {} }));
    expect(completed.view?.prices[token]).toMatchObject({ status: "unavailable", usd: null });
    expect(viewed.balance_changes[1]).toMatchObject({ usd: null, delta: "7" });
  });
});
