import { encodeFunctionData, multicall3Abi, parseAbi } from "viem";
import { openDeadline } from "../../../kernel/abort.ts";
import { type Address, zeroAddress } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { limits } from "../../../kernel/limits.ts";
import type { BalanceLookup, CaseFile, TokenPrice, ViewLookups } from "../../../model/case-file.ts";
import type { PriceFeed } from "../../../model/label.ts";
import type { Network } from "../../network/network.ts";
import { decodeReads, encodeReads, ethCall, type Read } from "../../network/rpc/multicall.ts";
import { decimalsCall, judgeRound, latestRoundData } from "../price/price.ts";
import { readRound } from "../price/price-history.ts";
import { readDecimals } from "../token-metadata.ts";

/** Fungible tokens that moved. */
export interface ViewPlan {
  account: Address;
  tokens: readonly Address[];
  /** In and out in equal amounts; balances show whether that is true. */
  passed?: readonly Address[];
}

export interface ViewLookupOptions {
  network: Pick<Network, "pool" | "prices">;
  /** Multicall3 on this chain. */
  multicall: Address;
  feedOf: (token: Address) => PriceFeed | undefined;
  /** For all lookups of a view. */
  deadlineMs: number;
}

/** Never rejects: the case file marks a missing answer. */
export type LookUpView = (caseFile: CaseFile, plan: ViewPlan, signal?: AbortSignal) => Promise<CaseFile>;

/** One round trip: price feeds, balances at the block and the one before; beside it the price API for tokens without a feed. */
export function openViewLookup({ network, multicall, feedOf, deadlineMs }: ViewLookupOptions): LookUpView {
  return async (caseFile, { account, tokens: wanted, passed = [] }, outer) => {
    const tokens = wanted.slice(0, limits.tokensMax);
    const held = [...new Set([...tokens, ...passed])].slice(0, limits.tokensMax);
    const deadline = openDeadline(deadlineMs, outer);
    const { signal } = deadline;
    const priced = tokens.map((token) => ({ token, feed: feedOf(token) }));
    const feeds = priced.flatMap(({ token, feed }) => (feed === undefined ? [] : [{ token, ...feed }]));
    const unfed = priced.filter(({ feed }) => feed === undefined).map(({ token }) => token);
    const time = caseFile.block.timestamp === undefined ? null : Number(caseFile.block.timestamp);
    try {
      const [states, listed] = await Promise.all([
        readStates(network.pool, { caseFile, account, tokens: held, feeds, multicall, signal }),
        time === null || unfed.length === 0 ? undefined : network.prices?.pricesAt(unfed, time, signal),
      ]);
      const prices: Record<string, TokenPrice> = {};
      for (const [i, { token, ...feed }] of feeds.entries())
        prices[token] = judgeFeed(feed, states?.feeds.slice(i * 2, i * 2 + 2), time);
      for (const token of unfed) prices[token] = judgeListed(network.prices?.name, listed, token);
      const balances = [null, ...held].map((token, i) => balanceOf(token, states?.before[i], states?.after[i]));
      const view: ViewLookups = { account, prices, balances };
      return { ...caseFile, view };
    } finally {
      deadline.end();
    }
  };
}

interface StatesQuestion {
  caseFile: CaseFile;
  account: Address;
  tokens: readonly Address[];
  feeds: readonly PriceFeed[];
  multicall: Address;
  signal: AbortSignal;
}

/** Feeds (round, then decimals), balances (ether first); null: no such state. */
interface States {
  feeds: readonly (Hex | null)[];
  before: readonly (Hex | null)[];
  after: readonly (Hex | null)[];
}

async function readStates(
  pool: Network["pool"],
  { caseFile, account, tokens, feeds, multicall, signal }: StatesQuestion,
): Promise<States | undefined> {
  const block = Number(caseFile.block.number);
  const balances = balanceReads(account, tokens, multicall);
  const feedReads = feeds.flatMap(({ feed }) => [
    { to: feed, data: latestRoundData },
    { to: feed, data: decimalsCall },
  ]);
  const placed: Read[] = [{ to: multicall, data: blockNumberCall }, ...balances];
  const call = (reads: readonly Read[], at: number) =>
    ethCall({ to: multicall, data: encodeReads(reads) }, `0x${at.toString(16)}`);
  const calls = [call([...placed, ...feedReads], block), ...(block === 0 ? [] : [call(placed, block - 1)])];
  return pool.tryEach<States>(async (endpoint) => {
    const answers = await endpoint.ask(calls, signal);
    if (typeof answers === "string") return undefined;
    const [now, earlier] = answers;
    const at = now?.ok ? decodeReads(now.result, placed.length + feedReads.length) : undefined;
    if (at === undefined) return undefined;
    const then = earlier?.ok ? decodeReads(earlier.result, placed.length) : undefined;
    // A node may answer with the newest state: the block number shows it.
    const isAt = (returns: readonly (Hex | null)[] | undefined, number: number) =>
      returns?.[0] !== undefined && returns[0] !== null && Number(returns[0]) === number;
    const nothing = balances.map(() => null);
    return {
      feeds: at.slice(placed.length),
      after: isAt(at, block) ? at.slice(1, placed.length) : nothing,
      before: isAt(then, block - 1) ? (then ?? []).slice(1) : nothing,
    };
  }, signal);
}

function balanceReads(account: Address, tokens: readonly Address[], multicall: Address): Read[] {
  const ether = encodeFunctionData({ abi: multicall3Abi, functionName: "getEthBalance", args: [account] });
  const balance = encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args: [account] });
  return [{ to: multicall, data: ether }, ...tokens.map((to) => ({ to, data: balance }))];
}

function balanceOf(
  token: Address | null,
  before: Hex | null | undefined,
  after: Hex | null | undefined,
): BalanceLookup {
  // What is there was destroyed.
  if (token === zeroAddress) return { status: "absent", token, before: null, after: null };
  const [had, has] = [before, after].map((data) => (data?.length === 66 ? BigInt(data).toString() : null));
  const status = had !== null && has !== null ? "found" : before === undefined ? "unavailable" : "inconclusive";
  return { status, token, before: had ?? null, after: has ?? null };
}

function judgeFeed(
  { feed, staleAfter }: PriceFeed,
  returns: readonly (Hex | null)[] | undefined,
  time: number | null,
): TokenPrice {
  const source = `chainlink:${feed}@block`;
  if (returns === undefined || time === null) return { status: "unavailable", source, usd: null };
  const [data, places] = returns;
  const [round, decimals] = [readRound(data), readDecimals(places)];
  if (round === undefined || decimals === null) return { status: "absent", source, usd: null };
  const { eth_usd: usd, ...told } = judgeRound(round, { feed, decimals, blockTime: time, via: "block", staleAfter });
  return { ...told, usd };
}

function judgeListed(
  name: string | undefined,
  prices: ReadonlyMap<Address, string> | undefined,
  token: Address,
): TokenPrice {
  if (name === undefined) return { status: "absent", source: "no price source is configured", usd: null };
  if (prices === undefined) return { status: "unavailable", source: name, usd: null };
  const usd = prices.get(token);
  return usd === undefined ? { status: "absent", source: name, usd: null } : { status: "found", source: name, usd };
}

const tokenAbi = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);
const blockAbi = parseAbi(["function getBlockNumber() view returns (uint256)"]);
const blockNumberCall = encodeFunctionData({ abi: blockAbi, functionName: "getBlockNumber" });
