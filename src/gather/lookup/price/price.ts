import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../../kernel/address.ts";
import { decimalText } from "../../../kernel/amount.ts";
import { readHex } from "../../../kernel/hex.ts";
import type { PriceLookup } from "../../../model/case-file.ts";
import type { EthCall, EthCallAnswer } from "../fetch-details.ts";
import { readDecimals } from "../token-metadata.ts";
import { findRound, type Round, type RoundSearch, readRound } from "./price-history.ts";

export interface PriceAnswers {
  /** To `calls()`, in the same order. */
  answers: readonly EthCallAnswer[];
  /** Unix seconds; null: unknown. */
  blockTime: number | null;
  read: RoundSearch["read"];
  signal: AbortSignal;
}

/** ETH/USD at the block, in the second round trip. */
export type ChainlinkPrice = ReturnType<typeof createChainlinkPrice>;

/**
 * `latestRoundData` at the block; else the round history by time in the newest state, for `historyMs` milliseconds. A round after the
 * block, or over a day before it, is inconclusive.
 */
export function createChainlinkPrice(feed: Address, { historyMs = 2_500 }: { historyMs?: number } = {}) {
  /** Asked for only until the first answer: decimals never change. */
  let decimals: number | undefined;

  async function settle({ answers, blockTime, read, signal }: PriceAnswers): Promise<PriceLookup> {
    const [atBlock, latest, places] = answers;
    decimals ??= readDecimals(readHex(places)) ?? undefined;
    if (decimals === undefined || blockTime === null) return missing(feed, answers);
    const round = readRound(atBlock);
    // The node may have answered with the newest state: the round's time shows it.
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

/** Base updates at least every 20 minutes. */
const staleSeconds = 86_400;

interface RoundPlace {
  feed: Address;
  decimals: number;
  /** Unix seconds. */
  blockTime: number;
  via: string;
  /** Seconds; undefined: a day. */
  staleAfter?: number | undefined;
}

/** Inconclusive: after the block, or stale. */
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

/** `absent`: every call reverted; else `unavailable`, a retry may help. */
function missing(feed: Address, answers: readonly EthCallAnswer[]): PriceLookup {
  const status = answers.length > 0 && answers.every((answer) => answer === "reverted") ? "absent" : "unavailable";
  return { status, source: `chainlink:${feed}`, eth_usd: null };
}
