/** One line of a report: what was found, and what is expected. */
export interface Row {
  what: string;
  found: string | number;
  /** What was wanted; empty where the number only informs. */
  want: string;
  held: boolean;
}

export const info = (what: string, found: string | number): Row => ({ what, found, want: "", held: true });

export function exactly<T extends string | number>(what: string, found: T, want: T): Row {
  return { what, found, want: String(want), held: found === want };
}

export const atMost = (what: string, found: number, most: number): Row => ({
  ...{ what, found, want: `at most ${most}` },
  held: found <= most,
});

export const atLeast = (what: string, found: number, least: number): Row => ({
  ...{ what, found, want: `at least ${least}` },
  held: found >= least,
});

/** A part of a scenario that this machine cannot run. */
export const skipped = (what: string, reason: string): Row => ({ what, found: "skipped", want: reason, held: true });

/** What a scenario found out. */
export interface Report {
  title: string;
  rows: Row[];
}

export function formatReport({ title, rows }: Report): string {
  const cells = rows.map((row) => [row.what, String(row.found), row.want, row.held ? "" : "WRONG"]);
  const fits = (cell: string) => cell.length <= columnMax;
  const widths = [0, 1, 2].map((column) =>
    Math.max(
      0,
      ...cells
        .map((row) => row[column]!)
        .filter(fits)
        .map(({ length }) => length),
    ),
  );
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return [title, ...lines.map((line) => `  ${line.trimEnd()}`)].join("\n");
}

/** Longer cells do not widen their column. */
const columnMax = 60;

/** How often each text occurs, the most frequent first. */
export function tally(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sorted = [...counts].sort(([, left], [, right]) => right - left);
  return sorted.map(([text, count]) => `${count} × ${text}`).join(", ") || "none";
}
