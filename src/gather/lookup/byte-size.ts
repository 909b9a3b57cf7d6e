/** Rough: two for each JSON character, and a fixed size an entry. Foreign data is limited by bytes, not entries. */
export function byteSize(value: object): number {
  return JSON.stringify(value).length * 2 + entryBytes;
}

const entryBytes = 256;
