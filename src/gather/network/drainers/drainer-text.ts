import { type Address, readAddress } from "../../../kernel/address.ts";
import { type JsonObject, parseJson, readObject } from "../../../kernel/canonical.ts";

/** What a list holds. */
export interface DrainerText {
  /** Sorted, each once. */
  addresses: Address[];
  /** The dates of its entries in milliseconds since the epoch, where the list gives dates. */
  dates: number[];
}

/**
 * Parses a list in one of the forms that makers use: a JSON array of addresses; one of objects with `address` and `date`; a JSON object
 * whose `address` or `addresses` is such an array; a JSON object of arrays, one for each domain; lines of text, where `#` begins a
 * comment. Undefined for a broken list: it has no address, or more than one entry in a hundred is none.
 */
export function parseDrainers(text: string): DrainerText | undefined {
  const trimmed = text.trim();
  const entries = /^[[{]/.test(trimmed) ? fromJson(parseJson(trimmed)) : fromLines(trimmed);
  const addresses = entries?.flatMap((entry) => readAddress(readObject(entry)?.address ?? entry) ?? []) ?? [];
  // Lists of thousands hold slips: a cut address, a letter too many. More of them mean that the form is another one.
  if (entries === undefined || addresses.length === 0 || addresses.length < entries.length * readableMin)
    return undefined;
  const dates = entries.flatMap((entry) => readDate(readObject(entry)?.date) ?? []);
  return { addresses: [...new Set(addresses)].sort(), dates };
}

const readableMin = 0.99;

function fromJson(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const parts: JsonObject = readObject(value) ?? {};
  const own = parts.address ?? parts.addresses;
  if (Array.isArray(own)) return own;
  const arrays = Object.values(parts);
  return arrays.every(Array.isArray) ? arrays.flat() : undefined;
}

function fromLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*$/, "").trim())
    .filter((line) => line !== "");
}

/** A day (YYYY-MM-DD) or a time in ISO 8601. */
function readDate(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
