import type { Cast, Pictured } from "./cast.ts";
import { hiddenIn, others, type PictureRow, rowsOf } from "./rows.ts";

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

/** Pixels. */
export interface PictureSize {
  /** Keeps ids of several drawings of a page apart. */
  id: "wide" | "narrow";
  width: number;
  lanesMax: number;
  rowsMax: number;
  /** For row numbers. */
  gutter: number;
  /** Between boxes. */
  gap: number;
}

export interface Layout {
  /** Left to right, perhaps with {@link others}. */
  lanes: readonly string[];
  rows: readonly PictureRow[];
  /** Without a lane. */
  folded: ReadonlySet<string>;
}

/** Fewer lanes where that hides fewer movements. */
export function layOut(pictured: Pictured, cast: Cast, size: PictureSize): Layout {
  const ranked = rankAccounts(pictured, cast);
  let best = layOutOn(size.lanesMax, { pictured, cast, ranked, size });
  let hidden = hiddenIn(best.rows);
  for (let lanes = size.lanesMax - 1; hidden > 0 && lanes > 1; lanes--) {
    const other = layOutOn(lanes, { pictured, cast, ranked, size });
    const left = hiddenIn(other.rows);
    if (left < hidden) [best, hidden] = [other, left];
  }
  return best;
}

interface Material {
  pictured: Pictured;
  cast: Cast;
  /** Most important first. */
  ranked: readonly string[];
  size: PictureSize;
}

function layOutOn(lanesMax: number, { pictured, cast, ranked, size }: Material): Layout {
  const { grants, failures, subject, target } = pictured.facts;
  const kept = new Set(ranked.length > lanesMax ? ranked.slice(0, lanesMax - 1) : ranked);
  const laneOf = (address: string) => (kept.has(address) ? address : others);
  const found = rowsOf({ cast, grants, failures, laneOf, rowsMax: size.rowsMax });
  const quiet: PictureRow = { kind: "quiet", from: laneOf(subject), to: laneOf(target ?? subject) };
  const rows = found.length === 0 ? [quiet] : found;
  const used = new Set(rows.flatMap(({ from, to }) => [from, to].filter((lane) => lane !== null)));
  const lanes = orderLanes([...used], rows, subject);
  return { lanes, rows, folded: new Set(ranked.filter((address) => !used.has(address))) };
}

/** Subject, parties of rights and failures, first recipient, traders, named ones. */
function rankAccounts({ explanation, facts }: Pictured, { accounts, legs, subject }: Cast): string[] {
  const points = new Map<string, number>();
  const give = (address: string | null | undefined, more: number) => {
    if (address != null) points.set(address, (points.get(address) ?? 0) + more);
  };
  const placeOf = new Map(explanation.counterparties.map(({ address }, place) => [address, place]));
  for (const { address, label, net } of accounts.values())
    give(address, (label === null ? 0 : 35) + (net.size > 0 ? 5 : 0) - (placeOf.get(address) ?? 30) / 10);
  give(subject, 1_000);
  const getters = new Set(legs.filter(({ from }) => from === subject).map(({ to }) => to));
  const givers = new Set(legs.filter(({ to }) => to === subject).map(({ from }) => from));
  for (const address of getters) give(address, 40);
  for (const address of givers) give(address, 30);
  give(legs.find(({ from }) => from === subject)?.to, 100);
  for (const { owner, spender } of facts.grants.slice(0, 3)) {
    give(owner, 200);
    give(spender, 200);
  }
  for (const { from, to } of facts.failures.slice(0, 1)) {
    give(from, 150);
    give(to, 150);
  }
  return [...accounts.keys()].sort((a, b) => (points.get(b) ?? 0) - (points.get(a) ?? 0));
}
