import { assert } from "./error.ts";

/** From block `fromBlock` on, whose time is `at` (Unix seconds), there is a block every `ms` milliseconds. */
export interface CalendarSegment {
  fromBlock: bigint;
  ms: number;
  at: number;
}

/** At which times a chain makes its blocks. It is arithmetic: only the chain itself knows whether it kept to it. */
export interface BlockCalendar {
  /** The time that the header of a block tells: Unix seconds, rounded down. */
  timeAt(block: bigint): number;
  /** When the block is made, in Unix milliseconds: a header does not tell the part of a second. */
  millisecondsAt(block: bigint): number;
  /** The first block whose header tells this second (Unix) or a later one. */
  blockAt(seconds: number): bigint;
}

/** The calendar of these segments, which are in order. The time before the first of them has no blocks. */
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
