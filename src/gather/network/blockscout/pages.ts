import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import type { JsonAnswer } from "../http/json-client.ts";

export type Query = Record<string, string>;

/** Rows of a list. `ended`: there are no more. */
export interface Rows {
  rows: JsonObject[];
  ended: boolean;
}

/**
 * Reads up to `pagesMax` pages of a list of Blockscout API v2. `fixed` is sent with every page, `start` only with the first. When a page
 * does not come, the result is its HTTP status, or `failed` when the answer is no page.
 */
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
