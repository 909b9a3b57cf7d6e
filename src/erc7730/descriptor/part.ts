import { isObject, own } from "./json.ts";
import type { Usage } from "./usage.ts";

/** A place in a merged descriptor: its JSON and its JSON pointer (RFC 6901). Reading it through `take` counts it as used. */
export class Part {
  readonly value: unknown;
  readonly pointer: string;
  readonly #usage: Usage;
  /** The definition that this place refers to: it gives what is not written here. */
  readonly #definition: Part | undefined;

  constructor(value: unknown, pointer: string, usage: Usage, definition?: Part) {
    this.value = value;
    this.pointer = pointer;
    this.#usage = usage;
    this.#definition = definition;
  }

  /** The part under a key, from here or from the definition; objects that both have are joined. */
  get(key: string): Part | undefined {
    const value = own(this.value, key);
    const here = value === undefined ? undefined : this.#child(key, value);
    const defined = this.#definition?.get(key);
    if (here === undefined || defined === undefined) return here ?? defined;
    if (isObject(here.value) && isObject(defined.value)) return here.withDefinition(defined);
    defined.take();
    return here;
  }

  at(...keys: readonly string[]): Part | undefined {
    return keys.reduce<Part | undefined>((part, key) => part?.get(key), this);
  }

  withDefinition(definition: Part): Part {
    return new Part(this.value, this.pointer, this.#usage, definition);
  }

  /** Members of an object, or elements of a list, by key. */
  entries(): [key: string, part: Part][] {
    const { value } = this;
    if (value === null || typeof value !== "object") return [];
    return Object.entries(value).map(([key, inner]) => [key, this.#child(key, inner)]);
  }

  /** The JSON here. All of it counts as used from now on. */
  take(): unknown {
    this.#usage.settle(this.pointer);
    return this.value;
  }

  /** Reports this part as left out, with everything inside. */
  leaveOut(reason: string): void {
    this.#usage.settle(this.pointer);
    this.note(reason);
  }

  /** Reports something about this part, which stays in use. */
  note(reason: string): void {
    this.#usage.report(this.pointer, reason);
  }

  #child(key: string, value: unknown): Part {
    return new Part(value, `${this.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, this.#usage);
  }
}

/** A part cannot be expressed in the rule language. The message says why; `part` is the exact place where it is known. */
export class UnsupportedError extends Error {
  readonly part: Part | undefined;
  constructor(reason: string, part?: Part) {
    super(reason);
    this.name = "UnsupportedError";
    this.part = part;
  }
}

/** Throws an {@link UnsupportedError}. */
export function unsupported(reason: string, part?: Part): never {
  throw new UnsupportedError(reason, part);
}

/** What `make` returns. When it throws an {@link UnsupportedError}, `part` is reported as left out and the result is undefined. */
export function orLeaveOut<T>(part: Part, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    (error.part ?? part).leaveOut(error.message);
    part.take();
    return undefined;
  }
}
