import type { FailureFacts, GrantFacts } from "../../model/told/picture-facts.ts";
import type { Cast, CastLeg } from "./cast.ts";

/** Lane of all accounts without one. */
export const others = "others";

/** `from`, `to`: address or {@link others}. */
export type PictureRow =
  | { kind: "moves"; from: string; to: string; legs: CastLeg[] }
  /** Only in the table. Known if all share lanes. */
  | { kind: "rest"; from: string | null; to: string | null; legs: CastLeg[] }
  | { kind: "grant"; from: string; to: string; letter: string; grant: GrantFacts }
  | { kind: "more_grants"; from: null; to: null; count: number }
  | { kind: "failure"; from: string; to: string; failure: FailureFacts }
  /** Nothing moved, failed or was left. */
  | { kind: "quiet"; from: string; to: string };

type MovesRow = PictureRow & { kind: "moves" };
type RestRow = PictureRow & { kind: "rest" };

/** Rows kept where there are too many. */
const keptMax = 15;
const grantsMax = 6;
const failuresMax = 3;

export interface RowInput {
  cast: Cast;
  grants: readonly GrantFacts[];
  failures: readonly FailureFacts[];
  laneOf: (address: string) => string;
  rowsMax: number;
}

/** Movements, rights, failures; too many are joined or counted. */
export function rowsOf({ cast, grants, failures, laneOf, rowsMax }: RowInput): PictureRow[] {
  const moves = inSuccession(cast.legs, laneOf);
  const rows: PictureRow[] = moves.length <= rowsMax ? moves : mostTelling(merged(moves), cast.subject, rowsMax);
  for (const [i, grant] of grants.slice(0, grantsMax).entries())
    rows.push({ kind: "grant", from: laneOf(grant.owner), to: laneOf(grant.spender), letter: letterOf(i), grant });
  if (grants.length > grantsMax)
    rows.push({ kind: "more_grants", from: null, to: null, count: grants.length - grantsMax });
  for (const failure of failures.slice(0, failuresMax))
    rows.push({ kind: "failure", from: laneOf(failure.from), to: laneOf(failure.to ?? failure.from), failure });
  return rows;
}

/** A, B, … Z, AA. */
export function letterOf(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : `${letterOf(Math.floor(place / 26) - 1)}${last}`;
}

/** One row of consecutive movements of one token between the same lanes; all among folded accounts too. */
function inSuccession(legs: readonly CastLeg[], laneOf: (address: string) => string): MovesRow[] {
  const rows: MovesRow[] = [];
  for (const leg of legs) {
    const [from, to] = [laneOf(leg.from), laneOf(leg.to)];
    const last = rows.at(-1);
    if (last !== undefined && last.from === from && last.to === to && joins(last, leg)) last.legs.push(leg);
    else rows.push({ kind: "moves", from, to, legs: [leg] });
  }
  return rows;
}

function joins({ from, to, legs: [first] }: MovesRow, { token, fee }: CastLeg): boolean {
  return (from === others && to === others) || (first?.token === token && first.fee === fee);
}

/** At the place of the first. */
function merged(rows: readonly MovesRow[]): MovesRow[] {
  const found = new Map<string, MovesRow>();
  for (const row of rows) {
    const { from, to } = row;
    const among = from === others && to === others;
    const key = `${from} ${to} ${among ? "" : `${row.legs[0]?.token} ${row.legs[0]?.fee}`}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { ...row, legs: [...row.legs] });
    else known.legs.push(...row.legs);
  }
  return [...found.values()];
}

/** Subject's first, then those between lanes; the rest counted. */
function mostTelling(rows: readonly MovesRow[], subject: string, rowsMax: number): PictureRow[] {
  if (rows.length <= rowsMax) return [...rows];
  const worth = ({ from, to }: MovesRow) =>
    (from === subject || to === subject ? 4 : 0) + (from === others ? 0 : 1) + (to === others ? 0 : 1);
  const kept = new Set(rows.toSorted((a, b) => worth(b) - worth(a)).slice(0, Math.min(keptMax, rowsMax - 1)));
  const left = rows.filter((row) => !kept.has(row));
  const [first] = left as [MovesRow];
  const shared = left.every(({ from, to }) => from === first.from && to === first.to);
  const legs = left.flatMap((row) => row.legs);
  const rest: RestRow = { kind: "rest", from: shared ? first.from : null, to: shared ? first.to : null, legs };
  return [...rows.filter((row) => kept.has(row)), rest];
}

/** Neither shown nor summed. */
export function hiddenIn(rows: readonly PictureRow[]): number {
  let hidden = 0;
  for (const row of rows)
    if (row.kind === "rest" || (row.kind === "moves" && row.from === others && row.to === others))
      hidden += row.legs.length;
  return hidden;
}
