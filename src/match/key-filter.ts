/**
 * Tells quickly that a selector or topic is in no rule, by its first four hex digits. Most are in none, and a look into the large map
 * would cost more than all else that is done with them.
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

/** `0` to `9` end in their value; `a` to `f` in 1 to 6. */
function digit(key: string, at: number): number {
  const code = key.charCodeAt(at);
  return ((code & 15) + (code > 64 ? 9 : 0)) & 15;
}
