import type { Listing } from "./finding.ts";
import { isObject, own } from "./json-tree.ts";

/** Which parts of a descriptor were used or listed, by JSON pointer; each stands for everything inside of it. */
export class Account {
  readonly #settled = new Set<string>();
  readonly #lines = new Set<string>();
  readonly #list: Listing;

  constructor(list: Listing) {
    this.#list = list;
  }

  settle(pointer: string): void {
    this.#settled.add(pointer);
  }

  list(pointer: string, reason: string): void {
    this.#settled.add(pointer);
    this.note(pointer, reason);
  }

  /** Lists once what several functions may stumble over. */
  note(pointer: string, reason: string): void {
    const line = `${pointer} ${reason}`;
    if (this.#lines.has(line)) return;
    this.#lines.add(line);
    this.#list(pointer, reason);
  }

  has(pointer: string): boolean {
    return this.#settled.has(pointer);
  }

  /** Pointers that lead to a settled part. */
  ways(): ReadonlySet<string> {
    const ways = new Set<string>();
    for (const pointer of this.#settled)
      for (let end = pointer.lastIndexOf("/"); end >= 0; end = pointer.lastIndexOf("/", end - 1)) {
        const way = pointer.slice(0, end);
        if (ways.has(way)) break;
        ways.add(way);
      }
    return ways;
  }
}

/** A place in a merged descriptor: its JSON, where it is (RFC 6901), and the account that it is settled in. */
export class Part {
  readonly value: unknown;
  readonly pointer: string;
  readonly #account: Account;
  /** The definition that this place refers to: it gives what is not written here. */
  readonly #under: Part | undefined;

  constructor(value: unknown, pointer: string, account: Account, under?: Part) {
    this.value = value;
    this.pointer = pointer;
    this.#account = account;
    this.#under = under;
  }

  /** The part under a key, from here or from the definition; objects that both have are joined. */
  get(key: string): Part | undefined {
    const value = own(this.value, key);
    const above = value === undefined ? undefined : this.#child(key, value);
    const below = this.#under?.get(key);
    if (above === undefined) return below;
    if (below === undefined) return above;
    if (isObject(above.value) && isObject(below.value)) return above.over(below);
    below.take();
    return above;
  }

  at(...keys: readonly string[]): Part | undefined {
    return keys.reduce<Part | undefined>((part, key) => part?.get(key), this);
  }

  /** This place with a definition behind it. */
  over(definition: Part): Part {
    return new Part(this.value, this.pointer, this.#account, definition);
  }

  /** Elements of a list, or members of an object by key. */
  children(): [key: string, part: Part][] {
    const { value } = this;
    if (value === null || typeof value !== "object") return [];
    return Object.entries(value).map(([key, inner]) => [key, this.#child(key, inner)]);
  }

  /** The JSON here, all of which counts as used from now on. */
  take(): unknown {
    this.#account.settle(this.pointer);
    return this.value;
  }

  /** Lists this part as left out, with everything inside. */
  refuse(reason: string): void {
    this.#account.list(this.pointer, reason);
  }

  /** Lists something about this part, which stays in use. */
  note(reason: string): void {
    this.#account.note(this.pointer, reason);
  }

  #child(key: string, value: unknown): Part {
    return new Part(value, `${this.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, this.#account);
  }
}

/** Why a part cannot be expressed; `part` is the exact one where it is known. */
export class Unfit extends Error {
  readonly part: Part | undefined;
  constructor(reason: string, part?: Part) {
    super(reason);
    this.name = "Unfit";
    this.part = part;
  }
}

/** Lists what stopped a part and settles all of it. Rethrows what is no {@link Unfit}. */
export function refuseFor(part: Part, error: unknown): void {
  if (!(error instanceof Unfit)) throw error;
  (error.part ?? part).refuse(error.message);
  part.take();
}
