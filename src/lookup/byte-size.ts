/**
 * Bytes of a plain value in memory, roughly: two for each character of its JSON, which covers the objects around short texts, and what a
 * cache needs for the entry. Caches that keep what others wrote are bounded by this and not by a number of entries.
 */
export function byteSize(value: object): number {
  return JSON.stringify(value).length * 2 + entryBytes;
}

const entryBytes = 256;
