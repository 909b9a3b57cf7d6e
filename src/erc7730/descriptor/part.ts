import type { ReportPart } from "../report.ts";
import { isObject, own } from "./json.ts";

/** Which parts of one descriptor were used or reported, by JSON pointer. */
interface Usage {
  report: ReportPart;
  /** Each pointer stands for everything inside of it. */
  settled: Set<string>;
  /** Pointers above settled ones. */
  above: Set<string>;
}

/** A place in a merged descriptor: its JSON and its JSON pointer (RFC 6901). Reading it through `take` counts it as used. */
export class Part {
  readonly value: unknown;
  readonly pointer: string;
  readonly #usage: Usage;
  /** The definition that this place refers to: it gives what is not written here. */
  readonly #definition: Part | undefined;

  private constructor(value: unknown, pointer: string, usage: Usage, definition?: Part) {
    this.value = value;
    this.pointer = pointer;
    this.#usage = usage;
    this.#definition = definition;
  }

  /** The whole descriptor, of which nothing is used yet. */
  static root(descriptor: unknown, report: ReportPart): Part {
    return new Part(descriptor, "", { report, settled: new Set(), above: new Set() });
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

  /** The elements of a list; undefined for anything else. */
  elements(): Part[] | undefined {
    return Array.isArray(this.value) ? this.entries().map(([, part]) => part) : undefined;
  }

  /** The JSON here. All of it counts as used from now on. */
  take(): unknown {
    const { settled, above } = this.#usage;
    settled.add(this.pointer);
    const keys = this.pointer.split("/");
    for (let count = 1; count < keys.length; count++) above.add(keys.slice(0, count).join("/"));
    return this.value;
  }

  /** Reports this part as left out, with everything inside. */
  leaveOut(reason: string): void {
    this.take();
    this.note(reason);
  }

  /** Reports something about this part, which stays in use. */
  note(reason: string): void {
    this.#usage.report(this.pointer, reason);
  }

  /** Whether this part was used or reported: all of it, something inside, or nothing. */
  get usage(): "all" | "some" | "none" {
    if (this.#usage.settled.has(this.pointer)) return "all";
    return this.#usage.above.has(this.pointer) ? "some" : "none";
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
