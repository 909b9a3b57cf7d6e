import type { ReportPart } from "../report.ts";

/** Read it with {@link own}: nothing comes from its prototype. */
export type DescriptorObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is DescriptorObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** undefined for any other value. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

interface Reading {
  report: ReportPart;
  /** What was used or reported, by JSON pointer. */
  usage: Map<string, "all" | "some">;
}

/** A place in a merged descriptor, with its JSON pointer (RFC 6901). `take` marks it as used. */
export class DescriptorPart {
  readonly value: unknown;
  readonly pointer: string;
  readonly #reading: Reading;
  /** By `$ref`; supplies missing members. */
  readonly #definition: DescriptorPart | undefined;

  private constructor(value: unknown, pointer: string, reading: Reading, definition?: DescriptorPart) {
    this.value = value;
    this.pointer = pointer;
    this.#reading = reading;
    this.#definition = definition;
  }

  /** Nothing is used yet. */
  static root(descriptor: unknown, report: ReportPart): DescriptorPart {
    return new DescriptorPart(descriptor, "", { report, usage: new Map() });
  }

  /** Or at the end of several keys. */
  get(...keys: string[]): DescriptorPart | undefined {
    return keys.reduce<DescriptorPart | undefined>((part, key) => part?.member(key), this);
  }

  /** From here, or else the definition; objects of both are joined. */
  private member(key: string): DescriptorPart | undefined {
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

  /** By key, or by index. */
  entries(): [key: string, part: DescriptorPart][] {
    const { value } = this;
    if (value === null || typeof value !== "object") return [];
    return Object.entries(value).map(([key, inner]) => [key, this.#child(key, inner)]);
  }

  /** undefined for anything else. */
  elements(): DescriptorPart[] | undefined {
    return Array.isArray(this.value) ? this.entries().map(([, part]) => part) : undefined;
  }

  /** The whole part counts as used. */
  take(): unknown {
    const { usage } = this.#reading;
    for (const { index } of this.pointer.matchAll(/\//g)) {
      const above = this.pointer.slice(0, index);
      if (!usage.has(above)) usage.set(above, "some");
    }
    usage.set(this.pointer, "all");
    return this.value;
  }

  /** With everything inside. */
  leaveOut(reason: string): void {
    this.take();
    this.note(reason);
  }

  /** Not marked as used. */
  note(reason: string): void {
    this.#reading.report(this.pointer, reason);
  }

  get usage(): "all" | "some" | undefined {
    return this.#reading.usage.get(this.pointer);
  }

  #child(key: string, value: unknown): DescriptorPart {
    const escaped = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return new DescriptorPart(value, `${this.pointer}/${escaped}`, this.#reading);
  }
}

/** Cannot be expressed in the rule language; the message says why. `part`: the exact place. */
export class UnsupportedError extends Error {
  readonly part: DescriptorPart | undefined;
  constructor(reason: string, part?: DescriptorPart) {
    super(reason);
    this.name = "UnsupportedError";
    this.part = part;
  }
}

export function unsupported(reason: string, part?: DescriptorPart): never {
  throw new UnsupportedError(reason, part);
}

/** Whatever `make` throws becomes an {@link UnsupportedError} with the reason. */
export function orUnsupported<T>(reason: string, make: () => T): T {
  try {
    return make();
  } catch {
    unsupported(reason);
  }
}

/** An {@link UnsupportedError} of `make` is reported, and gives undefined. */
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

/** Keys from which nothing is made, and why. */
const reasons: ReadonlyMap<string, string> = new Map([
  ["$i18n", "translations: sentences are English"],
  ["abi", "an ABI beside signatures that say all"],
  ["addressMatcher", "an address matcher elsewhere is not asked"],
  ["factory", "contracts of a factory: what it made long ago cannot be shown"],
  ["info", "facts about the owner: no sentence tells them"],
  ["token", "facts about the token: the chain and labels tell them"],
  ["owner", "a name that another one stands for"],
  ["contractName", "a name that another one stands for"],
  ["types", "a check of what kind of address it is: wallets make it"],
  ["type", "a check of what kind of address it is: wallets make it"],
  ["sources", "sources of names: names come from labels alone"],
  ["separator", "words between the elements of an array"],
  ["iteration", "the order of arrays"],
  ["screens", "the layout of a wallet's screens"],
]);

/** Definitions for other places; an unused one is no mistake. */
const optional = /^\/(?:metadata\/(?:constants|enums|maps)(?:\/|$)|display\/definitions(?:\/[^/]*)?$)/;

/** Neither used nor reported, each once at its outermost place. Keys with `$` mean nothing (ERC-7730 "Key naming convention"). */
export function reportUnused(part: DescriptorPart, key = ""): void {
  if (part.usage === "all") return;
  const inner = part.entries();
  const opens = inner.length > 0 && (part.usage === "some" || key === "params");
  if (!opens) part.leaveOut(reasonFor(part, key));
  else for (const [name, child] of inner) if (!/^\$(?!ref$|i18n$)/.test(name)) reportUnused(child, name);
}

function reasonFor({ pointer, value }: DescriptorPart, key: string): string {
  if (value !== null && typeof value === "object" && Object.keys(value).length === 0) return "empty";
  if (optional.test(pointer)) return "defined, but nothing that is told refers to it";
  return reasons.get(key) ?? "a key that has no meaning here";
}
