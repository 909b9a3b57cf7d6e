import { assert } from "./error.ts";

/** Blocks from `fromBlock` on, which was made `at` (Unix seconds): one every `ms` milliseconds. */
export interface CalendarSegment {
  fromBlock: bigint;
  ms: number;
  at: number;
}

/** Arithmetic: only the chain itself knows whether it kept to it. */
export interface BlockCalendar {
  /** Unix seconds as in the header: rounded down. */
  timeAt(block: bigint): number;
  /** Unix milliseconds; a header has no fraction of a second. */
  millisecondsAt(block: bigint): number;
  /** The first block whose header has this second (Unix) or a later one. */
  blockAt(seconds: number): bigint;
}

/** Segments in order; no blocks before the first. */
export function createBlockCalendar(segments: readonly CalendarSegment[]): BlockCalendar {
  const [first] = segments;
  assert(first !== undefined, "a calendar has a segment");
  const millisecondsAt = (block: bigint): number => {
    const { fromBlock, ms, at } = segments.findLast((one) => one.fromBlock <= block) ?? first;
    return at * 1000 + Number(block - fromBlock) * ms;
  };
  return {
    timeAt: (block) => Math.floor(millisecondsAt(block) / 1000),
    millisecondsAt,
    blockAt(seconds) {
      const index = segments.findLastIndex(({ at }) => at <= seconds);
      const segment = segments[index];
      if (segment === undefined) return first.fromBlock;
      const block = segment.fromBlock + BigInt(Math.ceil(((seconds - segment.at) * 1000) / segment.ms));
      const next = segments[index + 1];
      return next !== undefined && next.fromBlock < block ? next.fromBlock : block;
    },
  };
}
