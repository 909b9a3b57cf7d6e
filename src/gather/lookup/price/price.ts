import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../../kernel/address.ts";
import { decimalText } from "../../../kernel/amount.ts";
import { readHex } from "../../../kernel/hex.ts";
import type { PriceLookup } from "../../../model/case-file.ts";
import type { EthCall, EthCallAnswer } from "../fetch-details.ts";
import { readDecimals } from "../token-metadata.ts";
import { findRound, type Round, type RoundSearch, readRound } from "./price-history.ts";

export interface PriceAnswers {
  /** Answers to `calls()`, in the same order. */
  answers: readonly EthCallAnswer[];
  /** Time of the block in Unix seconds; null when unknown. */
  blockTime: number | null;
  read: RoundSearch["read"];
  signal: AbortSignal;
}

/** Reads the ETH/USD price at a transaction's block, from calls that the second round trip sends. */
export type ChainlinkPrice = ReturnType<typeof createChainlinkPrice>;

/**
 * Makes the reader of a Chainlink price feed. It asks for `latestRoundData` at the block. If the node does not have that state, it searches
 * the feed's round history by time, in the newest state and for at most `historyMs` milliseconds. A price whose round began after the
 * block, or more than a day before it, is inconclusive.
 */
export function createChainlinkPrice(feed: Address, { historyMs = 2_500 }: { historyMs?: number } = {}) {
  /** The feed's decimals never change, so they are asked for only until the first answer. */
  let decimals: number | undefined;

  async function settle({ answers, blockTime, read, signal }: PriceAnswers): Promise<PriceLookup> {
    const [atBlock, latest, places] = answers;
    decimals ??= readDecimals(readHex(places)) ?? undefined;
    if (decimals === undefined || blockTime === null) return missing(feed, answers);
    const round = readRound(atBlock);
    // A node without the old state may answer with the newest one. The time of the round shows which it was.
    if (round !== undefined && round.updatedAt <= blockTime)
      return judgeRound(round, { feed, decimals, blockTime, via: "block" });
    const newest = readRound(latest);
    if (newest === undefined) return missing(feed, answers);
    const within = AbortSignal.any([signal, AbortSignal.timeout(historyMs)]);
    const found = await findRound({ feed, newest, time: blockTime, read, signal: within });
    if (found === "unavailable") return { status: "unavailable", source: `chainlink:${feed}@history`, eth_usd: null };
    if (found === "none") return { status: "absent", source: `chainlink:${feed}@history`, eth_usd: null };
    return judgeRound(found, { feed, decimals, blockTime, via: `round ${found.id}` });
  }

  return {
    calls: (): EthCall[] => [
      { to: feed, data: latestRoundData, at: "block" },
      { to: feed, data: latestRoundData, at: "latest" },
      ...(decimals === undefined ? [{ to: feed, data: decimalsCall, at: "latest" as const }] : []),
    ],
    /** Never rejects. */
    settle,
  };
}

const feedAbi = parseAbi([
  "function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)",
  "function decimals() view returns (uint8)",
]);
export const latestRoundData = encodeFunctionData({ abi: feedAbi, functionName: "latestRoundData" });
export const decimalsCall = encodeFunctionData({ abi: feedAbi, functionName: "decimals" });

/** On Base the feed is updated at least every 20 minutes, so a round as old as this says nothing about the block. */
const staleSeconds = 86_400;

interface RoundPlace {
  feed: Address;
  decimals: number;
  /** Unix seconds. */
  blockTime: number;
  /** How the round was found. */
  via: string;
  /** The age in seconds up to which a round tells a price; undefined: a day. */
  staleAfter?: number | undefined;
}

/** Makes a price from a round. It is inconclusive when the round began after the block, or so long before it that it is stale. */
export function judgeRound(
  round: Round,
  { feed, decimals, blockTime, via, staleAfter = staleSeconds }: RoundPlace,
): PriceLookup {
  const source = `chainlink:${feed}@${via}`;
  if (round.answer <= 0n || round.updatedAt > blockTime || blockTime - round.updatedAt > staleAfter) {
    return { status: "inconclusive", source, eth_usd: null };
  }
  return { status: "found", source, eth_usd: decimalText(round.answer, decimals) };
}

/** The lookup without a price. If every call reverted, there is no such feed (`absent`); otherwise a retry may help (`unavailable`). */
function missing(feed: Address, answers: readonly EthCallAnswer[]): PriceLookup {
  const status = answers.length > 0 && answers.every((answer) => answer === "reverted") ? "absent" : "unavailable";
  return { status, source: `chainlink:${feed}`, eth_usd: null };
}
