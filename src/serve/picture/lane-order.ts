import type { PictureRow } from "./rows.ts";

type Ends = Pick<PictureRow, "from" | "to">;

/** Subject first; then short arrows, later accounts to the right. Deterministic: one lane at a time while it helps. */
export function orderLanes(lanes: readonly string[], rows: readonly Ends[], subject: string): string[] {
  const start = lanes.includes(subject) ? 1 : 0;
  let order = start === 1 ? [subject, ...lanes.filter((lane) => lane !== subject)] : [...lanes];
  let cost = costOf(order, rows);
  for (let better = true; better; ) {
    better = false;
    for (let from = start; from < order.length; from++)
      for (let to = start; to < order.length; to++) {
        const next = order.toSpliced(from, 1).toSpliced(to, 0, order[from] as string);
        const price = costOf(next, rows);
        if (price >= cost) continue;
        [order, cost, better] = [next, price, true];
      }
  }
  return order;
}

/** In lanes: first arrow to the left. */
const latePrice = 4;

function costOf(order: readonly string[], rows: readonly Ends[]): number {
  const placeOf = new Map(order.map((lane, place) => [lane, place]));
  const seen = new Set<string>();
  let cost = 0;
  for (const { from, to } of rows) {
    if (from === null || to === null) continue;
    const [a, b] = [placeOf.get(from) ?? 0, placeOf.get(to) ?? 0];
    cost += Math.abs(a - b);
    if (seen.has(from) && !seen.has(to) && b < a) cost += latePrice;
    if (seen.has(to) && !seen.has(from) && a < b) cost += latePrice;
    seen.add(from).add(to);
  }
  return cost;
}
