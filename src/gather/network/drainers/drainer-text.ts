import { type Address, readAddress } from "../../../kernel/address.ts";
import { type JsonObject, parseJson, readObject } from "../../../kernel/canonical.ts";

export interface DrainerText {
  /** Sorted, each once. */
  addresses: Address[];
  /** Ms since the epoch, where given. */
  dates: number[];
}

/**
 * JSON array of addresses, or of objects with `address` and `date`; object with such an array as `address` or `addresses`; object of arrays
 * by domain; text lines with `#` comments. Undefined: no address, or over one bad entry in a hundred.
 */
export function parseDrainers(text: string): DrainerText | undefined {
  const trimmed = text.trim();
  const entries = /^[[{]/.test(trimmed) ? fromJson(parseJson(trimmed)) : fromLines(trimmed);
  const addresses = entries?.flatMap((entry) => readAddress(readObject(entry)?.address ?? entry) ?? []) ?? [];
  // Long lists hold slips; more mean another form.
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

/** YYYY-MM-DD, or ISO 8601. */
function readDate(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
