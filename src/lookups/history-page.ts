import type { JsonSource } from "./json-source.ts";

export type HistoryRow = Record<string, unknown>;

/** Rows of one list of an account, newest first. `ended`: nothing older exists. */
export interface HistoryList {
  rows: HistoryRow[];
  ended: boolean;
}

/**
 * Reads up to `pages` pages of a list of Blockscout API v2, from a block backwards. undefined when a page did not come or is no
 * page. Where the server does not take a place to start from, it starts with the newest.
 */
export async function readList(
  source: JsonSource,
  { path, from, pages, signal }: { path: string; from: Record<string, string>; pages: number; signal: AbortSignal },
): Promise<HistoryList | undefined> {
  const rows: HistoryRow[] = [];
  let query: Record<string, string> = { filter: "from", ...from };
  for (let page = 0; page < pages; page++) {
    let answer = await source.get(`${path}?${new URLSearchParams(query)}`, signal);
    if (page === 0 && answer !== "failed" && (answer.status === 400 || answer.status === 422))
      answer = await source.get(`${path}?filter=from`, signal);
    if (answer === "failed" || answer.status !== 200) return undefined;
    const body = asRow(answer.body);
    const items = Array.isArray(body?.items) ? body.items.map(asRow) : [undefined];
    if (!items.every((item) => item !== undefined)) return undefined;
    rows.push(...items);
    const next = asRow(body?.next_page_params);
    if (next === undefined) return { rows, ended: true };
    query = { filter: "from", ...toQuery(next) };
  }
  return { rows, ended: false };
}

/** The value as an object; undefined for anything else. */
export function asRow(value: unknown): HistoryRow | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as HistoryRow) : undefined;
}

function toQuery(params: HistoryRow): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])),
  );
}
