import { utf8Text } from "../../kernel/hex.ts";

/** Texts, numbers from zero on, lists, and mappings by text. Everything else is null. */
export type CborValue = string | number | null | CborValue[] | ReadonlyMap<string, CborValue>;

const [depthMax, valuesMax] = [8, 1_024];

/**
 * CBOR (RFC 8949); undefined unless the digits are exactly one well-formed value of definite lengths within the limits. Of equal keys the
 * last counts.
 */
export function readCbor(digits: string): CborValue | undefined {
  const reader = new CborReader(digits);
  const value = reader.value(0);
  return reader.isAtEnd() ? value : undefined;
}

class CborReader {
  readonly #digits: string;
  #at = 0;
  #left = valuesMax;
  #failed = false;

  constructor(digits: string) {
    this.#digits = digits;
  }

  isAtEnd(): boolean {
    return !this.#failed && this.#at === this.#digits.length;
  }

  value(depth: number): CborValue {
    const [kind, length] = this.#head();
    if (depth > depthMax || this.#left-- <= 0) this.#failed = true;
    if (this.#failed) return null;
    switch (kind) {
      case 0:
        return Number.isSafeInteger(length) ? length : null;
      case 2:
        this.#take(length);
        return null;
      case 3:
        return utf8Text(this.#take(length));
      case 4:
        return this.#list(length, depth);
      case 5:
        return this.#mapping(length, depth);
      case 6:
        return this.value(depth + 1);
      default:
        return null;
    }
  }

  #list(length: number, depth: number): CborValue[] {
    const items: CborValue[] = [];
    while (items.length < length && !this.#failed) items.push(this.value(depth + 1));
    return items;
  }

  #mapping(length: number, depth: number): ReadonlyMap<string, CborValue> {
    const entries = new Map<string, CborValue>();
    for (let i = 0; i < length && !this.#failed; i++) {
      const key = this.value(depth + 1);
      const value = this.value(depth + 1);
      if (typeof key === "string") entries.set(key, value);
    }
    return entries;
  }

  #head(): [kind: number, length: number] {
    const first = Number.parseInt(this.#take(1), 16);
    const [kind, info] = [first >> 5, first & 31];
    if (info < 24) return [kind, info];
    // 28 to 31 are reserved, or mean an indefinite length.
    if (info > 27) this.#failed = true;
    return [kind, Number.parseInt(this.#take(2 ** (info - 24)), 16)];
  }

  #take(bytes: number): string {
    const end = this.#at + 2 * bytes;
    if (this.#failed || !(end <= this.#digits.length)) {
      this.#failed = true;
      return "";
    }
    const taken = this.#digits.slice(this.#at, end);
    this.#at = end;
    return taken;
  }
}
