import type { ReportPart } from "../report.ts";
import { isObject, own } from "./json.ts";

/** How much of a part was used or reported. */
type Usage = "all" | "some";

/** What the parts of one descriptor share. */
interface Reading {
  report: ReportPart;
  /** By JSON pointer. */
  usage: Map<string, Usage>;
}

/** A place in a merged descriptor: its JSON and its JSON pointer (RFC 6901). Reading it through `take` counts it as used. */
export class DescriptorPart {
  readonly value: unknown;
  readonly pointer: string;
  readonly #reading: Reading;
  /** The definition that this place refers to: it gives what is not written here. */
  readonly #definition: DescriptorPart | undefined;

  private constructor(value: unknown, pointer: string, reading: Reading, definition?: DescriptorPart) {
    this.value = value;
    this.pointer = pointer;
    this.#reading = reading;
    this.#definition = definition;
  }

  /** The whole descriptor, of which nothing is used yet. */
  static root(descriptor: unknown, report: ReportPart): DescriptorPart {
    return new DescriptorPart(descriptor, "", { report, usage: new Map() });
  }

  /** The part under a key, or at the end of several keys. */
  get(key: string, ...deeper: string[]): DescriptorPart | undefined {
    const [next, ...rest] = deeper;
    const found = this.#member(key);
    return next === undefined ? found : found?.get(next, ...rest);
  }

  /** From here or from the definition; objects that both have are joined. */
  #member(key: string): DescriptorPart | undefined {
    const value = own(this.value, key);
    const here = value === undefined ? undefined : this.#child(key, value);
    const defined = this.#definition?.get(key);
    if (here === undefined || defined === undefined) return here ?? defined;
    if (isObject(here.value) && isObject(defined.value)) return here.withDefinition(defined);
    defined.take();
    return here;
  }

  withDefinition(definition: DescriptorPart): DescriptorPart {
    return new DescriptorPart(this.value, this.pointer, this.#reading, definition);
  }

  /** Members of an object, or elements of a list, by key. */
  entries(): [key: string, part: DescriptorPart][] {
    const { value } = this;
    if (value === null || typeof value !== "object") return [];
    return Object.entries(value).map(([key, inner]) => [key, this.#child(key, inner)]);
  }

  /** The elements of a list; undefined for anything else. */
  elements(): DescriptorPart[] | undefined {
    return Array.isArray(this.value) ? this.entries().map(([, part]) => part) : undefined;
  }

  /** The JSON here. All of it counts as used from now on. */
  take(): unknown {
    const { usage } = this.#reading;
    for (const { index } of this.pointer.matchAll(/\//g)) {
      const above = this.pointer.slice(0, index);
      if (!usage.has(above)) usage.set(above, "some");
    }
    usage.set(this.pointer, "all");
    return this.value;
  }

  /** Reports this part as left out, with everything inside. */
  leaveOut(reason: string): void {
    this.take();
    this.note(reason);
  }

  /** Reports something about this part, which stays in use. */
  note(reason: string): void {
    this.#reading.report(this.pointer, reason);
  }

  get usage(): Usage | undefined {
    return this.#reading.usage.get(this.pointer);
  }

  #child(key: string, value: unknown): DescriptorPart {
    return new DescriptorPart(
      value,
      `${this.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      this.#reading,
    );
  }
}

/** A part cannot be expressed in the rule language. The message says why; `part` is the exact place where it is known. */
export class UnsupportedError extends Error {
  readonly part: DescriptorPart | undefined;
  constructor(reason: string, part?: DescriptorPart) {
    super(reason);
    this.name = "UnsupportedError";
    this.part = part;
  }
}

/** Throws an {@link UnsupportedError}. */
export function unsupported(reason: string, part?: DescriptorPart): never {
  throw new UnsupportedError(reason, part);
}

/** What `make` returns. When it throws an {@link UnsupportedError}, `part` is reported as left out and the result is undefined. */
export function orLeaveOut<T>(part: DescriptorPart, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    (error.part ?? part).leaveOut(error.message);
    part.take();
    return undefined;
  }
}
