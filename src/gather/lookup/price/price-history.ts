import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";

/** Chainlink. `id`: of the proxy, 80 bits, the upper 16 the phase. `updatedAt`: Unix seconds. */
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
  /** Newest state, one round trip. null: reverts; undefined: nobody answered. */
  read(reads: { to: Address; data: Hex }[], signal: AbortSignal): Promise<(Hex | null)[] | undefined>;
  signal: AbortSignal;
}

/** `latestRoundData` or `getRoundData`. Undefined: malformed, or no such round (time 0). */
export function readRound(data: string | null | undefined): Round | undefined {
  if (typeof data !== "string" || !/^0x[0-9a-f]{320}$/.test(data)) return undefined;
  const word = (i: number) => BigInt(`0x${data.slice(2 + i * 64, 66 + i * 64)}`);
  const updatedAt = word(3);
  if (updatedAt === 0n || updatedAt > latestTime) return undefined;
  return { id: word(0), answer: BigInt.asIntN(256, word(1)), updatedAt: Number(updatedAt) };
}

/**
 * At or before a time. Rounds count from 1 in each phase, times grow with them, so `tripsMax` trips of many probes are enough; the first
 * looks into earlier phases too. `none`: the feed is younger. `unavailable`: nobody answered, or too few trips.
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
    // Newer phases first; without `low` the phase began after the time.
    const [window] = narrowed.filter(({ low }) => low !== undefined);
    if (window?.low === undefined) return "none";
    if (window.high - window.after <= 1n) return window.low;
    windows = [{ ...window, probes: spread(window.after, window.high) }];
  }
  return "unavailable";
}

/** Round `low` (number `after`) is early enough; round `high` is too late or does not exist. */
interface Window {
  phase: bigint;
  low: Round | undefined;
  after: bigint;
  high: bigint;
  probes: readonly bigint[];
}

const tripsMax = 4;
/** Two storage slots each: far below any node's gas limit. */
const probesMax = 200n;
const phaseBits = 64n;
/** Unix seconds, the year 36,812. */
const latestTime = 2n ** 40n;

/** 1, 2, 4, …: for a phase of unknown length. */
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

/** To the probes nearest to the time. */
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

/** Equal distances, the first after `after` always. */
function spread(after: bigint, high: bigint): bigint[] {
  const inside = high - after - 1n;
  const count = inside < probesMax ? inside : probesMax;
  return Array.from({ length: Math.max(0, Number(count)) }, (_, i) => after + 1n + (BigInt(i) * inside) / count);
}
