import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import type { JsonAnswer } from "../http/json-client.ts";

export type Query = Record<string, string>;

/** `ended`: no more. */
export interface Rows {
  rows: JsonObject[];
  ended: boolean;
}

/** `fixed`: on every page; `start`: on the first. Without a page: its HTTP status, or `failed` for unreadable ones. */
export async function readPages(
  get: (query: Query) => Promise<JsonAnswer>,
  { start = {}, fixed = {}, pagesMax }: { start?: Query; fixed?: Query; pagesMax: number },
): Promise<Rows | number | "failed"> {
  const rows: JsonObject[] = [];
  let place = start;
  for (let page = 0; page < pagesMax; page++) {
    const answer = await get({ ...fixed, ...place });
    if (answer === "failed") return answer;
    if (answer.status !== 200) return answer.status;
    const body = readObject(answer.body);
    const items = Array.isArray(body?.items) ? body.items.map(readObject) : [undefined];
    if (!items.every((item) => item !== undefined)) return "failed";
    rows.push(...items);
    const next = readObject(body?.next_page_params);
    if (next === undefined) return { rows, ended: true };
    place = toQuery(next);
  }
  return { rows, ended: false };
}

function toQuery(params: JsonObject): Query {
  return Object.fromEntries(
    Object.entries(params).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])),
  );
}
