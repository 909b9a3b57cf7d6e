/** Both ends included. */
export interface BlockRange {
  first: number;
  last: number;
}

/** Uncovered parts of `whole`, cut at multiples of the size at a block, so that all plans cut at the same places. `covered`: any order. */
export function cutRanges(
  whole: BlockRange,
  covered: readonly BlockRange[],
  sizeAt: (block: number) => number,
): BlockRange[] {
  const sorted = [...covered].sort((a, b) => a.first - b.first);
  const found: BlockRange[] = [];
  const cut = (first: number, last: number) => {
    for (let at = first; at <= last; ) {
      const size = sizeAt(at);
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
