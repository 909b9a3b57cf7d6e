/**
 * A rough estimate of the bytes that a plain value takes in a cache: two for each character of its JSON, which includes the objects around
 * short texts, and a fixed size for the entry. Caches of foreign data are limited by bytes, not by entries.
 */
export function byteSize(value: object): number {
  return JSON.stringify(value).length * 2 + entryBytes;
}

const entryBytes = 256;
