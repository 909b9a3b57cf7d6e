import { createHash } from "node:crypto";
import { type Address, readAddress } from "../../kernel/address.ts";
import { parseJson, readObject } from "../../kernel/canonical.ts";

/**
 * Addresses of a list: a JSON array of strings, a JSON object of such arrays, or lines of text (`#` begins a comment). In
 * order, each once. undefined when it holds none or something that is no address: such a list is broken.
 */
export function parseDrainers(text: string): Address[] | undefined {
  const trimmed = text.trim();
  const entries = /^[[{]/.test(trimmed) ? fromJson(trimmed) : fromLines(trimmed);
  const addresses = entries?.map(readAddress);
  if (addresses === undefined || addresses.length === 0) return undefined;
  if (!addresses.every((address) => address !== undefined)) return undefined;
  return [...new Set(addresses)].sort();
}

/** SHA-256 over the addresses in order, a line each: the same list has the same hash however it was written. */
export function hashDrainers(addresses: readonly Address[]): string {
  return createHash("sha256").update(addresses.join("\n")).digest("hex");
}

function fromJson(text: string): unknown[] | undefined {
  const value = parseJson(text);
  const parts = Array.isArray(value) ? [value] : Object.values(readObject(value) ?? {});
  return parts.every(Array.isArray) ? parts.flat() : undefined;
}

function fromLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*$/, "").trim())
    .filter((line) => line !== "");
}
