/**
 * Tells quickly that no rule has a selector or topic, by its first four hex digits. Most are in no rule, and a lookup in the large map
 * would cost more than everything else that is done with them.
 */
export class KeyFilter {
  readonly #known = new Uint8Array(1 << 16);

  constructor(keys: Iterable<string>) {
    for (const key of keys) this.#known[placeOf(key)] = 1;
  }

  /** False: the key is certainly not among them. True: it may be. */
  mayHave(key: string): boolean {
    return this.#known[placeOf(key)] === 1;
  }
}

/** The four digits behind `0x` as a number; 0 where there are none. */
function placeOf(key: string): number {
  return (digit(key, 2) << 12) | (digit(key, 3) << 8) | (digit(key, 4) << 4) | digit(key, 5);
}

/** The value of a hex digit. In the low four bits of the character code, `0` to `9` are 0 to 9, and `a` to `f` are 1 to 6. */
function digit(key: string, at: number): number {
  const code = key.charCodeAt(at);
  return ((code & 15) + (code > 64 ? 9 : 0)) & 15;
}
