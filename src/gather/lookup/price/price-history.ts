import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";

/**
 * One update of a Chainlink feed. `id` is the round id of the proxy contract: 80 bits; the upper 16 are the phase. `updatedAt` is in Unix
 * seconds.
 */
export interface Round {
  id: bigint;
  answer: bigint;
  updatedAt: number;
}

export interface RoundSearch {
  feed: Address;
  newest: Round;
  /** Unix seconds. */
  time: number;
  /** Reads the newest state in one round trip. Gives return data, null where a read reverts; undefined when nobody answered. */
  read(reads: { to: Address; data: Hex }[], signal: AbortSignal): Promise<(Hex | null)[] | undefined>;
  signal: AbortSignal;
}

/** Decodes an answer of `latestRoundData` or `getRoundData`. Undefined when it is malformed or the round does not exist (time 0). */
export function readRound(data: string | null | undefined): Round | undefined {
  if (typeof data !== "string" || !/^0x[0-9a-f]{320}$/.test(data)) return undefined;
  const word = (i: number) => BigInt(`0x${data.slice(2 + i * 64, 66 + i * 64)}`);
  const updatedAt = word(3);
  if (updatedAt === 0n || updatedAt > latestTime) return undefined;
  return { id: word(0), answer: BigInt.asIntN(256, word(1)), updatedAt: Number(updatedAt) };
}

/**
 * Finds the last round at or before a time. In each phase, rounds are numbered from 1 and their times grow with the number. So a search
 * with many probes in each round trip needs at most `tripsMax` trips. The first trip also looks into earlier phases, whose number of rounds
 * is not known. `none`: the feed is younger than the time. `unavailable`: nobody answered, or the trips were not enough.
 */
export async function findRound(search: RoundSearch): Promise<Round | "none" | "unavailable"> {
  if (search.newest.updatedAt <= search.time) return search.newest;
  const phase = search.newest.id >> phaseBits;
  const number = BigInt.asUintN(Number(phaseBits), search.newest.id);
  let windows: Window[] = [
    { phase, low: undefined, after: 0n, high: number, probes: spread(0n, number) },
    ...earlierPhases(phase).map((p) => ({ phase: p, low: undefined, after: 0n, high: doublingEnd, probes: doublings })),
  ];
  for (let trip = 0; trip < tripsMax; trip++) {
    const narrowed = await narrow(search, windows);
    if (narrowed === undefined) return "unavailable";
    // Newer phases come first. A phase without a `low` round began after the time, so an older phase is used.
    const [window] = narrowed.filter(({ low }) => low !== undefined);
    if (window?.low === undefined) return "none";
    if (window.high - window.after <= 1n) return window.low;
    windows = [{ ...window, probes: spread(window.after, window.high) }];
  }
  return "unavailable";
}

/**
 * A range of rounds in one phase that holds the wanted one. Round `low`, with the number `after`, is early enough; round `high` is too late
 * or does not exist.
 */
interface Window {
  phase: bigint;
  low: Round | undefined;
  after: bigint;
  high: bigint;
  probes: readonly bigint[];
}

const tripsMax = 4;
/** Probes of one phase in one trip. 200 reads of two storage slots each are far below any node's gas limit for calls. */
const probesMax = 200n;
const phaseBits = 64n;
/** Larger numbers are no valid times: in Unix seconds this is the year 36,812. */
const latestTime = 2n ** 40n;

/** Round numbers 1, 2, 4, …: they enclose a round of a phase whose number of rounds is not known. */
const doublings: readonly bigint[] = Array.from({ length: 20 }, (_, i) => 2n ** BigInt(i));
const doublingEnd = 2n ** 20n;
const earlierPhasesMax = 6n;

const feedAbi = parseAbi(["function getRoundData(uint80) view returns (uint80, int256, uint256, uint256, uint80)"]);

async function narrow(search: RoundSearch, windows: readonly Window[]): Promise<Window[] | undefined> {
  const reads = windows.flatMap(({ phase, probes }) =>
    probes.map((number) => ({
      to: search.feed,
      data: encodeFunctionData({ abi: feedAbi, functionName: "getRoundData", args: [(phase << phaseBits) | number] }),
    })),
  );
  const returns = await search.read(reads, search.signal);
  if (returns === undefined) return undefined;
  let offset = 0;
  return windows.map((window) => {
    const rounds = returns.slice(offset, offset + window.probes.length).map(readRound);
    offset += window.probes.length;
    return closeIn(window, rounds, search.time);
  });
}

/** Moves both ends of the window to the nearest probes around the time. */
function closeIn(window: Window, rounds: readonly (Round | undefined)[], time: number): Window {
  const late = rounds.findIndex((round) => round === undefined || round.updatedAt > time);
  const { low, after, high, probes } = window;
  const last = (late < 0 ? rounds.length : late) - 1;
  return { ...window, low: rounds[last] ?? low, after: probes[last] ?? after, high: probes[last + 1] ?? high };
}

function earlierPhases(phase: bigint): bigint[] {
  const count = phase > earlierPhasesMax ? earlierPhasesMax : phase - 1n;
  return Array.from({ length: Math.max(0, Number(count)) }, (_, i) => phase - 1n - BigInt(i));
}

/** Up to `probesMax` numbers between two others, at equal distances. The first number after `after` is always among them. */
function spread(after: bigint, high: bigint): bigint[] {
  const inside = high - after - 1n;
  const count = inside < probesMax ? inside : probesMax;
  return Array.from({ length: Math.max(0, Number(count)) }, (_, i) => after + 1n + (BigInt(i) * inside) / count);
}
