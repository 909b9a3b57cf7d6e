/** Random numbers from a seed. The same seed makes the same choices, though not at the same times. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in this share of all cases. */
  chance(share: number): boolean;
  /** A separate sequence, for a part of the scenario that runs at the same time as others. */
  fork(): Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    // A step of a linear congruential generator; its high bits are mixed, because the low ones repeat soon.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 16), 0x45d9f3b) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    pick: (list) => list[below(list.length)]!,
    chance: (share) => next() < share,
    fork: () => createRandom(below(2 ** 31)),
  };
}
