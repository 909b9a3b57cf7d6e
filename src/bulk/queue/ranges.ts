/** Blocks, both ends included. */
export interface BlockRange {
  first: number;
  last: number;
}

/**
 * What of `whole` is not covered, cut at multiples of `size`, so that runs that begin elsewhere cut at the same places. `covered` may
 * be in any order.
 */
export function cutRanges(whole: BlockRange, covered: readonly BlockRange[], size: number): BlockRange[] {
  const sorted = [...covered].sort((a, b) => a.first - b.first);
  const found: BlockRange[] = [];
  const cut = (first: number, last: number) => {
    for (let at = first; at <= last; ) {
      const end = Math.min(last, (Math.floor(at / size) + 1) * size - 1);
      found.push({ first: at, last: end });
      at = end + 1;
    }
  };
  let at = whole.first;
  for (const { first, last } of sorted) {
    if (last < at) continue;
    if (first > whole.last) break;
    cut(at, first - 1);
    at = last + 1;
  }
  cut(at, whole.last);
  return found;
}
