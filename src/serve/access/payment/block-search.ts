import type { PublicClient } from "viem";
import type { BlockCalendar } from "../../../kernel/block-calendar.ts";

export interface Head {
  number: bigint;
  timestamp: bigint;
}

export interface TimedChain {
  client: PublicClient;
  calendar: BlockCalendar;
}

export function readHead({ client }: Pick<TimedChain, "client">): Promise<Head> {
  return client.getBlock({ blockTag: "latest" });
}

/** At or after this Unix second, else the newest. Headers decide; by the calendar two are read, else some dozens. Rejects as viem. */
export async function findBlockAt(chain: TimedChain, seconds: number, head: Head): Promise<bigint> {
  const isBefore = async (blockNumber: bigint) => {
    const { timestamp } = await chain.client.getBlock({ blockNumber });
    return Number(timestamp) < seconds;
  };
  return bisect({ before: -1n, after: head.number, guess: estimateBlockAt(chain, seconds, head) - 1n }, isBefore);
}

/** Counted from the newest; right by the calendar. May be negative. */
export function estimateBlockAt({ calendar }: Pick<TimedChain, "calendar">, seconds: number, head: Head): bigint {
  const time = Number(head.timestamp);
  const anchor = calendar.timeAt(head.number) === time ? head.number : calendar.blockAt(time);
  return head.number - anchor + calendar.blockAt(seconds);
}

export interface Bracket {
  before: bigint;
  after: bigint;
  /** Right before the change. */
  guess?: bigint;
}

/**
 * First block after a change: all before it `isBefore`, none later. Looks near the guess, then further away, then in the middle: it ends
 * whatever the endpoint says.
 */
export async function bisect(
  { before, after, guess }: Bracket,
  isBefore: (block: bigint) => Promise<boolean>,
): Promise<bigint> {
  let [low, high, next] = [before, after, guess];
  for (let step = 1n; low + 1n < high; step *= 2n) {
    if (next !== undefined && (next <= low || next >= high)) next = undefined;
    const block = next ?? (low + high) / 2n;
    const isLow = await isBefore(block);
    if (isLow) low = block;
    else high = block;
    if (next !== undefined) next = isLow ? block + step : block - step;
  }
  return high;
}
