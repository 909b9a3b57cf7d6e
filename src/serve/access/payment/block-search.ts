import type { PublicClient } from "viem";
import type { BlockCalendar } from "../../../kernel/block-calendar.ts";

export interface Head {
  number: bigint;
  timestamp: bigint;
}

/** An endpoint, and when its chain should have made its blocks. */
export interface TimedChain {
  client: PublicClient;
  calendar: BlockCalendar;
}

export function readHead({ client }: Pick<TimedChain, "client">): Promise<Head> {
  return client.getBlock({ blockTag: "latest" });
}

/**
 * The first block whose time is this second (Unix) or a later one; the newest one where none is. The headers decide, and the calendar only
 * says where to look first: two headers are read where the chain keeps to it, otherwise some dozens at most. Rejects as viem does.
 */
export async function findBlockAt(chain: TimedChain, seconds: number, head: Head): Promise<bigint> {
  const isBefore = async (blockNumber: bigint) => {
    const { timestamp } = await chain.client.getBlock({ blockNumber });
    return Number(timestamp) < seconds;
  };
  return bisect({ before: -1n, after: head.number, guess: estimateBlockAt(chain, seconds, head) - 1n }, isBefore);
}

/** The first block at or after this second, counted from the newest block: right where the chain keeps to the calendar. May be negative. */
export function estimateBlockAt({ calendar }: Pick<TimedChain, "calendar">, seconds: number, head: Head): bigint {
  const time = Number(head.timestamp);
  const anchor = calendar.timeAt(head.number) === time ? head.number : calendar.blockAt(time);
  return head.number - anchor + calendar.blockAt(seconds);
}

export interface Bracket {
  /** Is before the change. */
  before: bigint;
  /** Is after it. */
  after: bigint;
  /** Where to look first: right before the change, if it is right. */
  guess?: bigint;
}

/**
 * The first block after a change, between two blocks: everything before it `isBefore`, and nothing after it is. It looks near the guess,
 * then further and further away from it, then in the middle of what is left. So it ends, whatever it is told.
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
